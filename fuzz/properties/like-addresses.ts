import fc from 'fast-check'
import type { Browser } from '../world/browser.ts'
import type { IdpUser } from '../world/idp/contract.ts'
import { member } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { consentAs } from './support/identities.ts'
import { isRefusal, stored } from './support/outcome.ts'

/** A mailbox, and others that look like it, or like each other; no normalisation of Unicode makes one of any two. */
const victim = 'annlie@mail.example'
const alike = [
  'ann.lie@mail.example',
  'a.nn.lie@mail.example',
  'annlie+news@mail.example',
  'ann-lie@mail.example',
  'ann_lie@mail.example',
  "ann'lie@mail.example",
  'ann%6cie@mail.example',
  'annlie1@mail.example',
  'annlie01@mail.example',
  '\u00e1nnlie@mail.example',
  'annl\u0131e@mail.example',
  '\u0430nnlie@mail.example',
  `annlie${'e'.repeat(50)}a@mail.example`,
  `annlie${'e'.repeat(50)}b@mail.example`,
  'annlie@www.mail.example',
  'annlie@mail.example.test',
  'annlie@m-ail.example',
] as const
const mailboxes = [victim, ...alike]
const users: readonly IdpUser[] = mailboxes.map((email, at) => ({
  sub: `owner-${at}`,
  claims: { name: 'ann', email, email_verified: true },
}))

type Door = 'mail' | 'alpha' | 'plain'

/** Ways to type an address that every reader takes for the same one. */
const typings = {
  'as it is': (address: string) => address,
  'in capitals': (address: string) => address.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
  'between spaces': (address: string) => ` ${address} `,
} as const
type Typing = keyof typeof typings

/** Comes in with a mailbox, however its owner types it. */
async function comeIn(world: World, browser: Browser, door: Door, address: string, typing: Typing) {
  if (door !== 'mail') {
    const reply = await browser.arrive(
      await consentAs(world, browser, door, `owner-${mailboxes.indexOf(address)}`),
    )
    world.hold('EM-04', !isRefusal(reply), `${address} at ${door} is refused because of another address`)
    return
  }
  const before = world.mailbox.mails.length
  await browser.start('mail', { email: typings[typing](address) })
  const mail = world.mailbox.mails[before]
  world.demand(mail !== undefined, `${address} is refused`)
  if (!mail) return
  world.hold('EM-04', mail.to === address, `${address} was typed ${typing}, and ${mail.to} was mailed`)
  const reply = await browser.followLink(mail)
  world.hold('EM-04', !isRefusal(reply), `a link that was mailed to ${address} is found under no address`)
}

/** Holds that this browser is the one of the user who is stored with this address. */
async function holdOwner(world: World, browser: Browser, address: string, how: string): Promise<void> {
  const shown = member((await browser.readSession()).json, 'user', 'email')
  world.hold('EM-04', shown === address, `${address} ${how} opens the session of ${String(shown)}`)
}

export const likeAddressProperties: readonly Property[] = [
  property({
    proves: ['EM-04', 'EM-05'],
    name: 'mailboxes that look alike belong to different users, on every path',
    story: 'An attacker has a mailbox that differs from a victim’s by a dot, and is let in as the victim.',
    advice: 'Look an address up under the very text that is stored and mailed, and fold nothing more away.',
    needs: ['store', 'hooks'],
    setups: stored({
      idp: { alpha: { users }, plain: { users } },
      provider: { alpha: { allowDangerousEmailAccountLinking: true } },
    }),
    runs: 40,
    reaches: { 'by mail': 40, 'by a provider': 40, 'by mail again': 6 },
    input: fc.record({
      owners: fc
        .shuffledSubarray([...alike], { minLength: 5, maxLength: 5 })
        .chain((others) => fc.shuffledSubarray([victim, ...others], { minLength: 6 })),
      doors: fc.array(fc.constantFrom<Door>('mail', 'mail', 'alpha', 'plain'), {
        minLength: 6,
        maxLength: 6,
      }),
      back: fc.nat({ max: 5 }),
      typing: fc.constantFrom(...(Object.keys(typings) as Typing[])),
    }),
    async run(world, { owners, doors, back, typing }) {
      for (const [n, address] of owners.entries()) {
        const door = doors[n] ?? 'mail'
        const browser = world.browser()
        await comeIn(world, browser, door, address, 'as it is')
        world.reach(door === 'mail' ? 'by mail' : 'by a provider')
        await holdOwner(world, browser, address, `by ${door}`)
        const last = world.rows.users.at(-1)?.email
        const isOne = world.rows.users.length === n + 1 && last === address
        world.hold('EM-04', isOne, `${address} by ${door} is stored as ${last}, or with somebody else`)
      }
      // Whoever comes back is looked up under what was stored.
      const [address, door] = [owners[back] ?? victim, doors[back] ?? 'mail']
      const browser = world.browser()
      const asked = world.told.callbacks.length
      await comeIn(world, browser, door, address, typing)
      await holdOwner(world, browser, address, `by ${door} again, typed ${typing}`)
      world.hold('EM-05', world.rows.users.length === owners.length, `${address} came back as somebody new`)
      if (door !== 'mail') return
      world.reach('by mail again')
      const row = world.rows.users[back]
      for (const { name, params } of world.told.callbacks.slice(asked)) {
        const id = name === 'signIn' ? member(params, 'user', 'id') : row?.id
        world.hold('EM-04', id === row?.id, `${address}, typed ${typing}, is looked up as somebody unknown`)
      }
    },
  }),
]
