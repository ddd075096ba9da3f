import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import { addDevice, openDevice } from '../../world/passkeys.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { formsFor, sendForm, withAccountPage } from '../support/account.ts'
import { plant, sessionName, sessionOf } from '../support/sessions.ts'

/** The account page with either kind of session; tokens are revoked by a list. */
const withSessions = {
  ...withAccountPage,
  jwt: {
    strategy: 'jwt',
    providers: ['alpha', 'beta'],
    config: { adapter: true },
    with: { 'account-page': true, 'jwt-revocation': true },
  },
} as const satisfies Record<string, Setup>

/** Texts that a user could type, each with whether it repeats the address. */
const confirmations = {
  'the address': [(address: string) => address, true],
  'the address in capitals': [(address: string) => address.toUpperCase(), true],
  'the address between spaces': [(address: string) => ` ${address} `, true],
  nothing: [() => '', false],
  'a part of the address': [(address: string) => address.slice(0, -1), false],
  'more than the address': [(address: string) => `${address}.example`, false],
  'the word for users without an address': [() => 'delete', false],
  'another address': [() => 'bob@mail.example', false],
} as const
type Confirmation = keyof typeof confirmations

/** Ways to request the page without being allowed to see it. */
const strangers = {
  'a browser without a session': async (world: World) => world.browser('eve'),
  'a browser that signed out': async (world: World) => {
    const browser = world.browser('ada')
    await browser.signIn('alpha', world.people.ada)
    await browser.signOut()
    return browser
  },
  'a browser with an invalid session': async (world: World) => {
    const signedIn = world.browser('ada')
    await signedIn.signIn('alpha', world.people.ada)
    const browser = world.browser('eve')
    plant(browser, { [sessionName(world, signedIn)]: 'of-nobody' })
    return browser
  },
  'a browser whose session expired': async (world: World) => {
    const browser = world.browser('ada')
    await browser.signIn('alpha', world.people.ada)
    const held = sessionOf(browser.cookies())
    world.advance(31 * 86_400)
    plant(browser, held)
    return browser
  },
} as const
type Stranger = keyof typeof strangers

