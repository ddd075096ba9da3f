import fc from 'fast-check'
import {
  openDevice,
  answerTo,
  requestOptions,
  requireOptions,
  enrol,
  postAnswer,
  signInWith,
} from '../../world/passkeys.ts'
import type { Answer } from '../../world/webauthn/authenticator.ts'
import { property, type Property } from '../property.ts'
import { isRefusal } from '../support/outcome.ts'
import { checkNobody, seeRows, withPasskeys } from '../support/passkeys.ts'

const ceremony = fc.constantFrom('authenticate' as const, 'register' as const)

/** Texts that are not authenticator responses, by name. */
const texts: Readonly<Record<string, string>> = {
  nothing: '',
  'invalid JSON': '{',
  'JSON null': 'null',
  'a number': '1',
  'a list': '[]',
  'a string': '"response"',
  'an empty object': '{}',
  'only an id': '{"id":"AAAA"}',
  'deep JSON': '['.repeat(20_000),
  'deep objects': `${'{"id":'.repeat(5000)}1${'}'.repeat(5000)}`,
  'a prototype': '{"__proto__":{"id":"AAAA"},"constructor":1}',
  'control characters': '\u0000\ufffd\u0000',
}
/** Values for a response member in place of a base64url string. */
const junk: readonly unknown[] = [
  undefined,
  null,
  1,
  true,
  {},
  [],
  '',
  '%%%',
  'a b',
  '\u0000',
  'AAAA',
  '\u{1f511}',
]
/** Bytes that are not CBOR, or not an attestation. */
const bytes: Readonly<Record<string, Buffer>> = {
  'only a break byte': Buffer.from([0xff]),
  'an endless string': Buffer.from([0x7b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
  'an endless map': Buffer.from([0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
  'an empty map': Buffer.from([0xa0]),
  'lists in lists': Buffer.alloc(5000, 0x81),
  'maps of maps': Buffer.alloc(5000, 0xa1),
  'a reserved length': Buffer.from([0xbc, 0x00]),
  'a tag without content': Buffer.from([0xc0]),
  zeros: Buffer.alloc(200),
  'a single byte': Buffer.from([0xa3]),
}
const members = {
  authenticate: ['clientDataJSON', 'authenticatorData', 'signature'],
  register: ['clientDataJSON', 'attestationObject'],
} as const

type Damage =
  | { readonly kind: 'text'; readonly name: string }
  | { readonly kind: 'member'; readonly at: number; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly at: number; readonly name: string }
  | { readonly kind: 'cut'; readonly at: number; readonly share: number }
  | { readonly kind: 'first byte'; readonly at: number }
  | { readonly kind: 'whole'; readonly at: number; readonly value: unknown }

const damages: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), name: fc.constantFrom(...Object.keys(texts)) }),
  fc.record({ kind: fc.constant('member' as const), at: fc.nat(5), value: fc.constantFrom(...junk) }),
  fc.record({
    kind: fc.constant('bytes' as const),
    at: fc.nat(5),
    name: fc.constantFrom(...Object.keys(bytes)),
  }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat(5), share: fc.integer({ min: 0, max: 95 }) }),
  fc.record({ kind: fc.constant('first byte' as const), at: fc.nat(5) }),
  fc.record({ kind: fc.constant('whole' as const), at: fc.nat(1), value: fc.constantFrom(...junk) }),
)

/** The response with one defect, and its description. */
function damageResponse(
  answer: Answer,
  action: 'authenticate' | 'register',
  damage: Damage,
): [string, string] {
  if (damage.kind === 'text') return [texts[damage.name] ?? '', damage.name]
  if (damage.kind === 'whole') {
    const name = damage.at === 0 ? 'id' : 'response'
    return [JSON.stringify({ ...answer, [name]: damage.value }), `${name}: ${String(damage.value)}`]
  }
  const name = members[action][damage.at % members[action].length] ?? ''
  const held = Buffer.from(String(answer.response[name]), 'base64url')
  const value = {
    member: () => (damage.kind === 'member' ? damage.value : undefined),
    bytes: () => (damage.kind === 'bytes' ? bytes[damage.name]?.toString('base64url') : undefined),
    cut: () =>
      damage.kind === 'cut'
        ? held.subarray(0, Math.floor((held.length * damage.share) / 100)).toString('base64url')
        : undefined,
    // An attestation then announces one more member than it has.
    'first byte': () =>
      Buffer.concat([Buffer.from([(held[0] ?? 0) + 1]), held.subarray(1)]).toString('base64url'),
  }[damage.kind]()
  const broken = { ...answer, response: { ...answer.response, [name]: value } }
  return [JSON.stringify(broken), `${name}: ${String(value).slice(0, 60)}`]
}

