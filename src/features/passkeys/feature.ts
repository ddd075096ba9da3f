import { whenReady } from '../../async/maybe-promise.ts'
import { onceLoaded } from '../../async/once.ts'
import type { Settings } from '../../config/settings.ts'
import type { LibraryFeature } from '../../pages/library-feature.ts'
import { findFault } from '../../types/symbols.ts'

const loadFlows = onceLoaded(() => import('./flow.ts'))
const loadForm = onceLoaded(() => import('./sign-in-form.ts'))
const loadTexts = onceLoaded(() => import('./texts.ts'))

/** Returns the feature that registers passkeys and signs their owners in, if a provider has passkeys. */
export function passkeys({ providers: configured, texts: replaced }: Settings): LibraryFeature | undefined {
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
    describeForm: async (provider, kit) =>
      provider.kind === 'webauthn' ? (await loadForm()).describeForm(provider, kit) : undefined,
    texts: async () => (await loadTexts()).textsOf(replaced),
    // The check of a configuration checks the providers.
    [findFault]: () => undefined,
  }
}
