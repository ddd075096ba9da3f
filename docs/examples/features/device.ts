import {
  admitted,
  admitting,
  anonymous,
  approving,
  challenged,
  checkingCsrf,
  checkingRateLimit,
  defineFeature,
  denied,
  faulted,
  featureChart,
  type FeatureTools,
  final,
  keyedRecord,
  nobody,
  recognition,
  refused,
  somebody,
  toolbox,
  working,
} from 'authmachine/extend'

export interface DeviceOptions {
  /** The names of the programs that may ask, by `client_id`. The page shows the name. */
  readonly clients: Readonly<Record<string, string>>
}

/** The request of a program, stored under the user code, which follows from the device code. */
type DeviceRequest = {
  readonly clientId: string
  /** A hash of the device code. Two device codes can have the same user code; only one of them is accepted. */
  readonly deviceHash: string
  /** Milliseconds since 1970. */
  readonly polledAt: number
  /** Seconds between two polls. */
  readonly interval: number
  readonly answer: { readonly approval: string } | 'refused' | null
}

/** Seconds. */
const lifetime = 600

const requests = keyedRecord<DeviceRequest>('device', { maxAge: lifetime })

interface DeviceFacts {
  readonly clientId: string
  readonly deviceCode: string
  readonly userCode: string
  /** The code as the user typed it, or as the link contained it. */
  readonly typed: string
  /** An error of RFC 8628 (3.5). */
  readonly error: 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token'
}

const { step, outcome, flow } = toolbox<DeviceFacts, DeviceOptions>()

/** The program asks for codes (RFC 8628 3.1 and 3.2). */
const startFlow = flow({
  chart: featureChart({
    id: 'device-start',
    description: 'Issue the codes of a device',
    initial: 'checkingCsrf',
    states: {
      checkingCsrf: checkingCsrf('readingClient'),
      readingClient: working('Identify the program', 'readClient', {
        'client.known': 'checkingRateLimit',
        'client.unknown': 'unknown',
      }),
      checkingRateLimit: checkingRateLimit('issuingCodes'),
      issuingCodes: working('Issue the codes', 'issueCodes', { 'codes.issued': 'started' }),
      started: final('The device shows the user code', 'success'),
      unknown: final('The program is unknown', 'refusal'),
      denied,
      refused,
      faulted,
    },
  }),
  steps: {
    readClient: step({
      says: { 'client.known': ['clientId', 'attempt'], 'client.unknown': [] },
      run(_, { request: { body }, options: { clients } }) {
        const clientId = String(body['client_id'])
        if (!Object.hasOwn(clients, clientId)) return { type: 'client.unknown' }
        return { type: 'client.known', clientId, attempt: { kind: 'start' } }
      },
    }),
    issueCodes: step({
      needs: ['clientId'],
      says: { 'codes.issued': ['deviceCode', 'userCode'] },
      async run({ clientId }, tools) {
        const deviceCode = Array.from(tools.randomBytes(32), toHex).join('')
        const userCode = await userCodeOf(deviceCode)
        const deviceHash = await hash(deviceCode)
        const asked = { clientId, deviceHash, polledAt: tools.now(), interval: 5, answer: null }
        const isFree = await requests.write(userCode, asked, undefined, tools)
        if (!isFree) throw new Error('Another device has the same user code. The program must ask again')
        return { type: 'codes.issued', deviceCode, userCode }
      },
    }),
  },
  outcomes: {
    started: outcome({
      needs: ['deviceCode', 'userCode'],
      answer: ({ deviceCode, userCode }, { request: { base }, json }) =>
        json({
          device_code: deviceCode,
          user_code: userCode,
          verification_uri: `${base}/device`,
          verification_uri_complete: `${base}/device?user_code=${userCode}`,
          expires_in: lifetime,
          interval: 5,
        }),
    }),
    unknown: outcome({ answer: (_, { json }) => json({ error: 'invalid_client' }, 401) }),
    denied: outcome({ answer: (_, { json }) => json({ error: 'slow_down' }, 429) }),
  },
})