export const accountChangeProperties: readonly Property[] = [
  property({
    proves: ['ACP-11', 'ACP-12'],
    name: 'deletes a user only if the form repeats the address, and then deletes all of the user’s data',
    story: 'A click on the wrong button deletes an account, or a deleted user stays signed in on a phone.',
    advice: 'Compare the whole text with the address, end all sessions, and clear the cookie of the browser.',
    needs: ['setup', 'store', 'hooks'],
    setups: withSessions,
    runs: 40,
    reaches: { deleted: 6, kept: 6 },
    ...eachOf(Object.keys(confirmations) as Confirmation[]),
    async run(world, typed) {
      const { ada, bob } = world.people
      const [browser, phone, bystander] = [world.browser('ada'), world.browser('ada'), world.browser('bob')]
      for (const each of [browser, phone]) await each.signIn('alpha', ada)
      await bystander.signIn('alpha', bob)
      const [form] = await formsFor(world, browser, 'delete-user')
      world.check('ACP-11', form !== undefined, 'the page has no form that deletes the user')
      if (!form) return
      const [write, isRight] = confirmations[typed]
      const from = world.recorded.events.length
      await sendForm(world, browser, form, { confirmation: write(ada.address.alpha) })
      const isGone = !world.rows.users.some(({ email }) => email === ada.address.alpha)
      world.check('ACP-11', isGone === isRight, `after ${typed}, the user is ${isGone ? 'deleted' : 'kept'}`)
      for (const each of [browser, phone]) {
        const isIn = (await each.whoAmI()) !== undefined
        world.check(
          'ACP-11',
          isIn !== isRight,
          `after ${typed}, a browser of the user is signed ${isIn ? 'in' : 'out'}`,
        )
      }
      const left = Object.keys(sessionOf(browser.cookies()))
      world.check('ACP-11', !isRight || left.length === 0, `the browser still has ${left.join(', ')}`)
      const told = world.recorded.events.slice(from).filter(({ event }) => event === 'deleteUser').length
      world.check('ACP-12', told === (isRight ? 1 : 0), `after ${typed}, deleteUser was called ${told} times`)
      world.check('ACP-11', (await bystander.whoAmI()) === bob.name, 'another user was signed out')
      world.reach(isRight ? 'deleted' : 'kept')
    },
  }),

  property({
    proves: ['ACP-05'],
    name: 'shows the account page to signed-in users only, and sends others to the sign-in page and back',
    story: 'Someone at a shared computer sees the account of the user who signed out.',
    advice: 'Look for a live session on every request for the page, and also before its forms take effect.',
    needs: ['setup', 'store', 'clock'],
    setups: withSessions,
    runs: 30,
    reaches: Object.fromEntries(Object.keys(strangers).map((stranger) => [stranger, 2])),
    input: fc.record({
      stranger: fc.constantFrom(...(Object.keys(strangers) as Stranger[])),
      posts: fc.boolean(),
    }),
    async run(world, { stranger, posts }) {
      const browser = await strangers[stranger](world)
      const { users } = world.rows
      const csrfToken = await browser.csrfToken()
      const form = { csrfToken, change: 'delete-user', confirmation: world.people.ada.address.alpha }
      const reply = await browser.send(`${world.basePath}/account`, {
        ...(posts && { form }),
        says: posts ? 'asks for a deletion' : 'opens the account page',
      })
      world.check('ACP-05', reply.status !== 200, `${stranger} sees the account page`)
      const isSignIn = reply.location?.pathname === `${world.basePath}/signin`
      world.check('ACP-05', isSignIn, `${stranger} is sent to ${reply.location?.pathname ?? reply.status}`)
      const back = new URL(reply.location?.searchParams.get('callbackUrl') ?? '/', world.origin)
      world.check('ACP-05', back.href === world.url('account'), `the sign-in leads back to ${back.href}`)
      world.check('ACP-05', world.rows.users.length === users.length, `${stranger} deletes a user`)
      world.reach(stranger)
    },
  }),

  property({
    proves: ['ACP-05'],
    name: 'has no account page unless the site turns it on',
    story: 'An update adds a page that deletes accounts to a site that never asked for it.',
    advice: 'Check the option before anything else, for every method.',
    needs: ['setup', 'store'],
    setups: { database: { ...withSessions.database, with: { 'account-page': true } } },
    runs: 10,
    input: fc.boolean(),
    async run(base, posts) {
      const { with: _, ...off } = withSessions.database
      const world = await base.another(off, 'own')
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const csrfToken = await browser.csrfToken()
      const form = { csrfToken, change: 'delete-user', confirmation: ada.address.alpha }
      const { status } = await browser.send(`${world.basePath}/account`, {
        ...(posts && { form }),
        says: 'requests the account page',
      })
      base.check('ACP-05', status === 404, `the page has status ${status} on a site without it`)
      base.check('ACP-05', world.rows.users.length === 1, 'the user is deleted on a site without the page')
    },
  }),

  property({
    proves: ['ACP-10', 'ACP-07'],
    name: 'lets only the owner of a passkey name it, with at most 100 characters',
    story: 'A user renames another user’s passkey, or a long name fills the page.',
    advice: 'Look for the passkey among those of the signed-in user, and cut the name between characters.',
    needs: ['setup', 'store', 'passkey'],
    setups: {
      database: {
        ...withAccountPage.database,
        providers: ['alpha', 'passkey'],
        config: { experimental: { enableWebAuthn: true } },
      },
    },
    runs: 30,
    reaches: { 'the user': 3, 'another user': 3 },
    input: fc.record({
      name: fc.oneof(
        fc.string({ maxLength: 20, unit: 'grapheme' }),
        fc.constantFrom('a', 'é', '😀').map((character) => character.repeat(150)),
        fc.constantFrom('a\u0000b', 'a\u202Eb\u001B[31m', '<b>name</b>'),
      ),
      by: fc.constantFrom('the user', 'another user'),
    }),
    async run(world, { name, by }) {
      const { ada, eve } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      await addDevice(world, browser, openDevice(world, ada))
      const [form] = await formsFor(world, browser, 'name-passkey')
      world.check('ACP-10', form !== undefined, 'the page has no form that names the passkey')
      if (!form) return
      const before = JSON.stringify(world.rows.credentials)
      await sendName(world, by === 'the user' ? browser : await openThief(world), form.fields.id ?? '', name)
      const [row] = world.rows.credentials
      world.reach(by)
      if (by === 'another user') {
        world.check(
          'ACP-07',
          JSON.stringify(world.rows.credentials) === before,
          `${eve.name} names the passkey`,
        )
        return
      }
      const stored = typeof row?.name === 'string' ? row.name : ''
      world.check('ACP-10', Array.from(stored).length <= 100, `the name has ${stored.length} characters`)
      world.check('ACP-10', !/\p{Cs}/u.test(stored), 'the name ends within a character')
      world.check('ACP-10', !/\p{Cc}/u.test(stored), 'the name has control characters')
      const unnamed = JSON.stringify([{ ...row, name: undefined }])
      world.check('ACP-10', unnamed === before, 'the name changes the passkey')
      const { text } = await browser.send(`${world.basePath}/account`, { says: 'opens the account page' })
      world.check(
        'ACP-10',
        stored === '' || !text.includes('<b>name</b>'),
        'the page does not escape the name',
      )
    },
  }),
]

async function openThief(world: World): Promise<Browser> {
  const thief = world.browser('eve')
  await thief.signIn('alpha', world.people.eve)
  return thief
}

async function sendName(world: World, browser: Browser, id: string, name: string): Promise<void> {
  const form = { csrfToken: await browser.csrfToken(), change: 'name-passkey', id, name }
  await browser.send(`${world.basePath}/account`, { form, says: 'names a passkey' })
}
