/**
 * Why an outcome differs from that of `@auth/core`, by group and title. Starts with the requirement that demands it.
 */
export const differences: Readonly<Record<string, string>> = {
  'Configuration: provider factory throws':
    'CF-01: an invalid configuration is refused with a named error, and not thrown at the framework',
  'Configuration: provider without a client id': 'OPT-031: every sign-in would fail at the provider',
  'Configuration: two providers with one id': 'DEC-33b: one of the two would never be used',
  'Configuration: database sessions with a credentials provider only':
    'DEC-18a: credentials work for users that the adapter knows',
  'Configuration: adapter with `getUserByAccount: undefined`': 'DEC-33c: every sign-in would fail',
  'Configuration: `callbacks.signIn` is not a function':
    'CF-01: the library rejects an access rule that it cannot call, instead of ignoring it',
  'Configuration: `callbackUrl` in the query is not a URL':
    'DEC-31e: an invalid URL counts as absent; requests never cause a server error',
  'Configuration: `callbackUrl` in the form is not a URL':
    'DEC-31e: an invalid URL counts as absent; requests never cause a server error',
  'Configuration: `AUTH_URL` is not a URL':
    'DEC-40a: the library rejects it, instead of using the host of the request',
  'Configuration: `callbackUrl` cookie is not a URL':
    'DEC-31e: an invalid URL counts as absent; requests never cause a server error',
  'Configuration: no secret, and `pages.error` is the built-in page':
    'WIR-005: an error page never redirects to itself; Auth.js redirects endlessly',
  'Sign-in at a provider: unknown provider': 'DEC-31c: without raw mode, the page does not exist',
  'Sign-in at a provider: GET': 'DEC-31a: method not allowed',
  'Sign-in at a provider: unknown action': 'DEC-31c: the page does not exist',
  'Sign-in at a provider: method PUT': 'DEC-31a: method not allowed',
  'Sign-in at a provider: `redirect` callback throws':
    'RD-06: the sign-in continues, and redirects to the base URL',
  'Sign-in by e-mail: no address': 'SEA-002: visitors can correct it on the sign-in page',
  'Sign-in by e-mail: invalid address': 'SEA-002: visitors can correct it on the sign-in page',
  'Sign-in by e-mail: `normalizeIdentifier` throws': 'SEA-002: visitors can correct it on the sign-in page',
  'Sign-in by e-mail: sender rejects': 'SEA-002: visitors can try again on the sign-in page',
  'Sign-in by e-mail: sender throws': 'SEA-002: visitors can try again on the sign-in page',
  'Sign-in with credentials: user without an id, with an adapter':
    'SEA-006: no row in the store would belong to that user',
  'Sign-in with credentials: `jwt` callback returns null': 'DEC-21a: null rejects the sign-in',
  'Sign-in with credentials: `rateLimit` returns false (authmachine only)':
    'OPT-003: Auth.js has no such option',
  'Sign-in with credentials: GET': 'DEC-31a: method not allowed',
  'Callback of a provider: provider returns `access_denied`':
    'PAG-05: the page says that the sign-in was cancelled, without calling it an error',
  'Callback of a provider: no code': 'WIR-036: the browser has to start again',
  'Callback of a provider: wrong state': 'WIR-036: the browser has to start again',
  'Callback of a provider: no check cookies': 'WIR-036: the browser has to start again',
  'Callback of a provider: unreadable check cookies': 'WIR-036: the browser has to start again',
  'Callback of a provider: unknown provider': 'DEC-31c: without raw mode, the page does not exist',
  'Callback of a provider: no provider': 'DEC-31c: the page does not exist',
  'Callback of a provider: `profile` throws':
    'FI-07: the library reports an error; Auth.js redirects the browser to the same callback again',
  'Callback of a provider: `profile` returns no id':
    'DEC-13a: a random id would create a new user at every sign-in',
  'Callback of a provider: `jwt` callback returns null': 'DEC-21a: null rejects the sign-in',
  'Callback of a provider: store: `linkAccount` throws':
    'DEC-20b: the library removes the new user again; Auth.js keeps the user, and rejects the next attempt',
  'E-mail link: no token': 'DEC-31f: the link is invalid, which is not a server error',
  'E-mail link: wrong token': 'DEC-28d: the user first confirms a link that this browser did not request',
  'Passkeys: no action': 'DEC-31f: the request is invalid, which is not a server error',
  'Passkeys: no challenge': 'WIR-036: the browser has to start again',
  'Passkeys: unknown passkey': 'DEC-31f: the passkey is unknown, which is not a server error',
  'Passkeys: the address belongs to another user in the meantime':
    'DEC-39a: an unverified address neither identifies nor blocks a user',
  'Session and sign-out: `jwt` callback throws':
    'DEC-23a: a server error is not the same as being signed out',
  'Session and sign-out: `session` callback throws':
    'DEC-23a: a server error is not the same as being signed out',
  'Session and sign-out: store: `getSessionAndUser` throws':
    'DEC-23a: a server error is not the same as being signed out',
  'Session and sign-out: store: `updateSession` throws':
    'DEC-23a: a server error is not the same as being signed out',
  'Session and sign-out: sign-out, store: `deleteSession` throws': 'DEC-22: the session still exists',
  'Redirect proxy: the URL of the proxy is not a URL':
    'CF-01: the library reports an invalid configuration as a named error',
  'Redirect proxy: a provider with `checks: ["none"]`':
    'DEC-06c: the return address is in the state, which `none` switches off',
  'Redirect proxy: at the proxy: unreadable state': 'SEA-003: anybody can send such a state',
  'Redirect proxy: at the proxy: no state': 'SEA-003: anybody can send such a request',
  'Redirect proxy: at the proxy: state sealed with another secret':
    'SEA-003: the proxy cannot distinguish it from a forged state',
  'Redirect proxy: back on the preview: no check cookies': 'WIR-036: the browser has to start again',
}
