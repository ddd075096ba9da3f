import { addDevice, enrol, openDevice, perform, type Device } from '../../world/passkeys.ts'
import type { Person } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { passkeySetup, withPasskeys } from '../support/passkeys.ts'

/** The maximum number of bytes in a user handle (WebAuthn L3 §5.4.3). */
const longest = 64

/** How page scripts pass the handle of the options to the authenticator, and report its own. */
const clients = [
  { name: 'text', encoding: 'utf8' },
  { name: 'bytes', encoding: 'base64url' },
] as const
type Client = (typeof clients)[number]

/** Describes a new user with an id, in place of which the store may choose another. */
const getUserInfo = async (_: unknown, request: Request) => {
  const email = new URL(request.url).searchParams.get('email')
  return email ? { exists: false, user: { id: crypto.randomUUID(), name: email, email } } : null
}

export const webauthnHandleProperties: readonly Property[] = [
  property({
    proves: ['DEC-30h', 'WA-07'],
    name: 'accepts both encodings of the user handle, whichever script registered the passkey',
    story: 'A site updates its page’s script, and nobody can sign in with a passkey anymore.',
    advice: 'Keep handles short enough to be stored as text, and read both encodings.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys, 'new users with an id': passkeySetup({ getUserInfo }) },
    runs: 1,
    async run(world) {
      const { ada, bob } = world.people
      const [first, next] = await registerTwice(world, ada)
      const [, another] = await registerTwice(world, bob)
      for (const registers of clients)
        for (const reports of clients) {
          const how = `stored as ${registers.name} and reported as ${reports.name}`
          for (const device of [first, next]) {
            const stored = storeBy(registers, device)
            world.check('DEC-30h', stored.length <= longest, `a handle of ${stored.length} bytes, ${how}`)
            const me = await signInBy(world, device, stored.toString(reports.encoding))
            world.check('DEC-30h', me === ada.name, `nobody can sign in with a handle ${how}`)
          }
          // Decoding bytes as UTF-8 loses information, so they identify nobody.
          if (registers.name === 'bytes' && reports.name === 'text') continue
          const me = await signInBy(world, next, storeBy(registers, another).toString(reports.encoding))
          world.check('WA-07', me === undefined, `the handle of another user, ${how}, signs in`)
        }
    },
  }),
]

/** Registers a device of a new user, and adds another whose handle is derived from that user. */
async function registerTwice(world: World, person: Person): Promise<readonly [Device, Device]> {
  const browser = world.browser(person.name)
  const [first, next] = [openDevice(world, person), openDevice(world, person)]
  await enrol(world, browser, first)
  await addDevice(world, browser, next)
  return [first, next]
}

function storeBy({ encoding }: Client, { authenticator }: Device): Buffer {
  return Buffer.from(authenticator.held[0]?.userHandle ?? '', encoding)
}

/** @returns the signed-in user */
async function signInBy(world: World, device: Device, userHandle: string): Promise<string | undefined> {
  const browser = world.browser(device.owner.name)
  world.prove(browser, device.owner, 'passkey')
  await perform(world, browser, device, 'authenticate', { faults: { userHandle } })
  return browser.whoAmI()
}
