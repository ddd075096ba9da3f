import fc from 'fast-check'
import { answerTo, requireOptions, openDevice, postAnswer } from '../../world/passkeys.ts'
import { people } from '../../world/people.ts'
import { member, type Reply } from '../../world/reply.ts'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import type { Given } from '../support/callbacks.ts'
import { bothStrategies, property, type Property } from '../property.ts'
import { everySignInMethod } from '../support/sign-in-methods.ts'
import { headerOf } from '../support/sessions.ts'

const canary = 'canary-of-a-body'

/** Names that reach a prototype, as JSON text spells them. */
const prototypeNames = fc.constantFrom('__proto__', '\\u005f_proto__', 'constructor', 'prototype')
const holderNames = fc.constantFrom('user', 'deep', 'list', 'constructor', 'prototype', '__proto__')

/** Returns JSON text with a role under this name, nested in members of the names in the path. */
function nest(name: string, path: readonly string[]): string {
  return path.reduceRight(
    (inner, holder) => `{"note":"${canary}","${holder}":${holder === 'list' ? `[${inner}]` : inner}}`,
    `{"note":"${canary}","${name}":{"role":"admin"}}`,
  )
}

/** Copies objects into one, as callbacks of many applications do, and returns the role of the result. */
function roleOf(...objects: readonly unknown[]): unknown {
  return (Object.assign({}, ...objects) as { role?: unknown }).role
}

/** Returns the path within a value at which an object has `__proto__` as an own member. */
function findPrototype(value: unknown, at: string, seen = new Set<unknown>()): string | undefined {
  if (typeof value !== 'object' || value === null || seen.has(value)) return undefined
  seen.add(value)
  for (const [name, inner] of Object.entries(value)) {
    const place = `${at}.${name}`
    const found = name === '__proto__' ? place : findPrototype(inner, place, seen)
    if (found !== undefined) return found
  }
  return undefined
}

/** Opens an application whose callbacks copy request data, and records what its `authorize` receives. */
async function openCopying(base: World) {
  const credentials: Given[] = []
  const setup = everySignInMethod(base.strategy, base, {
    callbacks: {
      jwt: ({ token, user, session }: Given) => ({
        ...(token as object),
        role: roleOf(session) ?? member(user, 'role') ?? member(token, 'role'),
      }),
      session: ({ session, token, newSession }: Given) => ({
        user: member(session, 'user'),
        expires: member(session, 'expires'),
        role: member(token, 'role') ?? roleOf(newSession),
      }),
    },
  })
  const { ada } = people
  const authorize = (given: Given) => {
    credentials.push(given)
    const data = typeof given.data === 'object' ? given.data : undefined
    const role = roleOf(given)
    return Object.assign({ id: 'ada-by-form', name: ada.name, email: ada.address.form, role }, data)
  }
  const world = await base.another({ ...setup, provider: { form: { authorize } } }, 'own')
  return { world, credentials }
}

const forms = 'application/x-www-form-urlencoded'
type ContentType = 'application/json' | typeof forms

/** Posts raw text. */
async function postText(
  world: World,
  browser: Browser,
  path: string,
  body: string,
  type: ContentType = 'application/json',
): Promise<Reply> {
  const headers = { cookie: headerOf(browser.cookies()), 'content-type': type }
  return world.send(new Request(world.url(path), { method: 'POST', headers, body }))
}

type Way = 'an update' | 'credentials' | 'a form' | 'a passkey'

/** Sends data in this way, in an otherwise valid request; `top` is a member of the body itself. */
async function submit(world: World, way: Way, data: string, top: string): Promise<Reply> {
  const { ada } = world.people
  const browser = world.browser('ada')
  if (way === 'a passkey') {
    world.prove(browser, ada, 'passkey')
    const fields = { action: 'register', email: ada.address.passkey }
    const options = await requireOptions(world, browser, 'register', fields)
    const answer = JSON.stringify(answerTo(openDevice(world, ada), 'register', options))
    return postAnswer(world, browser, 'register', `${answer.slice(0, -1)},"clientExtensionResults":${data}}`)
  }
  if (way === 'an update') await browser.signIn('alpha', ada)
  const csrfToken = await browser.csrfToken()
  world.recorded.callbacks.length = 0
  const path = way === 'an update' ? 'session' : `callback/${world.idOf('form') ?? ''}`
  if (way === 'a form') {
    const name = JSON.parse(`"${top}"`) as string
    const fields = new URLSearchParams([
      ...Object.entries({ csrfToken, username: 'ada', data }),
      [name, 'admin'],
    ])
    return postText(world, browser, path, fields.toString(), forms)
  }
  const body = `{"csrfToken":${JSON.stringify(csrfToken)},"username":"ada","${top}":{"role":"admin"},"data":${data}}`
  return postText(world, browser, path, body)
}

export const bodyPrototypeProperties: readonly Property[] = [
  property({
    proves: ['LM-12'],
    name: 'passes no prototype from a body, or from an object inside it, to a callback',
    story:
      'A callback refuses a posted `role`, but copies `{"__proto__":{"role":"admin"}}` onto the token, and the user becomes an administrator.',
    advice: 'When you parse a body, remove `__proto__` from it and from every object inside it.',
    needs: ['setup', 'hooks'],
    setups: bothStrategies,
    runs: 90,
    reaches: { 'an update': 20 },
    parts: [{ way: 'an update' }, { way: 'credentials' }, { way: 'a form' }, { way: 'a passkey' }],
    input: fc.record({
      way: fc.constantFrom<Way[]>('an update', 'an update', 'credentials', 'a form', 'a passkey'),
      name: prototypeNames,
      path: fc.array(holderNames, { maxLength: 3 }),
      top: prototypeNames,
    }),
    async run(base, { way: wanted, name, path, top }) {
      const { world, credentials } = await openCopying(base)
      const needed = wanted === 'a passkey' ? 'passkey' : 'form'
      const way = wanted === 'an update' || world.idOf(needed) === undefined ? 'an update' : wanted
      const data = nest(name, path)
      const what = `${way} of ${data} beside ${top}`
      const reply = await submit(world, way, data, top)
      world.check('LM-12', reply.status < 500, `${what} returns ${reply.failure ?? reply.status}`)

      const received = [
        ...world.recorded.callbacks.map(({ name: callback, params }) => [params, callback] as const),
        ...world.recorded.events.map(({ event, message }) => [message, event] as const),
        ...credentials.map((given) => [given, 'authorize'] as const),
      ]
      // Callbacks receive nothing from a passkey response.
      const isReceived = way === 'a passkey' ? received.length > 0 : JSON.stringify(received).includes(canary)
      world.assume(isReceived, `no callback receives ${way}`)
      for (const [value, callback] of received) {
        const found = findPrototype(value, callback)
        world.check('LM-12', found === undefined, `${what} passes ${found ?? ''} to a callback`)
        for (const [key, part] of Object.entries(value)) {
          if (key === top) continue
          const role = member(part, 'role')
          world.check(
            'LM-12',
            role !== 'admin',
            `${what} makes the ${callback} callback see an administrator`,
          )
        }
      }
      world.check(
        'LM-12',
        member(reply.json, 'role') === undefined,
        `${what} makes the user an administrator`,
      )
      world.check('LM-12', !('role' in {}), `${what} gives every object a role`)
      world.reach(way)
    },
  }),
]
