import type { RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'

/** A refresh token that a case adds to the responses of a provider. */
export const refreshToken = 'a-refresh-token-of-nobody-4711'

/** Returns the secrets of the sign-ins at a provider so far, with what each of them is. */
export function readSecrets({ idps }: World, provider: RemoteName): readonly (readonly [string, string])[] {
  const { issued, requestsTo } = idps[provider]
  const requests = requestsTo('token')
  const secrets = [
    ['a refresh token', refreshToken],
    ['a client secret', `secret-at-${provider}-0123456789`],
    ...issued.map((token) => ['an access token or an id_token', token] as const),
    ...requests.map(({ parameters }) => ['a code verifier', parameters.get('code_verifier') ?? ''] as const),
  ] as const
  return secrets.filter(([, secret]) => secret.length > 7)
}
