import { whenReady } from '../../async/maybe-promise.ts'
import { onceLoaded } from '../../async/once.ts'
import type { Settings } from '../../config/settings.ts'
import type { Feature } from '../../types/feature.ts'
import { findFault } from '../../types/symbols.ts'

const loadFlows = onceLoaded(() => import('./flow.ts'))

/** Returns the feature that registers passkeys and signs their owners in, if a provider has passkeys. */
export function passkeys({ providers: configured }: Settings): Feature | undefined {
  const providers = [...configured.values()].flatMap(({ kind, id }) => (kind === 'webauthn' ? [id] : []))
  if (providers.length === 0) return undefined
  return {
    name: 'passkeys',
    title: 'Passkeys',
    routes: {
      'webauthn-options': {
        methods: ['GET'],
        providers,
        flow: () => whenReady(loadFlows(), ({ webauthnOptionsFlow }) => webauthnOptionsFlow),
      },
      callback: {
        methods: ['POST'],
        providers,
        flow: () => whenReady(loadFlows(), ({ webauthnFlow }) => webauthnFlow),
      },
    },
    // The check of a configuration checks the providers.
    [findFault]: () => undefined,
  }
}
