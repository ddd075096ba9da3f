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
