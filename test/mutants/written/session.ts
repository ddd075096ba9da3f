import { mutantsOf, type Mutant } from '../mutant.ts'

/** Bugs in session tokens, check cookies and lifetimes. */
export const mutants: readonly Mutant[] = [
  ...mutantsOf('src/session/stored.ts', [
    {
      id: 'session/inexact-id-of-a-user',
      in: 'isId',
      find: 'Number.isSafeInteger(id)',
      replace: "typeof id === 'number'",
      breaks: ['ADP-026'],
    },
    {
      id: 'faults/anything-is-a-user',
      in: 'readUser',
      find: 'isId(id)',
      replace: 'value',
      breaks: ['FI-03'],
    },
  ]),
  ...mutantsOf('src/config/warnings.ts', [
    {
      id: 'session/shared-secret-untold',
      in: 'isAnother',
      find: 'other.clients.get(id) !== client',
      replace: 'client === undefined',
      breaks: ['OPT-021'],
    },
    {
      id: 'seams/unreadable-cookie-said-once',
      in: 'isDue',
      find: 'if (now - at >= silence) warned.delete(name)',
      replace: 'if (now < at) warned.delete(name)',
      breaks: ['SEA-011', 'OPT-023'],
    },
  ]),
  ...mutantsOf('src/flows/oauth/check-cookies.ts', [
    {
      id: 'advisories/check-of-any-provider',
      in: 'checkCookie',
      find: "maxAge: checkMaxAge, boundTo: ['provider'],",
      replace: 'maxAge: checkMaxAge,\nboundTo: [],',
      breaks: ['TX-05', 'TX-07'],
    },
    {
      id: 'sign-in/checks-live-a-day',
      in: 'checkMaxAge',
      find: '= 900',
      replace: '= 86_400',
      breaks: ['TX-04', 'WIR-019'],
    },
    {
      id: 'sign-in/checks-not-cleared',
      in: 'clearChecks',
      find: 'map((cookie) => clearCookie(cookie))',
      replace: 'flatMap(() => [])',
      breaks: ['DEC-12a', 'TX-03'],
    },
    {
      id: 'sign-in/checks-lax-for-form-post',
      in: 'checkCookie',
      find: "responseMode === 'form_post' ? { name: cookie.name, options: forFormPost(cookie) } :",
      replace: 'responseMode && ',
      breaks: ['WIR-020', 'TX-15'],
    },
    {
      id: 'options/one-name-for-all-sign-ins',
      in: 'nameTransaction',
      find: 'slice(0, 16)',
      replace: 'slice(0, 0).padEnd(16, "0")',
      breaks: ['TX-16', 'OPT-009'],
    },
  ]),
  ...mutantsOf('src/session/lifetime.ts', [
    {
      id: 'session/no-absolute-end-of-tokens',
      in: 'tokenLifetime',
      find: ', maxAge, left)',
      replace: ', maxAge)',
      breaks: ['SE-08', 'OPT-060', 'SE-25'],
    },
  ]),
  ...mutantsOf('src/flows/shared/keep-tokens.ts', [
    {
      id: 'options/token-taken-for-a-claim',
      in: 'writeUnclaimed',
      find: 'claim.test(token)',
      replace: "token === ''",
      breaks: ['RO-09'],
    },
  ]),
  ...mutantsOf('src/session/session-token.ts', [
    {
      id: 'session/any-audience',
      in: 'checkClaims',
      find: "opened.claims['aud'] !== audience",
      replace: "typeof opened.claims['aud'] !== 'string'",
      breaks: ['OPT-020', 'JW-06'],
    },
    {
      id: 'handler/session-unsealed',
      in: 'sealSessionToken',
      find: 'keys.seal(named, { salt, maxAge, now })',
      replace: 'btoa(JSON.stringify(claims))',
      breaks: ['CFG-018'],
    },
    {
      id: 'session/any-answer-taken-for-claims',
      in: 'readAnswer',
      find: "typeof answer === 'object'",
      replace: 'answer !== undefined',
      breaks: ['CB-03', 'FI-08', 'DEC-23a'],
    },
    {
      id: 'session/shown-expiry-of-thirty-days',
      in: 'tokenExpiry',
      find: 'tokenLifetime(claims, settings, now)',
      replace: '2_592_000',
      breaks: ['SE-25', 'DEC-24c', 'LIM-003', 'SE-07'],
    },
    {
      id: 'session/token-of-thirty-days',
      in: 'sealSessionToken',
      find: 'maxAge, now',
      replace: 'maxAge: 2_592_000, now',
      breaks: ['LIM-003', 'SE-05', 'DEC-24b'],
    },
  ]),
  ...mutantsOf('src/session/row-id.ts', [
    {
      id: 'session/notes-in-another-order',
      in: 'nameRow',
      find: "maxAge === undefined ? '' : `.max${maxAge}`, since === undefined ? '' : `.at${since}`,",
      replace: "since === undefined ? '' : `.at${since}`,\nmaxAge === undefined ? '' : `.max${maxAge}`,",
      breaks: ['SE-38'],
    },
  ]),
]
