import fc from 'fast-check'
import { anyText } from '../../arbitraries/any-text.ts'
import type { World } from '../../world/world.ts'
import { bothStrategies, property, type Property } from '../property.ts'
import { headerOf, update } from '../support/sessions.ts'
import { readLine } from '../support/set-cookie-lines.ts'

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

/** Strings that break out of a header line or a cookie value. */
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
    name: 'keeps input from breaking out of a header',
    story: 'An attacker’s link injects a cookie or a header into the response to its visitors.',
    advice: 'Encode cookie values, and serialise URLs with a URL parser.',
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
      checkWhole(world, true)
    },
  }),

  property({
    proves: ['CK-10'],
    name: 'keeps input from adding cookie attributes, even with a custom encoder',
    story: 'An application keeps its cookies readable, and a link adds attributes to one of them.',
    advice: 'After a custom encoder, escape every character that a cookie value must not contain.',
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
      checkWhole(world, false)
    },
  }),
]

/** Checks that no response has a header, cookie or attribute that the application did not choose. */
function checkWhole(world: World, mayNotFail: boolean): void {
  for (const { request, reply } of world.replies) {
    const where = `${request.method} ${new URL(request.url).pathname}`
    if (mayNotFail) world.check('CK-10', !reply.failure, `${where} fails: ${reply.failure ?? ''}`)
    const to = reply.headers.get('location') ?? ''
    world.check('CK-10', !/[\r\n\0]/.test(to), `a Location has more than one line, at ${where}`)
    world.check('CK-10', !reply.headers.has('evil'), `a header was injected, at ${where}`)
    for (const line of reply.headers.getSetCookie()) {
      const { name, value, attributes, count } = readLine(line)
      const says = `${JSON.stringify(line.slice(0, 200))}, at ${where}`
      world.check('CK-10', !name.includes('evil'), `a cookie was injected: ${says}`)
      world.check(
        'CK-10',
        /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(value),
        `a cookie value has forbidden characters: ${says}`,
      )
      world.check('CK-10', attributes.size === count, `a duplicate attribute: ${says}`)
      for (const [key, said] of attributes) {
        world.check('CK-10', attributeNames.has(key), `an attribute was injected: ${says}`)
        world.check(
          'CK-10',
          !said.includes('evil') && (key === 'expires' || !said.includes(',')),
          `an attribute was injected: ${says}`,
        )
      }
    }
  }
}
