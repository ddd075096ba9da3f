import {
  admitted,
  admitting,
  checkingCsrf,
  checkingRateLimit,
  defineFeature,
  faulted,
  featureChart,
  final,
  nobody,
  recognition,
  refused,
  resolvingCallbackUrl,
  somebody,
  toolbox,
  working,
} from 'authmachine/extend'

const { step, outcome, flow } = toolbox()

/** Creates a user whom only this session knows, until the user adds another way to sign in. */
const anonymousFlow = flow({
  chart: featureChart({
    id: 'anonymous',
    description: 'Sign in a user without an account',
    initial: 'checkingCsrf',
    states: {
      checkingCsrf: checkingCsrf('resolvingCallbackUrl'),
      resolvingCallbackUrl: resolvingCallbackUrl('recognising'),
      recognising: { ...recognition, on: { ...somebody('findingGuest'), ...nobody('readingAttempt') } },
      findingGuest: working('Find out whether the user has only this session', 'findGuest', {
        'guest.found': 'admitting',
        'guest.real': 'returning',
      }),
      readingAttempt: working('Describe the attempt', 'readAttempt', { 'attempt.read': 'checkingRateLimit' }),
      checkingRateLimit: checkingRateLimit('invitingGuest'),
      invitingGuest: working('Create an id that nobody can guess', 'inviteGuest', {
        'guest.new': 'admitting',
      }),
      admitting,
      ...admitted,
      returning: final('The user has an account', 'success'),
      refused,
      faulted,
    },
  }),
  steps: {
    // Only this session proves who a guest is, so it is also the fresh proof that linking an account demands.
    findGuest: step({
      needs: ['currentUser'],
      says: { 'guest.found': ['identity'], 'guest.real': [] },
      async run({ currentUser: { id, emailVerified } }, { store }) {
        const [only, ...others] = await store.listAccountsByUserId(id)
        const isGuest = only?.provider === 'anonymous' && others.length === 0 && !emailVerified
        if (!isGuest) return { type: 'guest.real' }
        return { type: 'guest.found', identity: { id: only.providerAccountId, mustExist: true } }
      },
    }),
    readAttempt: step({
      says: { 'attempt.read': ['attempt'] },
      run: () => ({ type: 'attempt.read', attempt: { kind: 'user' } }),
    }),
    inviteGuest: step({
      says: { 'guest.new': ['identity'] },
      run(_, { randomBytes }) {
        const id = Array.from(randomBytes(16), (byte) => byte.toString(16).padStart(2, '0')).join('')
        return { type: 'guest.new', identity: { id, profile: { name: 'Guest' } } }
      },
    }),
  },
  outcomes: { returning: outcome({ answer: (_, tools) => tools.goBack() }) },
})

/** Users without an account, who add a way to sign in later. */
export const anonymous = () =>
  defineFeature<undefined, 'try'>({
    name: 'anonymous',
    title: 'Without an account',
    needs: ['listAccountsByUserId'],
    routes: { anonymous: { methods: ['POST'], flow: () => anonymousFlow } },
    signIn: {
      // A person has pressed a button: `user` of RFC 8176.
      amr: 'user',
      provenBy: 'session',
      form: ({ t }) => ({ button: t('try') }),
    },
    texts: { en: { try: 'Try without an account' }, de: { try: 'Ohne Konto ausprobieren' } },
  })
