import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import type { IdpUser } from '../../world/idp/contract.ts'
import { member } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentAs } from '../support/identities.ts'
import { isRefusal, stored } from '../support/outcome.ts'

/** A mailbox, and similar ones that no Unicode normalisation merges. */
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

type SignInMethod = 'mail' | 'alpha' | 'plain'

/** Spellings that always mean the same address. */
const typings = {
  unchanged: (address: string) => address,
  'in capitals': (address: string) => address.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
  'between spaces': (address: string) => ` ${address} `,
} as const
type Typing = keyof typeof typings

/** Signs in with a mailbox, spelled in this way. */
async function signInWith(
  world: World,
  browser: Browser,
  method: SignInMethod,
  address: string,
  typing: Typing,
) {
  if (method !== 'mail') {
    const reply = await browser.arrive(
      await consentAs(world, browser, method, `owner-${mailboxes.indexOf(address)}`),
    )
    world.check('EM-04', !isRefusal(reply), `${address} at ${method} is refused because of another address`)
    return
  }
  const before = world.mailbox.mails.length
  await browser.start('mail', { email: typings[typing](address) })
  const mail = world.mailbox.mails[before]
  world.assume(mail !== undefined, `${address} is refused`)
  if (!mail) return
  world.check('EM-04', mail.to === address, `${address} was typed ${typing}, but ${mail.to} was mailed`)
  const reply = await browser.followLink(mail)
  world.check('EM-04', !isRefusal(reply), `a link mailed to ${address} is not found under that address`)
}

/** Checks that this browser is signed in as the user stored with this address. */
async function checkOwner(world: World, browser: Browser, address: string, how: string): Promise<void> {
  const shown = member((await browser.readSession()).json, 'user', 'email')
  world.check('EM-04', shown === address, `${address} ${how} opens the session of ${String(shown)}`)
}

export const similarAddressProperties: readonly Property[] = [
  property({
    proves: ['EM-04', 'EM-05'],
    name: 'keeps similar mailboxes apart, on every path',
    story: 'An attacker’s mailbox differs from a victim’s by a dot, and the attacker signs in as the victim.',
    advice: 'Look an address up exactly as stored and mailed, without further folding.',
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
      signInMethods: fc.array(fc.constantFrom<SignInMethod>('mail', 'mail', 'alpha', 'plain'), {
        minLength: 6,
        maxLength: 6,
      }),
      back: fc.nat({ max: 5 }),
      typing: fc.constantFrom(...(Object.keys(typings) as Typing[])),
    }),
    async run(world, { owners, signInMethods, back, typing }) {
      for (const [n, address] of owners.entries()) {
        const method = signInMethods[n] ?? 'mail'
        const browser = world.browser()
        await signInWith(world, browser, method, address, 'unchanged')
        world.reach(method === 'mail' ? 'by mail' : 'by a provider')
        await checkOwner(world, browser, address, `by ${method}`)
        const last = world.rows.users.at(-1)?.email
        const isOne = world.rows.users.length === n + 1 && last === address
        world.check(
          'EM-04',
          isOne,
          `${address} by ${method} is stored as ${last}, or merged with another user`,
        )
      }
      // A returning user is looked up by the stored address.
      const [address, method] = [owners[back] ?? victim, signInMethods[back] ?? 'mail']
      const browser = world.browser()
      const from = world.recorded.callbacks.length
      await signInWith(world, browser, method, address, typing)
      await checkOwner(world, browser, address, `by ${method} again, typed ${typing}`)
      world.check(
        'EM-05',
        world.rows.users.length === owners.length,
        `${address} signed in again as a new user`,
      )
      if (method !== 'mail') return
      world.reach('by mail again')
      const row = world.rows.users[back]
      for (const { name, params } of world.recorded.callbacks.slice(from)) {
        const id = name === 'signIn' ? member(params, 'user', 'id') : row?.id
        world.check('EM-04', id === row?.id, `${address}, typed ${typing}, is looked up as an unknown user`)
      }
    },
  }),
]
