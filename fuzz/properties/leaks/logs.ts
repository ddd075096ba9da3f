import { inspect } from 'node:util'
import fc from 'fast-check'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { startAt } from '../support/consent.ts'
import { signInUnder } from '../support/faulty.ts'
import { unescapeUrl, walk, withForm, planes, ways } from '../support/leaks.ts'
import { textsOf } from '../support/texts.ts'

/** Text that forges a line, moves the cursor of a terminal, or reverses the following text. */
const forgedText = fc.constantFrom(
  'x\n[auth][error] forged',
  '\nforged',
  '\r\nforged',
  '\u001b]52;c;eA==\u0007',
  '\u009b1m',
  '\u202e',
  '\u2028\u007f',
)

/** Secrets that look like words, so that only a comparison can find them. */
const words = {
  clientSecret: 'correct-horse-battery',
  accessToken: 'open-sesame',
  secretInUrl: 'plain-old-words',
}

/** The maximum number of characters of a provider's description in the log. */
const longestDescription = 200

/** A description without a secret that the application could compare it with. */
const tokenInDescription = 'ya29-a0AfH6SMBx7Qe3fT1k'
const description = `The token ${tokenInDescription} is unknown. ${'Ask the administrator. '.repeat(20)}`

export const logProperties: readonly Property[] = [
  ...(['IL-02', 'IL-03'] as const).map((id) =>
    property({
      proves: [id],
      name: `writes no secret to the logs${id === 'IL-03' ? ', even with debug on' : ''}`,
      story: 'Anyone with access to the logs, or the log service itself, can take over accounts.',
      advice: 'Log events by name. Redact tokens, codes, verifiers, cookies and passwords.',
      needs: ['hooks', 'faults', 'store'],
      setups: withForm({ config: { debug: id === 'IL-03' } }),
      runs: 40,
      reaches: { 'something was logged': 15 },
      input: fc.record({
        way: fc.constantFrom(...ways),
        plane: fc.constantFrom(...planes, 'none'),
        call: fc.nat(6),
      }),
      async run(world, { way, plane, call }) {
        const browser = world.browser('ada')
        const secrets = new Set<string>()
        const hold = (secret: string | null | undefined) => secret && secret.length > 7 && secrets.add(secret)
        const fault = { name: 'fails', apply: () => Promise.reject(new Error('unavailable')) }
        if (plane !== 'none') world.plan.arm(plane, call, fault)
        await walk(world, browser, world.idOf(way) === undefined ? 'mail' : way)
        if (world.idOf('form') !== undefined)
          await browser.enterPassword(world.people.ada, 'some-secret-wrong-password')
        const invented = new URLSearchParams({ token: 'some-secret-token-of-a-link', email: 'a@b.example' })
        const link = new URL(`${world.url('callback/mail')}?${invented}`)
        await browser.followLink({ to: 'a@b.example', link })
        // A mail program or a proxy may break the path of a link.
        await browser.send(`${world.basePath}/callbak/mail?${invented}`)
        // A used link is refused at a different step than an unknown link.
        for (const mail of world.mailbox.mails) await browser.followLink(mail)
        await browser.send(
          `${world.basePath}/callback/alpha?code=some-secret-code-of-ada&state=some-secret-state`,
        )
        for (const secret of [
          'some-secret-token-of-a-link',
          'some-secret-code-of-ada',
          'some-secret-wrong-password',
          world.people.ada.password,
        ])
          hold(secret)
        for (const { link } of world.mailbox.mails) hold(link.searchParams.get('token'))
        for (const idp of Object.values(world.idps)) {
          for (const { headers, parameters } of idp.log) {
            for (const name of ['code', 'code_verifier', 'client_secret']) hold(parameters.get(name))
            hold(headers.get('authorization')?.split(' ')[1])
          }
        }
        for (const { access_token, id_token } of world.rows.accounts)
          for (const token of [access_token, id_token]) if (typeof token === 'string') hold(token)
        for (const { reply } of world.replies)
          for (const { key, value } of reply.cookies)
            if (/session-token|pkce|state|nonce|csrf/.test(key)) hold(decodeURIComponent(value))
        for (const name of ['alpha', 'beta', 'plain']) hold(`secret-at-${name}-0123456789`)
        const { errors, warnings, debugs } = world.recorded
        // A log shows an error as `console.error` prints it.
        const logged = [
          ...errors.map((error) => inspect(error)),
          ...textsOf([warnings, id === 'IL-03' ? debugs : []]),
        ].map(unescapeUrl)
        if (logged.length > 0) world.reach('something was logged')
        for (const secret of secrets) {
          const line = logged.find((text) => text.includes(secret))
          world.check(id, line === undefined, `a secret is logged: ${line?.slice(0, 120)}`)
        }
      },
    }),
  ),

  property({
    proves: ['IL-02', 'SEA-009'],
    name: 'logs no secret of a request to a provider that fails, or repeats it in its error',
    story: 'A provider returns what it received in its error message, and the log contains the secret.',
    advice:
      'Remove the secrets of the request from a provider’s description, wherever they occur, and log no query of a URL.',
    needs: ['hooks'],
    setups: {
      words: {
        provider: {
          plain: {
            clientSecret: words.clientSecret,
            token: `https://plain.example/token?key=${words.secretInUrl}`,
            userinfo: `https://plain.example/userinfo?key=${words.secretInUrl}`,
            client: { token_endpoint_auth_method: 'client_secret_post' },
          },
        },
        idp: {
          plain: {
            clients: [{ id: 'client-at-plain', secret: words.clientSecret, method: 'client_secret_post' }],
            metadata: { authorization_response_iss_parameter_supported: false },
          },
        },
      },
    },
    runs: 20,
    input: fc.record({
      endpoint: fc.constantFrom('token' as const, 'userinfo' as const, 'authorization' as const),
      fault: fc.constantFrom('400-echo' as const, 'network-error' as const),
    }),
    async run(world, { endpoint, fault }) {
      if (endpoint === 'authorization') return checkDescription(world)
      const { plain } = world.idps
      plain.addToTokens({ access_token: words.accessToken })
      const opened = await signInUnder(world, 'plain', `${endpoint}:${fault}`)
      world.assume(!opened && plain.requestsTo(endpoint).length > 0, `nothing was sent to ${endpoint}`)
      const { errors, warnings } = world.recorded
      const logged = [...errors.map((error) => inspect(error)), ...warnings]
      for (const [what, secret] of Object.entries(words)) {
        const line = logged.find((text) => text.includes(secret))
        for (const id of ['IL-02', 'SEA-009'] as const)
          world.check(id, line === undefined, `the ${what} is logged: ${line?.slice(0, 200)}`)
      }
    },
  }),

  property({
    proves: ['IL-09'],
    name: 'keeps requests from forging log lines',
    story:
      'An attacker hides behind forged log entries, or takes control of the terminal that shows the log.',
    advice: 'Log request data only if it is a plain word, and escape the rest.',
    needs: ['hooks'],
    setups: {
      query: {},
      form_post: {
        provider: {
          alpha: {
            checks: ['state', 'nonce'],
            authorization: { params: { scope: 'openid profile email', response_mode: 'form_post' } },
          },
        },
      },
    },
    runs: 40,
    reaches: { 'an error was logged': 10 },
    input: fc.record({
      forged: forgedText,
      repeated: fc.constantFrom('name', 'value', 'nothing'),
    }),
    async run(world, { forged, repeated }) {
      const browser = world.browser('eve')
      const names = ['code', 'state', 'error', 'error_description', 'iss', 'email', 'token', 'callbackUrl']
      const fields = new URLSearchParams(names.map((name) => [name, forged]))
      fields.append(forged, '1')
      if (repeated !== 'nothing') fields.append(repeated === 'name' ? forged : 'state', forged)
      const [alpha, mail] = [world.idOf('alpha'), world.idOf('mail')]
      const routes = [
        `callback/${alpha}`,
        `callback/${mail}`,
        `signin/${alpha}`,
        `signin/${mail}`,
        'session',
        'none',
      ]
      // The response is compared with the sign-in that it belongs to.
      await startAt(world, browser, 'alpha')
      for (const route of routes) {
        const path = `${world.basePath}/${route}`
        await browser.send(`${path}?${fields}`)
        fields.set('csrfToken', await browser.csrfToken())
        await browser.send(path, { form: fields })
      }
      if (world.recorded.errors.length > 0) world.reach('an error was logged')
      const line = world.recorded.errors
        .map(({ message }) => message)
        .find((text) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text))
      world.check('IL-09', line === undefined, `an error contains ${JSON.stringify(line)}`)
    },
  }),

  property({
    proves: ['IL-09'],
    name: 'escapes text from requests on the console',
    story:
      'A user chooses a name that forges log entries, or takes control of the terminal that shows the log.',
    advice: 'Escape control and invisible characters in messages, causes, stacks and details of any error.',
    needs: ['setup'],
    runs: 30,
    reaches: { 'a callback': 3, 'an error whose message was removed': 3, 'the provider': 3 },
    input: fc.record({
      forged: forgedText,
      from: fc.constantFrom('a callback', 'an error whose message was removed', 'the provider'),
    }),
    async run(base, { forged, from }) {
      const text = `eve${forged}`
      const error = new Error(text, { cause: new Error(text) })
      if (from === 'an error whose message was removed')
        Object.assign(error, { stack: error.stack, message: '' })
      const signIn = () => {
        if (from !== 'the provider') throw error
        return true
      }
      const world = await base.another({ config: { logger: undefined, callbacks: { signIn } } }, 'own')
      const browser = world.browser('eve')
      const arrival = await browser.visit('alpha', world.people.eve)
      if (from === 'the provider') {
        arrival.parameters.delete('code')
        arrival.parameters.set('error', 'server_error')
        for (const name of ['error_description', 'error_uri']) arrival.parameters.set(name, text)
      }
      const shown = await readConsole(() => browser.arrive(arrival))
      world.assume(shown !== '', 'the application does not log to the console')
      world.check('IL-09', !shown.includes(text), `the console shows ${JSON.stringify(text)} unescaped`)
      world.reach(from)
    },
  }),
]

