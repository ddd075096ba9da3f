import { createHandler } from '../../src/handler/create-handler.ts'
import type { Flows } from '../../src/handler/find-flow.ts'
import { flows } from '../../src/handler/flows.ts'
import type { AuthConfig } from '../../src/types.ts'
import { decode, encode, getToken } from '../../src/jwt.ts'
import Apple from '../../src/providers/apple.ts'
import GitHub from '../../src/providers/github.ts'
import Google from '../../src/providers/google.ts'
import MicrosoftEntraID from '../../src/providers/microsoft-entra-id.ts'
import Passkey from '../../src/providers/passkey.ts'
import { nameHop } from '../../machines/hop.ts'
import type { LibraryTarget, TokenFunctions } from './target.ts'

/** This library, on these flows. */
export function openOurs(driven: Flows): LibraryTarget {
  let hops: Record<string, number> = {}
  const answer = createHandler(
    (name) => driven[name],
    (taken) => {
      const hop = nameHop(taken)
      hops[hop] = (hops[hop] ?? 0) + 1
    },
  )
  return {
    name: 'ours',
    capabilities: ['canonical-url', 'confirm-page', 'header-limits', 'parallel-tabs', 'token-limit'],
    open: (config) => async (request) => (await answer(request, config as unknown as AuthConfig)) as Response,
    passkey: (options) => Passkey(options),
    presets: {
      apple: (options) => Apple(options),
      github: (options) => GitHub(options),
      google: (options) => Google(options),
      'microsoft-entra-id': (options) => MicrosoftEntraID(options),
      'microsoft-entra-id of some tenants': (options) => MicrosoftEntraID(options),
    },
    tokens: { encode, decode, getToken } as unknown as TokenFunctions,
    takeHops() {
      const taken = hops
      hops = {}
      return taken
    },
  }
}

export default openOurs(flows)
