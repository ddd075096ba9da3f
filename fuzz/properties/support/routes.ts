/** Routes that browsers read. */
export const pages = ['session', 'csrf', 'providers', 'signin', 'signout', 'error', 'verify-request'] as const

/** Routes that browsers post to. */
export const posts = [
  'signin/alpha',
  'signin/mail',
  'callback/form',
  'callback/alpha',
  'signout',
  'session',
] as const
