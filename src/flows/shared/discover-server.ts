import { InvalidEndpoints } from '../../errors.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { whenReady } from '../../maybe-promise.ts'
import { discoverServer as discover } from '../../oauth/discover-server.ts'
import { hasFailed } from '../../oauth/failure.ts'
import { version } from '../../version.ts'
import { step } from '../engine/step.ts'
import type { World } from '../engine/world.ts'
import { nameFailure, toAuthError, unavailability } from './provider-failure.ts'

/** The dependencies of requests to a provider. */
export function oauthContext({ platform }: World): OAuthContext {
  return { platform, version }
}

/** Finds the provider's endpoints in the configuration or by discovery. */
function discoverFor(need: 'authorization' | 'token' | 'jwks') {
  return step({
    needs: ['provider'],
    says: { 'server.discovered': ['server'], 'server.unusable': ['failure'], ...unavailability },
    run: ({ provider }, world) =>
      whenReady(discover(provider, need, oauthContext(world)), (found) =>
        hasFailed(found)
          ? {
              type: nameFailure(found, 'server.unusable'),
              failure: toAuthError(InvalidEndpoints, found, provider.id),
            }
          : { type: 'server.discovered', server: found.server },
      ),
  })
}

export const discoverAuthorizationServer = discoverFor('authorization')
export const discoverTokenServer = discoverFor('token')
export const discoverKeyServer = discoverFor('jwks')
