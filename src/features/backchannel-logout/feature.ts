import { onceLoaded } from '../../async/once.ts'
import type { Settings } from '../../config/settings.ts'
import type { Feature } from '../../types/feature.ts'
import { findFault } from '../../types/symbols.ts'

const loadFlow = onceLoaded(() => import('./flow.ts'))

/** Returns the feature with which OpenID providers end the sessions that they opened, if a provider may. */
export function backchannelLogout({ providers }: Settings): Feature | undefined {
  if (![...providers.values()].some((each) => each.kind === 'oauth' && each.endsSessions)) return undefined
  return {
    name: 'backchannel-logout',
    title: 'Sign-out at the provider',
    routes: {
      'backchannel-logout': {
        methods: ['POST'],
        caller: 'server',
        flow: async () => (await loadFlow()).backchannelLogoutFlow,
      },
    },
    // The check of a configuration calls `checkLogouts`, also if the feature is off.
    [findFault]: () => undefined,
  }
}
