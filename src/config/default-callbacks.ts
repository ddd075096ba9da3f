import type { CallbacksOptions } from '../types/config.ts'
import type { Profile, TokenSet, User } from '../types/records.ts'

/** Lets everybody in, shows name, email and image, and leaves the token as it is. */
export const defaultCallbacks: Omit<CallbacksOptions, 'redirect'> = {
  signIn: () => true,
  session: ({ session }) => ({
    user: { name: session.user?.name, email: session.user?.email, image: session.user?.image },
    expires: new Date(session.expires).toISOString(),
  }),
  jwt: ({ token }) => token,
}

/** The user of the standard claims (OpenID Connect Core section 5.1). */
export function defaultProfile(profile: Profile): User {
  return {
    id: (profile.sub ?? profile.id) || undefined,
    name: profile.name ?? profile.nickname ?? profile.preferred_username,
    email: profile.email,
    image: typeof profile.picture === 'string' ? profile.picture : undefined,
  }
}

/** The part of a token set that is stored with the account. */
export function defaultAccount(tokens: TokenSet): TokenSet {
  const { access_token, id_token, refresh_token, expires_at, scope, token_type, session_state } = tokens
  return { access_token, id_token, refresh_token, expires_at, scope, token_type, session_state }
}