/** Checks that the log contains only a short part of a description, and nothing in it that could be a token. */
async function checkDescription(world: World): Promise<void> {
  const browser = world.browser('ada')
  const arrival = await browser.visit('plain', world.people.ada)
  arrival.parameters.delete('code')
  arrival.parameters.set('error', 'server_error')
  arrival.parameters.set('error_description', description)
  await browser.arrive(arrival)
  const { errors, warnings } = world.recorded
  const logged = [...errors.map((error) => inspect(error)), ...warnings]
  const line = logged.find((text) => text.includes(tokenInDescription))
  world.check('SEA-009', line === undefined, `the description is logged with a token: ${line?.slice(0, 200)}`)
  // A replaced token is shorter than the token.
  const end = description.slice(longestDescription + tokenInDescription.length, -20)
  const whole = logged.find((text) => text.includes(end))
  world.check('SEA-009', whole === undefined, `a long description is logged: ${whole?.slice(0, 400)}`)
}

/** Returns the text that the console shows meanwhile. */
async function readConsole(work: () => Promise<unknown>): Promise<string> {
  const shown: string[] = []
  const show = (...values: readonly unknown[]) =>
    void shown.push(...values.map((value) => (typeof value === 'string' ? value : inspect(value))))
  const { error, warn, log } = console
  Object.assign(console, { error: show, warn: show, log: show })
  try {
    await work()
  } finally {
    Object.assign(console, { error, warn, log })
  }
  return shown.join('\n')
}
