import { onceLoaded } from '../../async/once.ts'
import type { Settings } from '../../config/settings.ts'
import type { LibraryFeature } from '../../pages/library-feature.ts'
import { findFault } from '../../types/symbols.ts'

const loadFlows = onceLoaded(() => import('./flow.ts'))
const loadPages = onceLoaded(() => import('./pages.ts'))
const loadTexts = onceLoaded(() => import('./texts.ts'))

/** Returns the feature with which users set, reset and change their password, if a provider has passwords. */
export function passwords({ providers: configured, texts: replaced }: Settings): LibraryFeature | undefined {
  const providers = [...configured.values()].flatMap(({ kind, id }) => (kind === 'password' ? [id] : []))
  if (providers.length === 0) return undefined
  const route = { methods: ['GET', 'POST'], providers } as const
  return {
    name: 'password',
    title: 'Passwords',
    routes: {
      password: { ...route, flow: async () => (await loadFlows()).passwordRequestFlow },
      'password-reset': { ...route, flow: async () => (await loadFlows()).passwordResetFlow },
      'password-change': { ...route, flow: async () => (await loadFlows()).passwordChangeFlow },
    },
    pages: async () => (await loadPages()).pages,
    describeForm: ({ kind, id }, { t, link }) =>
      kind === 'password' ? { links: [link(`password/${id}`, t('setPassword'))] } : undefined,
    async account({ id, email }, { t, link }, { store }) {
      const isSet = Boolean(await store.getPassword(id))
      // A user without a password sets the first one by a mailed link, which needs an address.
      if (!isSet && !email) return undefined
      const [action, text] = isSet
        ? (['password-change', 'changeYourPassword'] as const)
        : (['password', 'setPassword'] as const)
      return { heading: t('password'), parts: providers.map((each) => link(`${action}/${each}`, t(text))) }
    },
    texts: async () => (await loadTexts()).textsOf(replaced),
    // The check of a configuration checks the providers.
    [findFault]: () => undefined,
  }
}
