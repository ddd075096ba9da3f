import { InvalidEndpoints } from '../../errors/classes.ts'
import type { OAuthSettings } from '../../config/settings.ts'
import { selectClientAuth } from '../../oauth/client.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { discoverServer } from '../../oauth/discover-server.ts'
import { hasFailed } from '../../oauth/failure.ts'
import { version } from '../../platform/version.ts'
import { step } from '../engine/step.ts'
import type { World } from '../engine/world.ts'
import { reportFailure, unavailability } from './provider-failure.ts'

/** The dependencies of requests to a provider. */
export function oauthContext({ platform }: World): OAuthContext {
  return { platform, version }
}

/** Finds the provider's endpoints in the configuration or by discovery. */
function discoverFor(need: 'authorization' | 'token' | 'jwks') {
  return step({
    needs: ['provider'],
    says: { 'server.discovered': ['server'], 'server.unusable': ['failure'], ...unavailability },
    async run({ provider }, world) {
      const discovered = await discoverServer(provider, need, oauthContext(world))
      const found = checkClient(provider, need, discovered)
      return hasFailed(found)
        ? reportFailure('server.unusable', InvalidEndpoints, found, provider.id)
        : { type: 'server.discovered', server: found.server }
    },
  })
}

/** Before the user is sent to the provider, checks that the client can authenticate there when the user returns. */
function checkClient(provider: OAuthSettings, need: string, found: Discovered): Discovered {
  if (need !== 'authorization' || hasFailed(found) || provider.token.request) return found
  const selected = selectClientAuth(provider, found.server)
  return hasFailed(selected) ? selected : found
}

type Discovered = Awaited<ReturnType<typeof discoverServer>>

export const discoverAuthorizationServer = discoverFor('authorization')
export const discoverTokenServer = discoverFor('token')
export const discoverKeyServer = discoverFor('jwks')
