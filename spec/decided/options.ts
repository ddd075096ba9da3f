import type { Requirement } from '../requirement.ts'

/** What an application may ask for beyond the interface specification; without it nothing changes. */
export const optionDecisions = [
  {
    id: 'OPT-001',
    level: 'must',
    says: 'Where the adapter has updateAccount, each sign-in of a linked account keeps its tokens there; one that the provider did not send again stays.',
    source: 'RFC 6749 5.1; issue 7, part 7',
    status: 'decided',
    why: 'Observed behaviour stores the tokens of the first sign-in alone, which are worth nothing when it is repeated.',
  },
  {
    id: 'OPT-002',
    level: 'must',
    says: 'updateAccount changes the given members of one account and, with a held refresh token, only while the account holds it; of many who replace one token, one succeeds.',
    source: 'RFC 9700 4.14.2; issue 7, part 7',
    status: 'decided',
    why: 'RO-06, RO-08: a rotated token is lost for good when two writers take each other for the first.',
  },
  {
    id: 'OPT-003',
    level: 'must',
    says: 'callbacks.rateLimit is asked before a link is mailed and before authorize is called; what is not true ends the attempt as RateLimited, status 429, with nothing mailed, stored or asked.',
    source: 'RFC 6585 4; ASVS 6.3.1; issue 7, part 7',
    status: 'decided',
    why: 'Only the application knows what it counts, and where its machines share it; only the flow knows when to ask.',
  },
  {
    id: 'OPT-004',
    level: 'must',
    says: 'Where callbacks.endSession names a provider, a sign-out ends the session here and leads on to that provider, with id_token_hint, client_id and the callback URL as post_logout_redirect_uri.',
    source: 'OpenID Connect RP-Initiated Logout 1.0, 2; issue 7, part 7',
    status: 'decided',
    why: 'Who signs out of a shared computer is else signed in again by one click.',
  },
  {
    id: 'OPT-005',
    level: 'must',
    says: 'Whatever goes wrong on the way to the provider, the session here is over and the sign-out leads to its callback URL.',
    source: 'SE-10; issue 7, part 7',
    status: 'decided',
    why: 'A provider that is down must not keep anybody signed in.',
  },
  {
    id: 'OPT-006',
    level: 'must',
    says: 'A session token that jwt.isRevoked says was taken back counts for nobody, in reading, renewing, linking and passkeys alike, and its cookie is cleared; what is no boolean, or a throw, lets nobody in and keeps the cookie.',
    source: 'SE-10, SE-14; issue 7, part 7',
    status: 'decided',
    why: 'The jwt callback can end a session where it is read, but not where somebody is recognised.',
  },
  {
    id: 'OPT-007',
    level: 'must',
    says: 'session.signInMaxAge chooses how long the session of one sign-in lives when idle, at most maxAge, in cookie, token, row and body alike and through every extension.',
    source: 'SE-06, SE-07; issue 7, part 7',
    status: 'decided',
    why: 'One lifetime for the own and the shared computer is wrong for one of them.',
  },
  {
    id: 'OPT-008',
    level: 'must',
    says: 'getAccessToken gives the access token of a linked account, refreshed when it has less than a minute left; it says whether the token is current, stale for now, or lapsed for good.',
    source: 'RFC 6749 6; RO-06, RO-07, RO-08; issue 7, part 7',
    status: 'decided',
    why: 'Refreshing in the jwt callback loses a rotated token whenever two requests come at once, or a cookie does not arrive.',
  },
] as const satisfies readonly Requirement[]
