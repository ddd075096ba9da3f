import type { Requirement } from '../requirement.ts'

/** Callback/event contract (seed): what must hold for anyone, an attacker included. */
export const contractsInvariants = [
  {
    id: 'CB-01',
    level: 'must',
    says: 'signIn: true continues, false/throw stops to the error page (throw ⇒ AccessDenied with the original message), string redirects to that URL; same for all five provider types.',
    source: 'seed Callbacks.signIn',
    status: 'invariant',
    mode: 'L',
  },
  {
    id: 'CB-02',
    level: 'must',
    says: 'E-mail: signIn is called twice, first with email.verificationRequest=true, second without it.',
    source: 'seed Callbacks.signIn',
    status: 'invariant',
    mode: 'L',
  },
  {
    id: 'CB-03',
    level: 'must',
    says: 'jwt: account/user present ⇔ trigger signIn/signUp; profile only on signIn/signUp; trigger update only on update; returned value is what is stored; null ends the session.',
    source: 'seed Callbacks.jwt',
    status: 'invariant',
    mode: 'L',
  },
  {
    id: 'CB-04',
    level: 'must',
    says: 'session: jwt strategy gets {session,token}, database {session,user}, update adds newSession+trigger; the return value is exactly the body.',
    source: 'seed Callbacks.session',
    status: 'invariant',
    mode: 'L',
  },
  {
    id: 'CB-05',
    level: 'must',
    says: 'Each event fires exactly once, after the commit it reports, in a fixed order, never on failure; throws are swallowed and logged.',
    source: 'seed Events',
    status: 'invariant',
    mode: 'L',
  },
  {
    id: 'CB-06',
    level: 'must',
    says: "CredentialsSignin gives sign-in page with error=CredentialsSignin&code=<code>; code never differs between 'unknown user' and 'wrong password' by default.",
    source: 'seed Errors',
    status: 'invariant',
    mode: 'U',
  },
  {
    id: 'CB-07',
    level: 'must',
    says: 'Default stored account subset = access_token,id_token,refresh_token,expires_at,scope,token_type,session_state; default profile subset = id,email,name,image.',
    source: 'seed Account, Profile',
    status: 'invariant',
    mode: 'L',
  },
  {
    id: 'CB-08',
    level: 'must',
    says: "Adapter conformance kit: each operation's contract incl. atomic useVerificationToken, unique constraints, Date round-trip, null vs throw, cascade.",
    source: 'seed Adapter operations',
    status: 'invariant',
    mode: 'L',
  },
] as const satisfies readonly Requirement[]
