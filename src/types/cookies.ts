/** Attributes of a cookie (RFC 6265 section 4.1). */
export interface CookieSerializeOptions {
  /** @default encodeURIComponent */
  encode?: (value: string) => string
  /** Whole seconds. */
  maxAge?: number
  /** When the browser deletes the cookie. */
  expires?: Date
  /** The domain, whose subdomains also get the cookie. @default only the host that set it */
  domain?: string
  /** The path below which the browser sends the cookie. */
  path?: string
  /** Hides the cookie from scripts. */
  httpOnly?: boolean
  /** Sends the cookie over https only. */
  secure?: boolean
  /** Makes the browser keep a separate cookie for each embedding site (CHIPS). */
  partitioned?: boolean
  /** Which cookies the browser evicts first. */
  priority?: 'low' | 'medium' | 'high'
  /** Whether requests from other sites contain the cookie. */
  sameSite?: boolean | 'lax' | 'strict' | 'none'
}

/** The name and attributes of a cookie. */
export interface CookieOption {
  /** The name of the cookie, with its prefix. */
  name: string
  /** The attributes of the cookie. */
  options: CookieSerializeOptions
}

/** The cookies of the library, by purpose. */
export interface CookiesOptions {
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
  /** The challenge of a passkey ceremony in progress. */
  webauthnChallenge: Partial<CookieOption>
  /** The links that this browser requested. */
  requestedLinks: Partial<CookieOption>
  /** The code that this browser requested. */
  requestedCode: Partial<CookieOption>
  /** A sign-in that waits for the second factor or for the gate of a feature. */
  pendingSignIn: Partial<CookieOption>
  /** Proof that this browser may skip the second factor. */
  rememberedDevice: Partial<CookieOption>
  /** The name that the user submitted in a refused sign-in. */
  refusedName: Partial<CookieOption>
  /** The cookies of features: the name is followed by a dot and the name of each. */
  feature: Partial<CookieOption>
}
