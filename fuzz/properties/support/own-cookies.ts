import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import { tours } from './tour.ts'

/** Check cookies, including separate ones per sign-in. */
export const checkCookie = /(?:^|[-.])(?:state|nonce|pkce\.code_verifier|challenge)(?:\.\w+)?$/

export const formPost = {
  providers: ['alpha', 'plain'],
  provider: {
    alpha: {
      authorization: { params: { scope: 'openid', response_mode: 'form_post' } },
      checks: ['pkce', 'state', 'nonce'],
    },
  },
} as const

export const big = {
  callbacks: {
    jwt: ({ token, user }: { token: object; user?: object }) =>
      user ? { ...token, padding: 'x'.repeat(9000) } : token,
  },
}

export const ways = fc.record({ way: tours, method: fc.constantFrom('alpha', 'plain') })

/** A cookie in the jar of a browser. */
export interface KeptCookie {
  readonly key: string
  readonly path?: string
  readonly maxAge?: number
  readonly expires?: string
}

/** Lists the cookies in the jar of a browser that have not expired, those of one name in several places, too. */
export function listKept(browser: Browser): readonly KeptCookie[] {
  return (browser.save() as { cookies: KeptCookie[] }).cookies.filter(lasts)
}

function lasts({ maxAge, expires }: KeptCookie): boolean {
  if (maxAge !== undefined) return maxAge > 0
  return expires === undefined || expires === 'Infinity' || Date.parse(expires) > Date.now()
}
