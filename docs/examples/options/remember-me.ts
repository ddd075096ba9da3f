import type { AuthConfig } from '../../../src/index.ts'

/** A page sets the cookie when its box is ticked, before it starts a sign-in of whatever kind. */
export const session: AuthConfig['session'] = {
  maxAge: 90 * 24 * 60 * 60,
  signInMaxAge: ({ request }) =>
    /(^|; )remember=yes(;|$)/.test(request.headers.get('cookie') ?? '') ? undefined : 8 * 60 * 60,
}
