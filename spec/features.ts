import type { Requirement } from './requirement.ts'

/** Features that a site adds with `features`, written with `authmachine/extend`. */
export const features = [
  {
    id: 'FT-01',
    level: 'must',
    says: 'Before a sign-in stores, links or removes anything for its user, and before there is a session, every gate of the configured features lets it pass: in every way to sign in, for a returning user and for a new one, in the order of the list, after the second factor.',
    source: 'ASVS 6.3.4; CWE-288',
    status: 'decided',
    why: 'A gate that one way to sign in does not pass protects nothing.',
  },
  {
    id: 'FT-02',
    level: 'must',
    says: 'If a gate holds a sign-in, the browser gets no session, and is redirected to the page of the gate. The sign-in is sealed into a cookie, which expires after ten minutes. The next sign-in or a sign-out of the browser removes the cookie.',
    source: 'ASVS 7.4.1; Note: Features',
    status: 'decided',
    why: 'Until the gate lets it pass, the sign-in must not be worth anything to somebody with a copy of the cookie.',
  },
  {
    id: 'FT-03',
    level: 'must',
    says: 'A held sign-in continues only after the page of the gate that holds it has let it pass, in the browser that began it, and as the same user. It continues where it was held: the credential is not used again, the signIn callback is not called again, and accounts and addresses are looked up again. If the account has changed in the meantime in a way that ends pending operations, it does not continue.',
    source: 'STM-02; CWE-841; Note: Features',
    status: 'decided',
    why: 'Otherwise, passing a gate as one user would let another one in.',
  },
  {
    id: 'FT-04',
    level: 'must',
    says: 'What a gate learns is stored after the user is, and before there is a session. If this fails, there is no session, and the gate asks again at the next sign-in.',
    source: 'FI-02; Note: Features',
    status: 'decided',
    why: 'A session whose user has not accepted the terms, because the store failed, would never be asked again.',
  },
  {
    id: 'FT-05',
    level: 'must',
    says: 'A feature adds the routes that it names, and only these. Each accepts the methods that it declares, and every POST needs the CSRF token. A route that the library or another feature has, a feature without a name, and an adapter without the operations that a feature needs are configuration errors.',
    source: 'TX-17; RFC 9110 §15.5.6; Note: Features',
    status: 'decided',
    why: 'Safety must not depend on the author of a feature.',
  },
  {
    id: 'FT-06',
    level: 'must',
    says: 'What a feature keeps in a record or in a cookie is sealed for its name: a record also for its user, and a cookie for its browser. No other record, cookie, user or browser can take its place.',
    source: 'CWE-345; Note: Features',
    status: 'decided',
    why: 'A copy of the database, or of a cookie, must not be worth more in another place.',
  },
  {
    id: 'FT-07',
    level: 'must',
    says: 'testFeature of authmachine/extend/testing rejects a feature with a state that no path reaches or leaves, a missing step or outcome, an event that no state handles, a fact that a path does not bring, a route whose page fails or whose POST needs no CSRF token, or a gate that fails. It names each fault.',
    source: 'MD-01; FT-05; Note: Features',
    status: 'decided',
    why: 'Authors of features get the tests that the flows of the library have.',
  },
] as const satisfies readonly Requirement[]
