import { onceLoaded } from '../../async/once.ts'
import type { Settings } from '../../config/settings.ts'
import type { Feature } from '../../types/feature.ts'
import { findFault } from '../../types/symbols.ts'
import { mailsCodes } from './options.ts'

const loadFlows = onceLoaded(() => import('./flow.ts'))
const loadPages = onceLoaded(() => import('./pages.ts'))
const loadTexts = onceLoaded(() => import('./texts.ts'))

/** Returns the feature that signs users in with a code in a mail, if a provider mails codes. */
export function mailCodes({ providers: configured, texts: replaced }: Settings): Feature | undefined {
  const providers = [...configured.values()].filter(mailsCodes).map(({ id }) => id)
  if (providers.length === 0) return undefined
  const guess = async () => (await loadFlows()).mailCodeGuessFlow
  return {
    name: 'mail-codes',
    title: 'Codes by mail',
    routes: {
      signin: { methods: ['POST'], providers, flow: async () => (await loadFlows()).mailCodeRequestFlow },
      'verify-request': { methods: ['GET'], flow: guess },
      callback: { methods: ['GET', 'POST'], providers, flow: guess },
    },
    pages: async () => (await loadPages()).pages,
    texts: async () => (await loadTexts()).textsOf(replaced),
    // The check of a configuration checks the providers.
    [findFault]: () => undefined,
  }
}
