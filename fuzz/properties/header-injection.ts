import fc from 'fast-check'
import { anyText } from '../arbitraries/any-text.ts'
import type { World } from '../world/world.ts'
import { bothStrategies, property, type Property } from './property.ts'
import { headerOf, update } from './support/sessions.ts'
import { readLine } from './support/set-cookie-lines.ts'

const attributeNames = new Set([
  'max-age',
  'domain',
  'path',
  'expires',
  'httponly',
  'secure',
  'partitioned',
  'priority',
  'samesite',
])

/** What breaks a header out of its line, and a cookie out of its value. */
const injections = fc.constantFrom(
  '\r\nSet-Cookie: evil=1',
  '\nevil: 1',
  '\r evil',
  '; Domain=evil.example',
  '; Secure; Path=/evil',
  ', evil=1; Path=/',
  '%0d%0aSet-Cookie:%20evil=1',
  '%0D%0Aevil',
  '\u560a\u560d',
  '\u010d\u010a evil=1',
  '"; evil=1',
  '\u0000',
  '\u2028evil',
  ';',
  ',',
)
const around = fc.constantFrom(
  '/',
  '/here',
  'https://app.example/x',
  'https://app.example/?a=',
  '',
  'https://app.example',
)
const legible = { httpOnly: true, sameSite: 'lax', path: '/', secure: true, encode: String }

export const headerInjectionProperties: readonly Property[] = [
  property({
    proves: ['CK-10'],
    name: 'nothing that is sent breaks out of a header',
    story: 'A link plants a cookie or a header of the attacker in the answer to whoever follows it.',
    advice: 'Encode the values of cookies, and write URLs with a URL parser.',
    setups: bothStrategies,
    runs: 150,
    input: fc.record({
      text: fc.oneof(
        fc.tuple(around, injections, around).map((parts) => parts.join('')),
        anyText(30),
      ),
      place: fc.constantFrom(
        'query',
        'form',
        'cookie',
        'error',
        'provider',
        'address',
        'state',
        'session',
        'error of the provider',
      ),
    }),
    async run(world, { text, place }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const at = (path: string) => `${world.basePath}/${path}`
      const query = (parameters: Record<string, string>) => `?${new URLSearchParams(parameters)}`
      const csrfToken = await browser.csrfToken()
      if (place === 'query') {
        await browser.send(at(`signin${query({ callbackUrl: text, error: text })}`))
        await browser.send(at(`session${query({ callbackUrl: text })}`))
      } else if (place === 'form') await browser.start('plain', { callbackUrl: text })
      else if (place === 'cookie') {
        const safe = text.replaceAll(/[^\x20-\x3a\x3c-\x7e]/g, (each) =>
          `${new URLSearchParams({ '': each })}`.slice(1),
        )
        const cookies = Object.fromEntries(Object.keys(browser.cookies()).map((name) => [name, safe]))
        await browser.send(at('csrf'), {
          headers: { cookie: headerOf({ ...browser.cookies(), ...cookies }) },
        })
        await browser.send(at('session'), {
          headers: { cookie: headerOf({ ...browser.cookies(), ...cookies }) },
        })
      } else if (place === 'error') await browser.send(at(`error${query({ error: text })}`))
      else if (place === 'provider') {
        const id = encodeURIComponent(`${new URLSearchParams({ '': text })}`.slice(1))
        await browser.send(at(`signin/${id}`), { form: { csrfToken } })
        await browser.send(at(`callback/${id}`))
      } else if (place === 'address')
        await browser.send(at('signin/mail'), { form: { csrfToken, email: `ada${text}@mail.example` } })
      else if (place === 'session') await update(world, browser, { user: text, note: text })
      else {
        const arrival = await browser.visit('alpha', ada)
        if (place === 'state') arrival.parameters.set('state', text)
        else {
          arrival.parameters.delete('code')
          arrival.parameters.set('error', text)
          arrival.parameters.set('error_description', text)
        }
        await browser.arrive(arrival)
      }
      await browser.start('alpha', { callbackUrl: text })
      await browser.signOut({ callbackUrl: text })
      holdWhole(world, true)
    },
  }),

  property({
    proves: ['CK-10'],
    name: 'an encoder of the application that leaves what is sent as it is opens no cookie',
    story: 'An application keeps its cookies legible, and a link adds attributes to one of them.',
    advice: 'Whatever encodes a value, encode after it what may not stand in one.',
    setups: Object.fromEntries(
      Object.entries(bothStrategies).map(([name, setup]) => [
        name,
        { ...setup, config: { cookies: { callbackUrl: { name: 'target', options: legible } } } },
      ]),
    ),
    runs: 40,
    input: fc.tuple(around, injections, around).map((parts) => parts.join('')),
    async run(world, text) {
      const browser = world.browser('ada')
      await browser.send(`${world.basePath}/signin?${new URLSearchParams({ callbackUrl: text })}`)
      await browser.start('alpha', { callbackUrl: text })
      holdWhole(world, false)
    },
  }),
]

/** Holds that no answer so far has a header, a cookie or an attribute that the application did not choose. */
function holdWhole(world: World, mayNotFail: boolean): void {
  for (const { request, reply } of world.replies) {
    const where = `${request.method} ${new URL(request.url).pathname}`
    if (mayNotFail) world.hold('CK-10', !reply.failure, `${where} fails: ${reply.failure ?? ''}`)
    const to = reply.headers.get('location') ?? ''
    world.hold('CK-10', !/[\r\n\0]/.test(to), `a Location has more than one line, at ${where}`)
    world.hold('CK-10', !reply.headers.has('evil'), `a header was planted, at ${where}`)
    for (const line of reply.headers.getSetCookie()) {
      const { name, value, attributes, count } = readLine(line)
      const says = `${JSON.stringify(line.slice(0, 200))}, at ${where}`
      world.hold('CK-10', !name.includes('evil'), `a cookie was planted: ${says}`)
      world.hold(
        'CK-10',
        /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(value),
        `a value breaks out: ${says}`,
      )
      world.hold('CK-10', attributes.size === count, `an attribute comes twice: ${says}`)
      for (const [key, said] of attributes) {
        world.hold('CK-10', attributeNames.has(key), `an attribute was planted: ${says}`)
        world.hold(
          'CK-10',
          !said.includes('evil') && (key === 'expires' || !said.includes(',')),
          `an attribute was planted: ${says}`,
        )
      }
    }
  }
}
