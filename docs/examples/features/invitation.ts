import {
  checkingCsrf,
  defineFeature,
  faulted,
  featureChart,
  featureCookie,
  final,
  lapsed,
  openingHeldSignIn,
  refused,
  toolbox,
  working,
} from 'authmachine/extend'

export interface InvitationOptions {
  /** Uses up an invitation. Returns false if there is no such invitation, or if it was used. */
  readonly use: (code: string) => Promise<boolean>
  /** Makes an invitation work again whose sign-in has failed on the server. */
  readonly giveBack: (code: string) => Promise<void>
}

/** The code of the link that this browser has opened. */
const opened = featureCookie<string>('invitation', { maxAge: 86_400 })

const { step, outcome, flow } = toolbox<
  { readonly code: string; readonly typed: string },
  InvitationOptions
>()

const invitationFlow = flow({
  chart: featureChart({
    id: 'invitation',
    description: 'Ask a new user for an invitation, and continue the sign-in',
    initial: 'checkingCsrf',
    states: {
      checkingCsrf: checkingCsrf('openingHeldSignIn'),
      openingHeldSignIn: openingHeldSignIn('readingCode'),
      readingCode: working('Read the code of the form, or that of the opened link', 'readCode', {
        'code.typed': 'usingInvitation',
        'code.absent': 'asking',
      }),
      usingInvitation: working('Use up the invitation', 'useInvitation', {
        'invitation.used': 'invited',
        'invitation.unknown': 'asking',
      }),
      invited: final('The sign-in continues', 'success'),
      asking: final('A page asks for the code', 'success'),
      lapsed,
      refused,
      faulted,
    },
  }),
  steps: {
    readCode: step({
      says: { 'code.typed': ['code'], 'code.absent': ['typed'] },
      async run(_, tools) {
        const { code } = tools.request.body
        if (typeof code === 'string' && code.length <= 100) return { type: 'code.typed', code: code.trim() }
        return { type: 'code.absent', typed: (await opened.read(tools)) ?? '' }
      },
    }),
    useInvitation: step({
      needs: ['code'],
      says: { 'invitation.used': [], 'invitation.unknown': ['typed'] },
      async run({ code }, { options }) {
        return (await options.use(code))
          ? { type: 'invitation.used' }
          : { type: 'invitation.unknown', typed: code }
      },
    }),
  },
  outcomes: {
    invited: outcome({
      needs: ['code'],
      answer: ({ code }, tools) => tools.pass(code, () => tools.options.giveBack(code)),
    }),
    asking: outcome({
      may: ['typed', 'code'],
      answer: ({ typed = '', code }, tools) =>
        tools.show('invitation', { typed, isWrong: code !== undefined }, code === undefined ? 200 : 422),
    }),
  },
})

/** A link of a mail: `/auth/invitation-link?code=…`. It signs nobody in, and works with every way to sign in. */
const linkFlow = flow({
  chart: featureChart({
    id: 'invitation-link',
    description: 'Remember the invitation of a link, and show the sign-in page',
    initial: 'rememberingCode',
    states: {
      rememberingCode: working('Keep the code in a cookie', 'rememberCode', {
        'code.remembered': 'remembered',
      }),
      remembered: final('The browser goes to the sign-in page', 'success'),
      faulted,
    },
  }),
  steps: {
    rememberCode: step({
      says: { 'code.remembered': [] },
      async run(_, tools) {
        await opened.write((tools.request.query.get('code') ?? '').slice(0, 100), tools)
        return { type: 'code.remembered' }
      },
    }),
  },
  outcomes: { remembered: outcome({ answer: (_, tools) => tools.redirect('signin') }) },
})

/** Only users with an account, or with an invitation, sign in. */
export const invitation = (options: InvitationOptions) =>
  defineFeature({
    name: 'invitation',
    title: 'Invitation only',
    options,
    // Without an adapter, the site knows nobody, and everybody would be new at each sign-in.
    needs: ['createUser'],
    routes: {
      invitation: { methods: ['GET', 'POST'], flow: () => invitationFlow },
      'invitation-link': { methods: ['GET'], flow: () => linkFlow },
    },
    gate: {
      description: 'Check that a new user has an invitation',
      check: ({ userId }) => (userId === undefined ? 'hold' : 'pass'),
    },
    pages: {
      invitation(data, kit) {
        const { typed, isWrong } = data as { readonly typed: string; readonly isWrong: boolean }
        return {
          heading: kit.t('heading'),
          parts: [
            isWrong ? kit.message(kit.t('wrong')) : undefined,
            kit.text(kit.t('question')),
            kit.form({
              fields: [{ name: 'code', label: kit.t('code'), value: typed, autocomplete: 'off' }],
              button: kit.t('continue'),
            }),
          ],
        }
      },
    },
    texts: {
      en: {
        heading: 'Invitation',
        question: 'New accounts need an invitation. Enter its code.',
        code: 'Code',
        wrong: 'There is no such invitation, or it was used.',
        continue: 'Continue',
      },
    },
  })
