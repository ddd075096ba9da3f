import type { Requirement } from './requirement.ts'

/** Back-channel logout: how a provider ends the sessions that were opened through it. */
export const backChannelLogout = [
  {
    id: 'BCL-01',
    level: 'must',
    says: 'POST /backchannel-logout reads logout_token from a form, needs neither a CSRF token nor a cookie, and sets none. It returns 200 if the sessions have ended, 400 with a JSON error for an invalid token, 503 if the sessions could not be ended or the keys not fetched, and 404 if no provider has backChannelLogout. No response may be cached, and none says why a token is invalid.',
    source: 'OIDC Back-Channel Logout §2.5, §2.8; docs/decisions/0036-a-logout-names-what-was-opened.md',
    status: 'decided',
    why: 'Providers call it, not browsers, and retry after an error of the server.',
    capability: 'back-channel-logout',
  },
  {
    id: 'BCL-02',
    level: 'must',
    says: 'A logout token ends sessions only if it is signed by the issuer of a provider with backChannelLogout, with an algorithm that is allowed for id_tokens; names this client in aud; has iat not in the future, exp in the future, jti, and the logout event in events; has no nonce; has sub or sid; and has the typ logout+jwt or JWT, if any.',
    source: 'OIDC Back-Channel Logout §2.4, §2.6; RFC 8725 §3.1, §3.11',
    status: 'decided',
    why: 'Otherwise anyone could end the sessions of others, for example with an id_token.',
    capability: 'back-channel-logout',
  },
  {
    id: 'BCL-03',
    level: 'must',
    says: 'A logout ends the sessions that were opened through the session sid at the provider and, if the token contains sub as well, the sessions of sub whose id_token had no sid. Without sid, it ends the sessions that were opened through any session of sub there. It ends no session of another user, and none that was opened through another provider or in another way. A session that replaces another one, because its user linked an account or added a passkey or an address, counts as opened like the earlier one. Each live database session that ends calls the event signOut. With database sessions, the token must contain sub.',
    source: 'OIDC Back-Channel Logout §2.7; OPT-044; docs/decisions/0036-a-logout-names-what-was-opened.md',
    status: 'decided',
    why: 'A user may be signed in on other devices, and through other providers.',
    capability: 'back-channel-logout',
  },
  {
    id: 'BCL-04',
    level: 'must',
    says: 'A logout ends no session that was opened with an id_token issued after the logout token, so that a replayed logout token ends nothing that started later.',
    source: 'OIDC Back-Channel Logout §2.6; docs/decisions/0036-a-logout-names-what-was-opened.md',
    status: 'decided',
    why: 'So a replayed token does no harm, and no store of used tokens is needed.',
    capability: 'back-channel-logout',
  },
  {
    id: 'BCL-05',
    level: 'must',
    says: 'With JWT sessions, a logout that arrives while the callback of the sign-in is running ends the session that the callback issues.',
    source: 'OIDC Back-Channel Logout §2.7; CC-03',
    status: 'decided',
    why: 'Otherwise, a user who has signed out would stay signed in.',
    capability: 'back-channel-logout',
  },
  {
    id: 'BCL-06',
    level: 'must',
    says: 'backChannelLogout is a configuration fault, whose message says what is missing, if the provider is not OpenID Connect with an issuer, if JWT sessions have no jwt.revocations, or if the adapter of database sessions lacks listSessionsByUserId.',
    source: 'CF-01; FI-04',
    status: 'decided',
    why: 'Otherwise, the provider would call a site that cannot end sessions.',
  },
] as const satisfies readonly Requirement[]
