import { setTimeout as wait } from 'node:timers/promises'
import { everyOf } from '../../arbitraries/every-of.ts'
import type { Fault } from '../../world/idp/faults.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { remotes, withParameters } from '../support/consent.ts'
import { describedBy } from '../support/described.ts'

const refreshToken = 'a-refresh-token-of-nobody-4711'

/** The provider quotes the request in its error, with the secrets of the application. */
const repeating = 'an error of the provider that repeats the request'

const because = 'because the provider repeated it in an error_description that the application logs'

const providerErrors: Readonly<Record<string, readonly Fault[]>> = {
  'an error of the provider': ['token:400'],
  [repeating]: ['token:400-echo'],
}

/** Milliseconds within which an application writes its log. */
const patience = 100

export const describedLogProperties: readonly Property[] = [
  property({
    proves: ['IL-02'],
    name: 'writes no token, verifier, client secret or session cookie to its log',
    story: 'Anyone with access to the logs, or the log service itself, can take over accounts.',
    advice: 'Log events by name. Redact tokens, verifiers, cookies and secrets.',
    needs: ['description'],
    runs: 12,
    ...everyOf({
      provider: remotes,
      how: ['a second sign-in', 'a refused response', ...Object.keys(providerErrors)],
    }),
    async run(world, { provider, how }) {
      const { ada } = world.people
      const { readLog, sessionCookie } = describedBy(world)
      // Without a log, there is nothing to sign in for.
      await readLog()
      const idp = world.idps[provider]
      idp.addToTokens({ refresh_token: refreshToken })
      const browser = world.browser('ada')
      await browser.signIn(provider, ada)
      const cookie = sessionCookie(browser.cookies())
      const arrival = await browser.visit(provider, ada)
      idp.misbehave(...(providerErrors[how] ?? []))
      await browser.arrive(
        how === 'a refused response' ? withParameters(arrival, (query) => query.set('state', 'x')) : arrival,
      )
      idp.misbehave()
      await wait(patience)
      const log = decode(await readLog())
      world.assume(log !== '', 'the application wrote nothing to its log')
      // The access log of a server has the codes of callbacks, which work once, with their verifier.
      const secrets = [...secretsOf(world), ['a session cookie', cookie] as const]
      const [leaked] = secrets.find(([, secret]) => secret.length > 7 && log.includes(decode(secret))) ?? []
      const says = how === repeating ? `${leaked} is in the log, ${because}` : `${leaked} is in the log`
      // A case whose provider repeats nothing finds an application that logs its own secrets.
      const observed = how === repeating ? 'a broken rule' : 'a secret'
      world.check('IL-02', leaked === undefined, says, { observed })
      world.reach(how)
    },
  }),

  property({
    proves: ['IL-09'],
    name: 'writes no line to its log that a request composed',
    story:
      'An attacker writes lines into the log that look like those of the application, and hides an attack.',
    advice: 'Write values of requests as JSON, or replace their control characters.',
    needs: ['description'],
    severity: 'hardening',
    runs: 6,
    ...everyOf({ provider: remotes, by: ['state', 'error', 'error_description', 'code'] }),
    async run(world, { provider, by }) {
      const { readLog } = describedBy(world)
      await readLog()
      const browser = world.browser('ada')
      const arrival = await browser.visit(provider, world.people.ada)
      const line = 'canary-line: ada signed in'
      await browser.arrive(
        withParameters(arrival, (query) => {
          if (by.startsWith('error')) {
            query.delete('code')
            query.set('error', 'access_denied')
          }
          query.set(by, `x\r\n${line}\n`)
        }),
      )
      await world.browser('ada').signIn(provider, world.people.ada)
      await wait(patience)
      const log = await readLog()
      world.assume(log !== '', 'the application wrote nothing to its log')
      const isForged = log.split('\n').some((each) => each.startsWith(line))
      world.check('IL-09', !isForged, `the ${by} of a response adds a line to the log`, {
        observed: 'a text',
      })
      world.reach(by)
    },
  }),
]

function secretsOf({ idps }: World): (readonly [what: string, secret: string])[] {
  const requests = Object.values(idps).flatMap(({ log }) => log)
  return [
    ['a refresh token', refreshToken],
    ...['alpha', 'beta', 'plain'].map((name) => ['a client secret', `secret-at-${name}-0123456789`] as const),
    ...Object.values(idps)
      .flatMap(({ issued }) => issued)
      .map((token) => ['an access token or an id_token', token] as const),
    ...requests.flatMap(({ headers, parameters }) => [
      ['a code verifier', parameters.get('code_verifier') ?? ''] as const,
      [
        'a client secret in base64',
        /^Basic (.+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? '',
      ] as const,
      ['an access token', /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? ''] as const,
    ]),
  ]
}

function decode(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}
