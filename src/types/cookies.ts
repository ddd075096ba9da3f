import type { OptionalCookies } from '../features/types.ts'
import type { CookieOption } from './cookie.ts'

export type { CookieOption, CookieSerializeOptions } from './cookie.ts'

/** The cookies of the library, by purpose. */
export interface CookiesOptions extends OptionalCookies {
  /** The session: a token, or the key of its row. */
  sessionToken: Partial<CookieOption>
  /** Where to go after the sign-in. */
  callbackUrl: Partial<CookieOption>
  /** The CSRF token and its hash. */
  csrfToken: Partial<CookieOption>
  /** The PKCE verifier of a sign-in in progress. */
  pkceCodeVerifier: Partial<CookieOption>
  /** The `state` of a sign-in in progress. */
  state: Partial<CookieOption>
  /** The `nonce` of a sign-in in progress. */
  nonce: Partial<CookieOption>
  /** The links that this browser requested. */
  requestedLinks: Partial<CookieOption>
  /** A sign-in that waits for the second factor or for the gate of a feature. */
  pendingSignIn: Partial<CookieOption>
  /** The name that the user submitted in a refused sign-in. */
  refusedName: Partial<CookieOption>
  /** The cookies of features: the name is followed by a dot and the name of each. */
  feature: Partial<CookieOption>
}