/** The signed-in user types the code, sees which program is asking, and confirms or refuses (RFC 8628 3.3). */
const confirmFlow = flow({
  chart: featureChart({
    id: 'device',
    description: 'Confirm or refuse the sign-in of a device',
    initial: 'checkingCsrf',
    states: {
      checkingCsrf: checkingCsrf('recognising'),
      recognising: { ...recognition, on: { ...somebody('readingForm'), ...nobody('leaving') } },
      readingForm: working('Read the code', 'readForm', {
        'code.typed': 'checkingRateLimit',
        'code.absent': 'entering',
      }),
      checkingRateLimit: checkingRateLimit('findingRequest'),
      findingRequest: working('Find the request of the program', 'findRequest', {
        'request.found': 'asking',
        'request.confirmed': 'approving',
        'request.refused': 'refusing',
        'request.unknown': 'entering',
      }),
      approving: approving('keepingApproval'),
      keepingApproval: working('Keep the approval for the device', 'keepApproval', {
        'answer.kept': 'confirmed',
        'request.unknown': 'entering',
      }),
      refusing: working('Keep the refusal for the device', 'keepRefusal', {
        'answer.kept': 'rejected',
        'request.unknown': 'entering',
      }),
      entering: final('A page asks for the code', 'success'),
      asking: final('A page names the program', 'success'),
      confirmed: final('The device may sign in', 'success'),
      rejected: final('The device may not sign in', 'success'),
      leaving: final('The user signs in first', 'refusal'),
      anonymous,
      challenged,
      denied,
      refused,
      faulted,
    },
  }),
  steps: {
    readForm: step({
      needs: ['currentUser'],
      says: { 'code.typed': ['userCode', 'attempt', 'typed'], 'code.absent': ['typed'] },
      run({ currentUser }, { request: { method, body, query } }) {
        const sent = body['confirm'] ?? body['refuse'] ?? body['user_code'] ?? query.get('user_code')
        const typed = typeof sent === 'string' ? sent.slice(0, 40) : ''
        const letters = typed.toUpperCase().replaceAll(/[^A-Z]/g, '')
        // A link only fills in the form, so that links cannot be used to guess codes.
        if (method === 'GET' || letters.length !== 8) return { type: 'code.absent', typed }
        const attempt = { kind: 'code', identifier: String(currentUser.id) }
        return { type: 'code.typed', userCode: format(letters), attempt, typed }
      },
    }),
    findRequest: step({
      needs: ['userCode'],
      says: {
        'request.found': ['clientId'],
        'request.confirmed': [],
        'request.refused': [],
        'request.unknown': [],
      },
      async run({ userCode }, tools) {
        const { value } = (await requests.read(userCode, tools)) ?? {}
        if (value?.answer !== null) return { type: 'request.unknown' }
        if (tools.request.body['confirm'] !== undefined) return { type: 'request.confirmed' }
        if (tools.request.body['refuse'] !== undefined) return { type: 'request.refused' }
        return { type: 'request.found', clientId: value.clientId }
      },
    }),
    keepApproval: step({
      needs: ['userCode', 'approval'],
      says: { 'answer.kept': [], 'request.unknown': [] },
      run: ({ userCode, approval }, tools) => keepAnswer(userCode, { approval }, tools),
    }),
    keepRefusal: step({
      needs: ['userCode'],
      says: { 'answer.kept': [], 'request.unknown': [] },
      run: ({ userCode }, tools) => keepAnswer(userCode, 'refused', tools),
    }),
  },
  outcomes: {
    entering: outcome({
      needs: ['typed'],
      may: ['userCode'],
      answer: ({ typed, userCode }, tools) => {
        const isWrong = userCode !== undefined || (typed !== '' && tools.request.method === 'POST')
        return tools.show('enter', { typed, isWrong }, isWrong ? 422 : 200)
      },
    }),
    asking: outcome({
      needs: ['clientId', 'userCode', 'currentUser'],
      answer: ({ clientId, userCode, currentUser: { name, email } }, tools) => {
        const client = tools.options.clients[clientId] ?? clientId
        return tools.show('ask', { client, code: userCode, user: name ?? email ?? null })
      },
    }),
    confirmed: outcome({ answer: (_, tools) => tools.show('done', 'confirmed') }),
    rejected: outcome({ answer: (_, tools) => tools.show('done', 'rejected') }),
    leaving: outcome({
      answer: (_, { request: { base, query }, redirect }) => {
        const code = query.get('user_code')?.slice(0, 40)
        const page = code ? `?${new URLSearchParams({ user_code: code })}` : ''
        return redirect('signin', { error: 'SessionRequired', callbackUrl: `${base}/device${page}` })
      },
    }),
  },
})

const noAccess = outcome({
  may: ['failure'],
  answer({ failure }, { json, log }) {
    if (failure) log(failure)
    return json({ error: 'access_denied' }, 400)
  },
})

/** The program polls (RFC 8628 3.4 and 3.5). In the end, it gets the cookies of a session. */
const pollFlow = flow({
  chart: featureChart({
    id: 'device-poll',
    description: 'Sign in a device that a user has confirmed',
    initial: 'checkingCsrf',
    states: {
      checkingCsrf: checkingCsrf('polling'),
      polling: working('Look up the answer of the user', 'poll', {
        'answer.missing': 'waiting',
        'answer.given': 'admitting',
      }),
      admitting,
      ...admitted,
      waiting: final('The device has no session', 'refusal'),
      refused,
      faulted,
    },
  }),
  steps: {
    poll: step({
      says: { 'answer.missing': ['error'], 'answer.given': ['identity'] },
      async run(_, tools) {
        const deviceCode = String(tools.request.body['device_code'])
        const userCode = await userCodeOf(deviceCode)
        const stored = await requests.read(userCode, tools)
        if (stored?.value.deviceHash !== (await hash(deviceCode))) return missing('expired_token')
        const { answer, polledAt, interval } = stored.value
        if (answer === null) {
          const isFast = tools.now() - polledAt < interval * 1000
          const next = { polledAt: tools.now(), interval: interval + (isFast ? 5 : 0) }
          // Another request may change the record first, such as the decision of the user. The next poll reads it.
          await requests.write(userCode, { ...stored.value, ...next }, stored, tools)
          return missing(isFast ? 'slow_down' : 'authorization_pending')
        }
        // Of two polls at once, only one gets the answer.
        if (!(await requests.remove(userCode, stored, tools))) return missing('expired_token')
        return answer === 'refused'
          ? missing('access_denied')
          : { type: 'answer.given', identity: { approval: answer.approval } }
      },
    }),
  },
  outcomes: {
    waiting: outcome({
      needs: ['error'],
      answer: ({ error }, { json }) => json({ error }, 400),
    }),
    signedIn: outcome({ answer: (_, { json }) => json({ signed_in: true }) }),
    // A program cannot show the page of a gate.
    held: noAccess,
    stale: noAccess,
    denied: noAccess,
    sentElsewhere: noAccess,
    notLinked: noAccess,
  },
})

