import type { AuthConfig } from '../../../src/index.ts'

/** Your page sets the cookie when the user ticks the box, before it starts the sign-in. */
export const session: AuthConfig['session'] = {
  maxAge: 90 * 24 * 60 * 60,
  signInMaxAge: ({ request }) =>
    /(^|; )remember=yes(;|$)/.test(request.headers.get('cookie') ?? '') ? undefined : 8 * 60 * 60,
}
