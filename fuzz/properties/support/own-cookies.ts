import fc from 'fast-check'
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