export const webauthnFormProperties: readonly Property[] = [
  property({
    proves: ['WA-12'],
    name: 'refuses an invalid authenticator response without an exception',
    story: 'An attacker posts garbage until it causes an exception, an incomplete row, or a session.',
    advice: 'Check every member before you use it, and refuse anything that cannot be read.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 150,
    input: fc.record({ action: ceremony, damage: damages }),
    async run(world, { action, damage }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      if (action === 'authenticate') await enrol(world, world.browser('ada'), device)
      const email = action === 'register' ? { email: ada.address.passkey } : {}
      const browser = world.browser('ada')
      const options = await requireOptions(world, browser, action, { action, ...email })
      const [data, says] = damageResponse(answerTo(device, action, options), action, damage)
      const before = seeRows(world)
      const reply = await postAnswer(world, browser, action, data)
      world.check('WA-12', reply.failure === undefined, `${says}: the handler failed: ${reply.failure ?? ''}`)
      world.check('WA-12', isRefusal(reply), `${says}: the response is a success, ${reply.status}`)
      world.check('WA-12', reply.status < 500, `${says}: the response is a server error, ${reply.status}`)
      // The error page must report a bad request, not a server error.
      const shown = reply.location && (await browser.send(reply.location.href))
      world.check(
        'WA-12',
        (shown?.status ?? 400) < 500,
        `${says}: the error page has status ${shown?.status}`,
      )
      await checkNobody(world, 'WA-12', browser, before, says)
      if (action === 'authenticate') await signInWith(world, world.browser('ada'), device)
      else await enrol(world, world.browser('ada'), openDevice(world, ada))
    },
  }),
  property({
    proves: ['WA-12'],
    name: 'refuses an unknown ceremony on every route',
    story: 'An unexpected ceremony name reaches untested code.',
    advice: 'Accept two names and refuse the rest, for options and for responses.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 40,
    input: fc.record({
      action: ceremony,
      name: fc.constantFrom(
        '',
        'Register',
        'authenticate ',
        'constructor',
        '__proto__',
        'toString',
        'null',
        'get',
        '\u0000',
      ),
    }),
    async run(world, { action, name }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      await enrol(world, world.browser('ada'), device)
      const browser = world.browser('eve')
      const offer = await requestOptions(world, browser, { action: name })
      const isServed = offer.action !== undefined && name !== ''
      world.check('WA-12', !isServed, `options were requested as ${JSON.stringify(name)}, and returned`)
      world.check('WA-12', offer.reply.status < 500, `${JSON.stringify(name)} returned ${offer.reply.status}`)
      const email = action === 'register' ? { email: 'new@passkey.example' } : {}
      const options = await requireOptions(world, browser, action, { action, ...email })
      const before = seeRows(world)
      const reply = await postAnswer(world, browser, name, answerTo(device, action, options))
      const says = `a response was posted to ${JSON.stringify(name)}`
      world.check('WA-12', reply.failure === undefined && reply.status < 500, `${says}: ${reply.status}`)
      await checkNobody(world, 'WA-12', browser, before, says)
      await signInWith(world, world.browser('ada'), device)
    },
  }),
  property({
    proves: ['TX-17'],
    name: 'completes a ceremony only through a posted form',
    story: 'A link on another page completes or consumes a ceremony in a visitor’s name.',
    advice: 'Accept only POST with the CSRF token at the passkey callback.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 40,
    reaches: { GET: 1 },
    input: fc.record({
      action: ceremony,
      method: fc.constantFrom('GET', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'),
      trick: fc.constantFrom('none', 'override header', 'override parameter', 'fetch header'),
      inBody: fc.boolean(),
    }),
    async run(world, { action, method, trick, inBody }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      if (action === 'authenticate') await enrol(world, world.browser('ada'), device)
      const email = action === 'register' ? { email: ada.address.passkey } : {}
      const browser = world.browser('ada')
      const options = await requireOptions(world, browser, action, { action, ...email })
      const answer = answerTo(device, action, options)
      const form = { csrfToken: await browser.csrfToken(), action, data: JSON.stringify(answer) }
      const before = seeRows(world)
      const held = () =>
        Object.keys(browser.cookies())
          .filter((name) => !/callback-?url/i.test(name))
          .toSorted()
          .join(' ')
      const cookies = held()
      const hasBody = inBody && !['GET', 'HEAD'].includes(method)
      const query = new URLSearchParams({
        ...(!hasBody && form),
        ...(trick === 'override parameter' && { _method: 'POST' }),
      })
      const headers = {
        ...(trick === 'override header' && { 'x-http-method-override': 'POST', 'x-method-override': 'POST' }),
        ...(trick === 'fetch header' && { 'x-auth-return-redirect': '1', accept: 'application/json' }),
      }
      const path = `${world.basePath}/callback/${world.idOf('passkey') ?? ''}?${query}`
      const reply = await browser.send(path, { method, headers, ...(hasBody && { form }) })
      world.reach(method)
      const what = `${method} for the response of a passkey, to ${action}`
      world.check('TX-17', reply.failure === undefined, `${what}: ${reply.failure ?? ''}`)
      world.check('TX-17', held() === cookies, `${what} changed the cookies from ${cookies} to ${held()}`)
      await checkNobody(world, 'TX-17', browser, before, what)
      world.prove(browser, ada, 'passkey')
      await postAnswer(world, browser, action, answer)
      const me = await browser.whoAmI()
      world.assume(me === 'ada', `the same response in a form signs in ${me ?? 'nobody'}, after ${method}`)
    },
  }),
]
