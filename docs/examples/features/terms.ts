import {
  checkingCsrf,
  defineFeature,
  faulted,
  featureChart,
  final,
  lapsed,
  openingHeldSignIn,
  refused,
  toolbox,
  userRecord,
  working,
} from 'authmachine/extend'

export interface TermsOptions {
  /** A new version is asked for again. */
  readonly version: string
  /** The page with the text. */
  readonly url: string
}

/** The version that a user has accepted. */
const accepted = userRecord<string>('terms')

const { step, outcome, flow } = toolbox<object, TermsOptions>()

const termsFlow = flow({
  chart: featureChart({
    id: 'terms',
    description: 'Ask whether the user accepts the terms, and continue the sign-in',
    initial: 'checkingCsrf',
    states: {
      checkingCsrf: checkingCsrf('openingHeldSignIn'),
      openingHeldSignIn: openingHeldSignIn('readingAnswer'),
      readingAnswer: working('Read whether the user accepts', 'readAnswer', {
        'terms.accepted': 'accepted',
        'terms.unanswered': 'asking',
      }),
      accepted: final('The sign-in continues', 'success'),
      asking: final('A page asks', 'success'),
      lapsed,
      refused,
      faulted,
    },
  }),
  steps: {
    readAnswer: step({
      says: { 'terms.accepted': [], 'terms.unanswered': [] },
      run: (_, { request }) => ({
        type: request.body['accept'] === 'yes' ? 'terms.accepted' : 'terms.unanswered',
      }),
    }),
  },
  outcomes: {
    accepted: outcome({ answer: (_, tools) => tools.pass(tools.options.version) }),
    asking: outcome({ answer: (_, tools) => tools.show('terms', tools.options.url) }),
  },
})

/** Nobody signs in without having accepted the current version of the terms. */
export const terms = (options: TermsOptions) =>
  defineFeature({
    name: 'terms',
    title: 'Terms of service',
    options,
    needs: ['getRecord', 'setRecord'],
    check: ({ version }) => (version.trim() === '' ? '`version` must not be empty' : undefined),
    routes: { terms: { methods: ['GET', 'POST'], flow: () => termsFlow } },
    gate: {
      description: 'Check that the user has accepted the terms',
      async check({ userId }, tools) {
        const stored = userId === undefined ? undefined : await accepted.read(userId, tools)
        return stored?.value === tools.options.version ? 'pass' : 'hold'
      },
      async settle(userId, version, tools) {
        await accepted.update(userId, () => String(version), tools)
      },
    },
    async account({ id }, kit, tools) {
      const stored = await accepted.read(id, tools)
      if (!stored) return undefined
      const { url } = tools.options
      const parts = [kit.text(kit.t('version'), { version: stored.value }), kit.link(url, kit.t('read'))]
      return { heading: kit.t('heading'), parts }
    },
    pages: {
      terms: (url, kit) => ({
        heading: kit.t('heading'),
        parts: [
          kit.text(kit.t('question')),
          kit.link(String(url), kit.t('read')),
          kit.form({ button: kit.t('accept'), sends: { name: 'accept', value: 'yes' } }),
        ],
      }),
    },
    texts: {
      en: {
        heading: 'Terms of service',
        question: 'To use this site, accept its terms of service.',
        read: 'Read the terms',
        accept: 'Accept and continue',
        version: 'You have accepted version {version}.',
      },
      de: {
        heading: 'Nutzungsbedingungen',
        question: 'Um diese Website zu nutzen, akzeptieren Sie ihre Bedingungen.',
        read: 'Bedingungen lesen',
        accept: 'Akzeptieren und weiter',
        version: 'Sie haben Version {version} akzeptiert.',
      },
    },
  })