/** Sign-in of devices without a browser, such as a command line, in the shape of RFC 8628. */
export const device = (options: DeviceOptions) =>
  defineFeature({
    name: 'device',
    title: 'Devices',
    options,
    needs: ['getKeyedRecord', 'setKeyedRecord', 'deleteKeyedRecord'],
    check: ({ clients }) => (Object.keys(clients).length > 0 ? undefined : '`clients` must not be empty'),
    routes: {
      device: { methods: ['GET', 'POST'], flow: () => confirmFlow },
      'device-start': { methods: ['POST'], flow: () => startFlow },
      'device-poll': { methods: ['POST'], flow: () => pollFlow },
    },
    // The user authenticates in another channel.
    signIn: { amr: 'mca' },
    pages: {
      enter(data, kit) {
        const { typed, isWrong } = data as { readonly typed: string; readonly isWrong: boolean }
        const code = { name: 'user_code', label: kit.t('code'), value: typed, autocomplete: 'off' }
        return {
          heading: kit.t('heading'),
          parts: [
            isWrong ? kit.message(kit.t('wrong')) : undefined,
            kit.form({ fields: [code], button: kit.t('continue') }),
          ],
        }
      },
      ask(data, kit) {
        const { client, code, user } = data as {
          readonly client: string
          readonly code: string
          readonly user: string | null
        }
        return {
          heading: kit.t('askHeading', { client }),
          parts: [
            kit.text(user === null ? kit.t('asksUnnamed', { client }) : kit.t('asks', { client, user })),
            kit.text(kit.t('compare', { code })),
            kit.message(kit.t('phishing')),
            kit.form({ button: kit.t('confirm'), sends: { name: 'confirm', value: code } }),
            kit.form({ button: kit.t('refuse'), sends: { name: 'refuse', value: code } }),
          ],
        }
      },
      done: (answer, kit) => ({
        heading: kit.t('heading'),
        parts: [kit.notice(kit.t(answer === 'confirmed' ? 'confirmed' : 'rejected'))],
      }),
    },
    texts: {
      en: {
        heading: 'Sign in a device',
        code: 'Code',
        continue: 'Continue',
        wrong: 'This code is wrong, expired or already used. Enter the code that your device shows.',
        askHeading: 'Let {client} sign in?',
        asks: '{client} wants to sign in as {user} and to act on your behalf.',
        asksUnnamed: '{client} wants to sign in to your account and to act on your behalf.',
        compare: 'Your device must show this code: {code}',
        phishing:
          'Confirm only if you have just started this yourself, on a device in front of you. If someone has sent you the code or a link, refuse. Otherwise, that person gets access to your account.',
        confirm: 'Confirm',
        refuse: 'Refuse',
        confirmed: 'Your device can now sign in. You can close this page.',
        rejected: 'Your device is not signed in.',
      },
    },
  })

function missing(error: DeviceFacts['error']) {
  return { type: 'answer.missing', error } as const
}

/** Stores the answer of the user, unless the request has one already. */
async function keepAnswer(
  userCode: string,
  answer: DeviceRequest['answer'],
  tools: FeatureTools<DeviceOptions>,
) {
  let isFirst = false
  const keep = (asked?: DeviceRequest) => {
    isFirst = asked?.answer === null
    return isFirst && asked ? { ...asked, answer } : asked
  }
  await requests.update(userCode, keep, tools)
  return { type: isFirst ? 'answer.kept' : 'request.unknown' } as const
}

/** Consonants only, so that codes do not spell words (RFC 8628 6.1). There are 20^8 codes. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'

/** Derives the user code from a hash, so that it reveals nothing about the device code. */
async function userCodeOf(deviceCode: string): Promise<string> {
  const digest = new DataView(await sha256(`user code ${deviceCode}`))
  const letters = Array.from({ length: 8 }, (_, at) => alphabet[digest.getUint32(at * 4) % alphabet.length])
  return format(letters.join(''))
}

function format(letters: string): string {
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

async function hash(text: string): Promise<string> {
  return Array.from(new Uint8Array(await sha256(text)), toHex).join('')
}

function sha256(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
}

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}
