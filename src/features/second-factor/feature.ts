import { onceLoaded } from '../../async/once.ts'
import type { Settings } from '../../config/settings.ts'
import { siteOf } from '../../flows/engine/site-tools.ts'
import type { Feature } from '../../types/feature.ts'
import { findFault } from '../../types/symbols.ts'

const loadFlows = onceLoaded(() => import('./flow.ts'))
const loadPages = onceLoaded(() => import('./pages.ts'))
const loadSection = onceLoaded(() => import('./section.ts'))
const loadTexts = onceLoaded(() => import('./texts.ts'))

const methods = ['GET', 'POST'] as const

/** Returns the feature that asks users for a second factor, if its option is set. */
export function secondFactor({ optional, texts: replaced }: Settings): Feature | undefined {
  const { secondFactor: options } = optional
  if (!options) return undefined
  return {
    name: 'factor',
    title: 'Second factor',
    options,
    needsRecentSignIn: true,
    routes: {
      factor: { methods, flow: async () => (await loadFlows()).factorFlow },
      'factor-enrolment': { methods, flow: async () => (await loadFlows()).factorEnrolmentFlow },
    },
    account: async (user, kit, tools) => (await loadSection()).describeFactor(user, kit, siteOf(tools)),
    pages: async () => (await loadPages()).pages,
    texts: async () => (await loadTexts()).textsOf(replaced),
    // The record of the option checks its value.
    [findFault]: () => undefined,
  }
}
