import { onceLoaded } from '../../async/once.ts'
import type { Settings } from '../../config/settings.ts'
import type { Feature } from '../../types/feature.ts'
import { findFault } from '../../types/symbols.ts'
import { backchannelLogoutFeature } from './options.ts'

const loadFlow = onceLoaded(() => import('./flow.ts'))

/** An OpenID provider ends the sessions that it opened. */
export function backchannelLogout(settings: Settings): Feature | undefined {
  const { name, isOn } = backchannelLogoutFeature
  if (!isOn(settings)) return undefined
  return {
    name,
    title: 'Sign-out at the provider',
    routes: {
      [name]: {
        methods: ['POST'],
        caller: 'server',
        flow: async () => (await loadFlow()).backchannelLogoutFlow,
      },
    },
    [findFault]: () => undefined,
  }
}
