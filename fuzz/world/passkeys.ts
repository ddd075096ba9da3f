import type { Browser } from './browser.ts'
import type { Person } from './people.ts'
import { member, type Reply } from './reply.ts'
import { openAuthenticator, type Authenticator, type Faults, type Options } from './webauthn/authenticator.ts'
import type { World } from './world.ts'

/** An authenticator that somebody has at hand. */
export interface Device {
  readonly owner: Person
  readonly authenticator: Authenticator
}

/** What the application asks of an authenticator. */
export interface Asked {
  readonly reply: Reply
  /** `authenticate` or `register`; undefined when it asks nothing. */
  readonly action: string | undefined
  readonly options: Options | undefined
}

/** Fields of the form that options are asked with: `action`, and those of the page. */
type Fields = Readonly<Record<string, string | undefined>>

/** How a ceremony is held. */
export interface Ceremony {
  readonly fields?: Fields
  readonly faults?: Faults
}

/** @param counts  Without counting, its signature counter stays at 0, as that of synchronised passkeys does */
export function openDevice(world: World, owner: Person, { counts = true } = {}): Device {
  return { owner, authenticator: openAuthenticator(world.origin, { counts }) }
}

/** A credential id of the world's own randomness. */
export function drawId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

/** Asks what the authenticator shall do, as the script of the page does. */
export async function askOptions(
  world: World,
  browser: Browser,
  fields: Fields = {},
  provider = world.idOf('passkey') ?? '',
): Promise<Asked> {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  const path = `${world.basePath}/webauthn-options/${provider}?${new URLSearchParams(given)}`
  const reply = await browser.send(path, { says: 'asks for the options of a passkey' })
  const [action, options] = [member(reply.json, 'action'), member(reply.json, 'options')]
  const isAsked = reply.status === 200 && typeof action === 'string' && typeof options === 'object'
  return {
    reply,
    action: isAsked ? action : undefined,
    options: isAsked ? (options as Options) : undefined,
  }
}

/** As {@link askOptions}. @throws {Unreached} unless the application asks for this */
export async function demandOptions(
  world: World,
  browser: Browser,
  action: 'authenticate' | 'register',
  fields: Fields = {},
  provider?: string,
): Promise<Options> {
  const asked = await askOptions(world, browser, fields, provider)
  const isThis = asked.action === action && asked.options !== undefined
  world.demand(isThis, `the application does not ask to ${action}: ${asked.reply.status}`)
  return asked.options ?? { challenge: '' }
}

/** Posts what an authenticator answered, as the page does with its form. */
export async function postAnswer(
  world: World,
  browser: Browser,
  action: string,
  answer: unknown,
  provider = world.idOf('passkey') ?? '',
): Promise<Reply> {
  const csrfToken = await browser.csrfToken()
  const data = typeof answer === 'string' ? answer : JSON.stringify(answer)
  return browser.send(`${world.basePath}/callback/${provider}`, {
    form: { csrfToken, action, data },
    says: `answers with a passkey, to ${action}`,
  })
}

/** Has the device answer options of the ceremony. */
export function answerTo(
  { authenticator }: Device,
  action: 'authenticate' | 'register',
  options: Options,
  faults: Faults = {},
) {
  return action === 'register'
    ? authenticator.create(options, { id: drawId(), ...faults })
    : authenticator.get(options, faults)
}

/** Holds a whole ceremony, whichever it may be called for; nothing is demanded of what comes of it. */
export async function perform(
  world: World,
  browser: Browser,
  device: Device,
  action: 'authenticate' | 'register',
  { fields = { action }, faults }: Ceremony = {},
): Promise<Reply> {
  const options = await demandOptions(world, browser, action, fields)
  return postAnswer(world, browser, action, answerTo(device, action, options, faults))
}

/**
 * Somebody new registers with their address, and is signed in. @throws {Unreached} when they are not
 *
 * @param faults that are none for the application, as the first value of a counter
 */
export async function enrol(world: World, browser: Browser, device: Device, faults?: Faults): Promise<Reply> {
  const { owner } = device
  world.prove(browser, owner, 'passkey')
  const fields = { action: 'register', email: owner.address.passkey }
  const reply = await perform(world, browser, device, 'register', { fields, ...(faults && { faults }) })
  return demandSignedIn(world, browser, owner, reply)
}

/** Somebody who is signed in adds a device. @throws {Unreached} when the application refuses */
export async function addDevice(world: World, browser: Browser, device: Device): Promise<Reply> {
  const reply = await perform(world, browser, device, 'register')
  return demandSignedIn(world, browser, device.owner, reply)
}

/** Somebody signs in with a device that they registered. @throws {Unreached} when they are not signed in then */
export async function signInWith(
  world: World,
  browser: Browser,
  device: Device,
  ceremony?: Ceremony,
): Promise<Reply> {
  world.prove(browser, device.owner, 'passkey')
  const reply = await perform(world, browser, device, 'authenticate', ceremony)
  return demandSignedIn(world, browser, device.owner, reply)
}

async function demandSignedIn(world: World, browser: Browser, owner: Person, reply: Reply): Promise<Reply> {
  const me = await browser.whoAmI()
  const why = `${reply.status} ${reply.location?.href ?? ''}`
  world.demand(
    me === owner.name,
    `${owner.name} is not signed in by a passkey, but ${me ?? 'nobody'}: ${why}`,
  )
  return reply
}

/** Places for which an honest authenticator would not answer here, by name: alike, but not the same. */
export const wrongPlaces: Readonly<Record<string, (origin: URL) => Faults>> = {
  'another scheme': ({ host }) => ({ origin: `http://${host}` }),
  'another port': ({ hostname }) => ({ origin: `https://${hostname}:8443` }),
  'a site below': ({ host }) => ({ origin: `https://sub.${host}` }),
  'a site above': ({ host }) => ({ origin: `https://${host.split('.').slice(1).join('.')}` }),
  'a host that begins like it': ({ host }) => ({ origin: `https://${host}.evil.example` }),
  'a host that ends like it': ({ host }) => ({ origin: `https://evil${host}` }),
  'its name as a user': ({ host }) => ({ origin: `https://${host}@evil.example` }),
  'a path below': ({ origin }) => ({ origin: `${origin}/path` }),
  'a dot behind': ({ origin }) => ({ origin: `${origin}.` }),
  'no origin': () => ({ origin: '' }),
  'an opaque origin': () => ({ origin: 'null' }),
  'another origin': () => ({ origin: 'https://evil.example' }),
  'the id of another site': () => ({ rpId: 'evil.example' }),
  'the id of the site above': ({ hostname }) => ({ rpId: hostname.split('.').slice(1).join('.') }),
  'the id of a site below': ({ hostname }) => ({ rpId: `sub.${hostname}` }),
  'the origin as id': ({ origin }) => ({ rpId: origin }),
  'the id in other letters': ({ hostname }) => ({ rpId: hostname.toUpperCase() }),
  'an id with a dot behind': ({ hostname }) => ({ rpId: `${hostname}.` }),
  'an id with a port': ({ hostname }) => ({ rpId: `${hostname}:443` }),
  'no id': () => ({ rpId: '' }),
}

/** Foreign pages around the application's, by name. */
export const foreignFrames: Readonly<Record<string, Faults>> = {
  'a frame of another origin': { crossOrigin: true },
  'a frame of another origin, named': { crossOrigin: true, topOrigin: 'https://evil.example' },
  'a frame that is named, but not admitted': { topOrigin: 'https://evil.example' },
}
