import fc from 'fast-check'
import { tours } from './tour.ts'

/** Check cookies, also where several sign-ins have cookies of their own. */
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
      user ? { ...token, ballast: 'x'.repeat(9000) } : token,
  },
}

export const ways = fc.record({ way: tours, door: fc.constantFrom('alpha', 'plain') })
