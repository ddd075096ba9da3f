import { onceLoaded } from '../../async/once.ts'
import type { Settings } from '../../config/settings.ts'
import type { Feature } from '../../types/feature.ts'
import { findFault } from '../../types/symbols.ts'

const loadFlow = onceLoaded(() => import('./flow.ts'))
const loadPages = onceLoaded(() => import('./pages.ts'))
const loadTexts = onceLoaded(() => import('./texts.ts'))

/** Returns the feature with which signed-in users manage their account, if its option is set. */
export function accountPage({ optional, texts: replaced }: Settings): Feature | undefined {
  if (optional.accountPage !== true) return undefined
  return {
    name: 'account',
    title: 'Account page',
    needsRecentSignIn: true,
    routes: { account: { methods: ['GET', 'POST'], flow: async () => (await loadFlow()).accountFlow } },
    pages: async () => (await loadPages()).pages,
    texts: async () => (await loadTexts()).textsOf(replaced),
    // The record of the option checks its value.
    [findFault]: () => undefined,
  }
}
