import type { CallbacksOptions } from '../types/callbacks.ts'
import type { Profile, TokenSet, User } from '../types/records.ts'

/** Allows every sign-in, exposes name, email and image, and leaves the token unchanged. */
export const defaultCallbacks: Omit<CallbacksOptions, 'redirect'> = {
  signIn: () => true,
  session({ session: { user, expires, amr, auth_time } }) {
    const shown = {
      user: { name: user?.name, email: user?.email, image: user?.image },
      expires: typeof expires === 'string' ? expires : new Date(expires).toISOString(),
    }
    return auth_time === undefined ? shown : { ...shown, amr, auth_time }
  },
  jwt: ({ token }) => token,
}

/** Maps the standard claims to a user (OpenID Connect Core section 5.1). */
export function defaultProfile(profile: Profile): User {
  const names = [profile.name, profile.nickname, profile.preferred_username]
  return {
    id: (profile.sub ?? profile.id) || undefined,
    name: names.find((name) => typeof name === 'string'),
    email: profile.email,
    image: typeof profile.picture === 'string' ? profile.picture : undefined,
  }
}

/** Returns the part of a token set that is stored with the account. */
export function defaultAccount(tokens: TokenSet): TokenSet {
  const { access_token, id_token, refresh_token, expires_at, scope, token_type, session_state } = tokens
  return { access_token, id_token, refresh_token, expires_at, scope, token_type, session_state }
}
