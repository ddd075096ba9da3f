/** Why an ending here is not that of `@auth/core`, by group and title; the requirement that says so comes first. */
export const differences: Readonly<Record<string, string>> = {
  'Configuration: provider factory throws':
    'DEC-33a: a fault of the configuration is reported, not thrown at the framework',
  'Configuration: two providers with one id': 'DEC-33b: one of the two would never be used',
  'Configuration: credentials alone with database sessions':
    'DEC-18a: it works for users that the adapter knows',
  'Configuration: adapter without `getUserByAccount`': 'DEC-33c: every sign-in would fail',
  'Configuration: `callbacks.signIn` is no function':
    'DEC-33a: an access rule that cannot be called is not ignored',
  'Configuration: `callbackUrl` in the query is no URL':
    'DEC-31e: it counts as absent; 5xx is not for requests',
  'Configuration: `callbackUrl` in the form is no URL':
    'DEC-31e: it counts as absent; 5xx is not for requests',
  'Configuration: `AUTH_URL` is no URL':
    'DEC-40a: it is refused, and not replaced by the host of the request',
  'Configuration: `callbackUrl` cookie is no URL': 'DEC-31e: it counts as absent; 5xx is not for requests',
  'Configuration: no secret, and `pages.error` is the built-in page':
    'DEC-33a: the other library redirects for ever',
  'Sign-in at a provider: unknown provider': 'DEC-31c: without raw mode, a page that does not exist',
  'Sign-in at a provider: GET': 'DEC-31a: method not allowed',
  'Sign-in at a provider: unknown action': 'DEC-31c: a page that does not exist',
  'Sign-in at a provider: method PUT': 'DEC-31a: method not allowed',
  'Sign-in at a provider: `redirect` callback throws': 'RD-06: the sign-in goes on and leads to the base URL',
  'Sign-in by e-mail: no address': 'SEA-002: the visitor can correct it, on the sign-in page',
  'Sign-in by e-mail: invalid address': 'SEA-002: the visitor can correct it, on the sign-in page',
  'Sign-in by e-mail: `normalizeIdentifier` throws':
    'SEA-002: the visitor can correct it, on the sign-in page',
  'Sign-in by e-mail: sender rejects': 'SEA-002: the visitor can try again, on the sign-in page',
  'Sign-in by e-mail: sender throws': 'SEA-002: the visitor can try again, on the sign-in page',
  'Sign-in with credentials: user without an id, with an adapter':
    'SEA-006: nothing in the store would belong to that user',
  'Sign-in with credentials: `jwt` callback returns null': 'DEC-21a: it refuses the sign-in',
  'Sign-in with credentials: `rateLimit` returns false (authmachine only)':
    'OPT-003: the other library has no such option',
  'Sign-in with credentials: GET': 'DEC-31a: method not allowed',
  'Callback of a provider: no code': 'WIR-036: the browser has to start again',
  'Callback of a provider: other state': 'WIR-036: the browser has to start again',
  'Callback of a provider: no check cookies': 'WIR-036: the browser has to start again',
  'Callback of a provider: check cookies that do not open': 'WIR-036: the browser has to start again',
  'Callback of a provider: unknown provider': 'DEC-31c: without raw mode, a page that does not exist',
  'Callback of a provider: no provider': 'DEC-31c: a page that does not exist',
  'Callback of a provider: `profile` throws':
    'FI-01: the other library sends the browser back to the same callback',
  'Callback of a provider: `profile` returns no id':
    'DEC-13a: a random id would make a new person at every sign-in',
  'Callback of a provider: `jwt` callback returns null': 'DEC-21a: it refuses the sign-in',
  'Callback of a provider: store: `linkAccount` throws':
    'DEC-20a: what was stored meanwhile decides; nothing was',
  'Link from a mail: no token': 'EM-08: a link that does not work is the visitor’s, not the server’s',
  'Link from a mail: other token': 'TX-21: a link that this browser did not request is confirmed first',
  'Passkeys: no action': 'DEC-31f: nothing is wrong with the server',
  'Passkeys: no challenge': 'WIR-036: the browser has to start again',
  'Passkeys: unknown passkey': 'DEC-31f: nothing is wrong with the server',
  'Passkeys: the address belongs to another user by now':
    'DEC-39a: an unproven address identifies nobody and blocks nobody',
  'Session and sign-out: `jwt` callback throws': 'DEC-23a: a fault is told apart from being signed out',
  'Session and sign-out: `session` callback throws': 'DEC-23a: a fault is told apart from being signed out',
  'Session and sign-out: store: `getSessionAndUser` throws':
    'DEC-23a: a fault is told apart from being signed out',
  'Session and sign-out: store: `updateSession` throws':
    'DEC-23a: a fault is told apart from being signed out',
  'Session and sign-out: sign-out, store: `deleteSession` throws': 'DEC-22: the session is still alive',
  'Redirect proxy: the URL of the proxy is no URL': 'DEC-33a: found when the configuration is checked',
  'Redirect proxy: a provider with `checks: ["none"]`': 'DEC-06c: the way back travels in the state',
  'Redirect proxy: at the proxy: state that does not open': 'SEA-003: anybody can send such a state',
  'Redirect proxy: at the proxy: no state': 'SEA-003: anybody can send such a request',
  'Redirect proxy: at the proxy: state sealed with another secret':
    'SEA-003: the proxy cannot tell it from a forged state',
  'Redirect proxy: back on the preview: no check cookies': 'WIR-036: the browser has to start again',
}
