import type { AuthConfig } from '../../../src/index.ts'

/** Signs users out at the provider, too. */
export const callbacks: AuthConfig['callbacks'] = {
  jwt: ({ token, account }) =>
    account ? { ...token, provider: account.provider, idToken: account.id_token } : token,
  endSession: (ended) =>
    'token' in ended
      ? { provider: String(ended.token['provider']), idToken: String(ended.token['idToken']) }
      : null,
}
