import type { Description } from './description.ts'
import { libraries } from './libraries.ts'

/** Descriptions of common kinds of applications, to start from. `authjs` means that nothing needs to be described. */
export const presets = {
  authjs: undefined,
  // https://www.better-auth.com/docs/basic-usage, version 1.7
  'better-auth': {
    signIn: {
      method: 'POST',
      url: '/api/auth/sign-in/social',
      json: { provider: '{provider}', callbackURL: '{returnTo}' },
      redirect: 'url',
    },
    callback: '/api/auth/callback/{provider}',
    session: { url: '/api/auth/get-session', user: 'user.email' },
    signOut: { method: 'POST', url: '/api/auth/sign-out', json: {} },
    csrf: 'none',
    cookies: { session: 'better-auth.session_token' },
  },
  // https://www.passportjs.org/concepts/authentication/oauth/, with express-session
  passport: {
    signIn: { url: '/login/{provider}' },
    callback: '/oauth2/redirect/{provider}',
    session: { url: '/me', user: 'email' },
    signOut: { method: 'POST', url: '/logout' },
    csrf: 'none',
    cookies: { session: 'connect.sid' },
  },
  'generic-oidc': {
    signIn: { url: '/login' },
    callback: '/callback',
    session: { url: '/me', user: 'email' },
    signOut: { method: 'POST', url: '/logout' },
    csrf: 'none',
  },
  ...libraries,
} as const satisfies Readonly<Record<string, Description | undefined>>
