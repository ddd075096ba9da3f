import type { Browser } from './browser.ts'
import type { Person } from './people.ts'
import { member, type Reply } from './reply.ts'
import { openAuthenticator, type Authenticator, type Faults, type Options } from './webauthn/authenticator.ts'
import type { World } from './world.ts'

/** The authenticator of a person. */
export interface Device {
  readonly owner: Person
  readonly authenticator: Authenticator
}

/** The application's options for an authenticator. */
export interface Offer {
  readonly reply: Reply
  /** `authenticate` or `register`; undefined if there are no options. */
  readonly action: string | undefined
  readonly options: Options | undefined
}

/** The fields of a request for options: `action`, and those of the page. */
type Fields = Readonly<Record<string, string | undefined>>

/** Options of a ceremony. */
export interface Ceremony {
  readonly fields?: Fields
  readonly faults?: Faults
}

/** @param counts whether it has a signature counter; that of synchronised passkeys stays at 0 */
export function openDevice(world: World, owner: Person, { counts = true } = {}): Device {
  return { owner, authenticator: openAuthenticator(world.origin, { counts }) }
}

/** Generates a credential id from the world's random generator. */
export function generateId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

/** Requests options, as the script of the page does. */
export async function requestOptions(
  world: World,
  browser: Browser,
  fields: Fields = {},
  provider = world.idOf('passkey') ?? '',
): Promise<Offer> {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  const path = `${world.basePath}/webauthn-options/${provider}?${new URLSearchParams(given)}`
  const reply = await browser.send(path, { says: 'requests passkey options' })
  const [action, options] = [member(reply.json, 'action'), member(reply.json, 'options')]
  const isOffer = reply.status === 200 && typeof action === 'string' && typeof options === 'object'
  return {
    reply,
    action: isOffer ? action : undefined,
    options: isOffer ? (options as Options) : undefined,
  }
}

/** Requests options for an action. @throws {Unreached} unless the application returns them */
export async function requireOptions(
  world: World,
  browser: Browser,
  action: 'authenticate' | 'register',
  fields: Fields = {},
  provider?: string,
): Promise<Options> {
  const offer = await requestOptions(world, browser, fields, provider)
  const isExpected = offer.action === action && offer.options !== undefined
  world.assume(isExpected, `the application returned no options to ${action}: ${offer.reply.status}`)
  return offer.options ?? { challenge: '' }
}

/** Posts the response of an authenticator, as the form of the page does. */
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
    says: `posts a passkey response, to ${action}`,
  })
}

/** Creates the device's response to the options of a ceremony. */
export function answerTo(
  { authenticator }: Device,
  action: 'authenticate' | 'register',
  options: Options,
  faults: Faults = {},
) {
  return action === 'register'
    ? authenticator.create(options, { id: generateId(), ...faults })
    : authenticator.get(options, faults)
}

/** Performs a whole ceremony, and does not check its outcome. */
export async function perform(
  world: World,
  browser: Browser,
  device: Device,
  action: 'authenticate' | 'register',
  { fields = { action }, faults }: Ceremony = {},
): Promise<Reply> {
  const options = await requireOptions(world, browser, action, fields)
  return postAnswer(world, browser, action, answerTo(device, action, options, faults))
}

/**
 * Registers a new user with their address, and signs them in. @throws {Unreached} if they are not signed in
 *
 * @param faults deviations that the application accepts, such as the first value of a counter
 */
export async function enrol(world: World, browser: Browser, device: Device, faults?: Faults): Promise<Reply> {
  const { owner } = device
  world.prove(browser, owner, 'passkey')
  const fields = { action: 'register', email: owner.address.passkey }
  const reply = await perform(world, browser, device, 'register', { fields, ...(faults && { faults }) })
  return assumeSignedIn(world, browser, owner, reply)
}

/** Adds a device to a signed-in user. @throws {Unreached} if the application refuses */
export async function addDevice(world: World, browser: Browser, device: Device): Promise<Reply> {
  const reply = await perform(world, browser, device, 'register')
  return assumeSignedIn(world, browser, device.owner, reply)
}

/** Signs a user in with a registered device. @throws {Unreached} if they are not signed in afterwards */
export async function signInWith(
  world: World,
  browser: Browser,
  device: Device,
  ceremony?: Ceremony,
): Promise<Reply> {
  world.prove(browser, device.owner, 'passkey')
  const reply = await perform(world, browser, device, 'authenticate', ceremony)
  return assumeSignedIn(world, browser, device.owner, reply)
}

async function assumeSignedIn(world: World, browser: Browser, owner: Person, reply: Reply): Promise<Reply> {
  const me = await browser.whoAmI()
  const why = `${reply.status} ${reply.location?.href ?? ''}`
  world.assume(
    me === owner.name,
    `${owner.name} is not signed in with the passkey, but ${me ?? 'nobody'} is: ${why}`,
  )
  return reply
}

/** Origins and relying party ids that resemble the application's, by name. */
export const wrongPlaces: Readonly<Record<string, (origin: URL) => Faults>> = {
  'another scheme': ({ host }) => ({ origin: `http://${host}` }),
  'another port': ({ hostname }) => ({ origin: `https://${hostname}:8443` }),
  'a subdomain': ({ host }) => ({ origin: `https://sub.${host}` }),
  'the parent domain': ({ host }) => ({ origin: `https://${host.split('.').slice(1).join('.')}` }),
  'a host with the same prefix': ({ host }) => ({ origin: `https://${host}.evil.example` }),
  'a host with the same suffix': ({ host }) => ({ origin: `https://evil${host}` }),
  'its host as user information': ({ host }) => ({ origin: `https://${host}@evil.example` }),
  'an origin with a path': ({ origin }) => ({ origin: `${origin}/path` }),
  'an origin with a trailing dot': ({ origin }) => ({ origin: `${origin}.` }),
  'no origin': () => ({ origin: '' }),
  'an opaque origin': () => ({ origin: 'null' }),
  'another origin': () => ({ origin: 'https://evil.example' }),
  'the id of another site': () => ({ rpId: 'evil.example' }),
  'the id of the parent domain': ({ hostname }) => ({ rpId: hostname.split('.').slice(1).join('.') }),
  'the id of a subdomain': ({ hostname }) => ({ rpId: `sub.${hostname}` }),
  'the origin as id': ({ origin }) => ({ rpId: origin }),
  'the id in upper case': ({ hostname }) => ({ rpId: hostname.toUpperCase() }),
  'an id with a trailing dot': ({ hostname }) => ({ rpId: `${hostname}.` }),
  'an id with a port': ({ hostname }) => ({ rpId: `${hostname}:443` }),
  'no id': () => ({ rpId: '' }),
}

/** Frames of other origins that embed the application's page, by name. */
export const foreignFrames: Readonly<Record<string, Faults>> = {
  'a frame of another origin': { crossOrigin: true },
  'a frame of another origin with its topOrigin': { crossOrigin: true, topOrigin: 'https://evil.example' },
  'a topOrigin without crossOrigin': { topOrigin: 'https://evil.example' },
}
