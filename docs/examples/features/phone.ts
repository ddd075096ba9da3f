import {
  admitted,
  admitting,
  checkingCsrf,
  checkingRateLimit,
  defineFeature,
  denied,
  faulted,
  featureChart,
  final,
  nobody,
  oneTimeCode,
  recognition,
  refused,
  resolvingCallbackUrl,
  somebody,
  toolbox,
  working,
} from 'authmachine/extend'

export interface PhoneOptions {
  /** Sends a code to a phone number, such as +491701234567. If it throws, the user sees the error page. */
  readonly send: (message: { readonly to: string; readonly code: string }) => Promise<void>
}

/** What this browser has asked for: where it goes afterwards, and who wants to add the number. */
interface Asked {
  readonly callbackUrl: string
  readonly linkTo: string | null
  readonly [name: string]: string | null
}

const codes = oneTimeCode<Asked>('phone-asked', { maxAge: 600 })

const { step, outcome, flow } = toolbox<
  { readonly number: string; readonly typed: string; readonly left: number },
  PhoneOptions
>()

/** Takes the number from the form of the sign-in page, or shows a page with the same form. */
const phoneFlow = flow({
  chart: featureChart({
    id: 'phone',
    description: 'Send a code to a phone',
    initial: 'checkingCsrf',
    states: {
      checkingCsrf: checkingCsrf('resolvingCallbackUrl'),
      resolvingCallbackUrl: resolvingCallbackUrl('readingNumber'),
      readingNumber: working('Read the phone number', 'readNumber', {
        'number.read': 'checkingRateLimit',
        'number.malformed': 'asking',
      }),
      checkingRateLimit: checkingRateLimit('recognising'),
      recognising: { ...recognition, on: { ...somebody('sendingCode'), ...nobody('sendingCode') } },
      sendingCode: working('Send a code, and remember the browser', 'sendCode', { 'code.sent': 'sent' }),
      sent: final('A page asks for the code', 'success'),
      asking: final('A page asks for the number', 'success'),
      denied,
      refused,
      faulted,
    },
  }),
  steps: {
    readNumber: step({
      says: { 'number.read': ['number', 'attempt'], 'number.malformed': ['typed'] },
      run(_, { request: { body } }) {
        const typed = typeof body['number'] === 'string' ? body['number'].slice(0, 40) : ''
        const number = typed.replaceAll(/[\s().-]/g, '')
        if (!/^\+[1-9]\d{6,14}$/.test(number)) return { type: 'number.malformed', typed }
        return { type: 'number.read', number, attempt: { kind: 'message', identifier: number } }
      },
    }),
    sendCode: step({
      needs: ['number', 'callbackUrl'],
      may: ['currentUser'],
      says: { 'code.sent': [] },
      async run({ number, callbackUrl, currentUser }, tools) {
        const asksToLink = tools.request.body['link'] === 'true'
        const linkTo = asksToLink && currentUser ? String(currentUser.id) : null
        const deliver = (code: string) => tools.options.send({ to: number, code })
        await codes.send(number, { callbackUrl, linkTo }, deliver, tools)
        return { type: 'code.sent' }
      },
    }),
  },
  outcomes: {
    sent: outcome({ answer: (_, tools) => tools.redirect('phone-code') }),
    asking: outcome({
      needs: ['typed'],
      answer: ({ typed }, tools) => tools.show('phone', typed, typed === '' ? 200 : 422),
    }),
  },
})

