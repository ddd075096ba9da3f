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
} from 'authmachine/extend'

const { outcome, flow } = toolbox<object, undefined>()

const noticeFlow = flow({
  chart: featureChart({
    id: 'notice',
    description: 'Show a notice, and continue the sign-in',
    initial: 'checkingCsrf',
    states: {
      checkingCsrf: checkingCsrf('openingHeldSignIn'),
      openingHeldSignIn: openingHeldSignIn('reading'),
      reading: final('A page shows the notice, or the sign-in continues', 'success'),
      lapsed,
      refused,
      faulted,
    },
  }),
  steps: {},
  outcomes: {
    reading: outcome({
      answer: (_, tools) => (tools.request.method === 'POST' ? tools.pass(true) : tools.show('notice', null)),
    }),
  },
})

/** A gate without records, at every sign-in. Sites without a store can have it. */
export const notice = defineFeature({
  name: 'notice',
  title: 'Notice',
  routes: { notice: { methods: ['GET', 'POST'], flow: () => noticeFlow } },
  gate: { description: 'Check that the visitor has read the notice', check: () => 'hold' },
  pages: {
    notice: (_, kit) => ({ heading: kit.t('heading'), parts: [kit.form({ button: kit.t('continue') })] }),
  },
  texts: { en: { heading: 'This is a test system', continue: 'Continue' } },
})
