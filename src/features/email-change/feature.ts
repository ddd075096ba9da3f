import { onceLoaded } from '../../async/once.ts'
import type { Settings } from '../../config/settings.ts'
import type { Feature } from '../../types/feature.ts'
import { findFault } from '../../types/symbols.ts'

const loadFlows = onceLoaded(() => import('./flow.ts'))
const loadPages = onceLoaded(() => import('./pages.ts'))
const loadTexts = onceLoaded(() => import('./texts.ts'))

const methods = ['GET', 'POST'] as const

/** Returns the feature with which signed-in users change their e-mail address, if its option is set. */
export function emailChange({ optional, texts: replaced }: Settings): Feature | undefined {
  const { emailChange: options } = optional
  if (!options) return undefined
  return {
    name: 'email-change',
    title: 'Change of the e-mail address',
    options,
    needsRecentSignIn: true,
    routes: {
      'email-change': { methods, flow: async () => (await loadFlows()).emailChangeFlow },
      'email-change-confirm': { methods, flow: async () => (await loadFlows()).emailChangeConfirmFlow },
    },
    pages: async () => (await loadPages()).pages,
    account: (_, { t, form }) => ({
      heading: t('emailAddress'),
      parts: [
        form({
          fields: [{ name: 'email', label: t('newEmailAddress'), type: 'email', autocomplete: 'email' }],
          button: t('changeEmail'),
        }),
      ],
    }),
    texts: async () => (await loadTexts()).textsOf(replaced),
    // The record of the option checks its value.
    [findFault]: () => undefined,
  }
}
