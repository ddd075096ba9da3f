/** What browsers read. */
export const pages = ['session', 'csrf', 'providers', 'signin', 'signout', 'error', 'verify-request'] as const

/** What they post to. */
export const posts = [
  'signin/alpha',
  'signin/mail',
  'callback/form',
  'callback/alpha',
  'signout',
  'session',
] as const