/** Takes the code, and signs in. */
const codeFlow = flow({
  chart: featureChart({
    id: 'phone-code',
    description: 'Use the code that was sent to a phone, and sign in',
    initial: 'checkingCsrf',
    states: {
      checkingCsrf: checkingCsrf('openingCode'),
      openingCode: working('Find the code that this browser asked for', 'openCode', {
        'code.awaited': 'checkingRateLimit',
        'code.shown': 'asking',
        'code.ended': 'ended',
      }),
      checkingRateLimit: checkingRateLimit('usingCode'),
      usingCode: working('Use up an attempt, and compare the code', 'useCode', {
        'number.proven': 'admitting',
        'code.wrong': 'asking',
        'code.ended': 'ended',
      }),
      admitting,
      ...admitted,
      asking: final('A page asks for the code', 'success'),
      ended: final('A page asks for the number again', 'refusal'),
      refused,
      faulted,
    },
  }),
  steps: {
    openCode: step({
      says: { 'code.awaited': ['attempt'], 'code.shown': [], 'code.ended': [] },
      async run(_, tools) {
        const awaited = await codes.read(tools)
        if (!awaited) return { type: 'code.ended' }
        if (tools.request.method === 'GET') return { type: 'code.shown' }
        return { type: 'code.awaited', attempt: { kind: 'code', identifier: awaited.identifier } }
      },
    }),
    useCode: step({
      says: {
        'number.proven': ['identity', 'callbackUrl'],
        'code.wrong': ['left'],
        'code.ended': [],
      },
      async run(_, tools) {
        const used = await codes.use(tools.request.body['code'], tools)
        if (used.is === 'ended') return { type: 'code.ended' }
        if (used.is === 'wrong' && used.attemptsLeft === 0) return { type: 'code.ended' }
        if (used.is === 'wrong') return { type: 'code.wrong', left: used.attemptsLeft }
        const { identifier: id, value } = used
        const profile = { phone_number: id, phone_number_verified: true }
        const identity = { id, profile, ...(value.linkTo !== null && { linkTo: value.linkTo }) }
        return { type: 'number.proven', identity, callbackUrl: value.callbackUrl }
      },
    }),
  },
  outcomes: {
    asking: outcome({
      may: ['left'],
      answer: ({ left = null }, tools) => tools.show('code', left, left === null ? 200 : 422),
    }),
    ended: outcome({ answer: (_, tools) => tools.show('phone', null, 422) }),
  },
})

/** Codes to a phone number, as a way to sign in. */
export const phone = (options: PhoneOptions) =>
  defineFeature({
    name: 'phone',
    title: 'Phone',
    options,
    needs: ['createVerificationToken', 'useVerificationToken'],
    check: ({ send }) => (typeof send === 'function' ? undefined : '`send` must be a function'),
    routes: {
      phone: { methods: ['GET', 'POST'], flow: () => phoneFlow },
      'phone-code': { methods: ['GET', 'POST'], flow: () => codeFlow },
    },
    signIn: {
      amr: 'sms',
      form: ({ t }) => ({
        fields: [{ name: 'number', label: t('number'), type: 'tel', autocomplete: 'tel' }],
        button: t('send'),
      }),
    },
    pages: {
      phone: (typed, kit) => ({
        heading: kit.t('heading'),
        parts: [
          typed === '' ? undefined : kit.message(kit.t(typed === null ? 'ended' : 'malformed')),
          kit.form({
            fields: [
              {
                name: 'number',
                label: kit.t('number'),
                type: 'tel',
                autocomplete: 'tel',
                value: typeof typed === 'string' ? typed : '',
              },
            ],
            action: 'phone',
            button: kit.t('send'),
          }),
        ],
      }),
      code: (left, kit) => ({
        heading: kit.t('codeHeading'),
        parts: [
          typeof left === 'number' ? kit.message(kit.t('wrong', { left })) : undefined,
          kit.text(kit.t('sent')),
          kit.form({
            fields: [
              { name: 'code', label: kit.t('code'), inputMode: 'numeric', autocomplete: 'one-time-code' },
            ],
            button: kit.t('continue'),
          }),
        ],
      }),
    },
    texts: {
      en: {
        heading: 'Sign in with your phone',
        number: 'Phone number',
        send: 'Send a code',
        malformed: 'Enter the number with its country code, such as +49 170 1234567.',
        ended: 'The code can no longer be used. Send a new one.',
        codeHeading: 'Enter the code',
        sent: 'We have sent a code to your phone.',
        code: 'Code',
        wrong: 'The code is wrong. Attempts left: {left}',
        continue: 'Continue',
      },
      de: {
        heading: 'Mit dem Telefon anmelden',
        number: 'Telefonnummer',
        send: 'Code senden',
        malformed: 'Geben Sie die Nummer mit Ländervorwahl ein, zum Beispiel +49 170 1234567.',
        ended: 'Der Code gilt nicht mehr. Fordern Sie einen neuen an.',
        codeHeading: 'Code eingeben',
        sent: 'Wir haben Ihnen einen Code geschickt.',
        code: 'Code',
        wrong: 'Der Code ist falsch. Verbleibende Versuche: {left}',
        continue: 'Weiter',
      },
    },
  })
