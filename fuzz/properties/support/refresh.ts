import type { World } from '../../world/world.ts'

/** An application that stores access tokens. */
export const refreshSetup = { strategy: 'database', providers: ['alpha'] } as const

/** Ada signs in, and her access token expires. The provider issued this refresh token. */
export async function expire(world: World, refreshToken = 'the first token'): Promise<void> {
  world.idps.alpha.addToTokens({ refresh_token: refreshToken, expires_in: 60 })
  await world.browser('ada').signIn('alpha', world.people.ada)
  world.idps.alpha.addToTokens({})
  world.advance(61)
}

/** Requests the access token of Ada as the code of the application does. */
export async function getAccessToken({ operations, idOf, ...world }: World): Promise<string | undefined> {
  world.assume(operations?.getAccessToken !== undefined, 'the target cannot refresh tokens')
  return operations?.getAccessToken?.({ provider: idOf('alpha') ?? '', providerAccountId: 'ada-at-alpha' })
}

/** Returns the refresh tokens that the provider received. */
export function sentTokens({ idps }: World): (string | null)[] {
  return idps.alpha
    .requestsTo('token')
    .filter(({ parameters }) => parameters.get('grant_type') === 'refresh_token')
    .map(({ parameters }) => parameters.get('refresh_token'))
}
