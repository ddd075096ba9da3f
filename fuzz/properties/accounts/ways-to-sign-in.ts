import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Setup } from '../../targets/setup.ts'
import { addDevice, openDevice, perform } from '../../world/passkeys.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { formsFor, sendForm, withAccountPage } from '../support/account.ts'
import { moveTo, refuses } from '../support/sessions.ts'

/** What Ada has beside her account at alpha, with the providers of the application. */
const others = {
  'a verified address, and the site sends links': ['alpha', 'mail'],
  'an unverified address, and the site sends links': ['alpha', 'mail'],
  'a verified address, and the site sends no links': ['alpha'],
  'an account at a provider that the site has removed': ['alpha', 'beta'],
} as const
type Other = keyof typeof others

const withPasskeys: Setup = {
  ...withAccountPage.database,
  providers: ['alpha', 'passkey'],
  config: { experimental: { enableWebAuthn: true } },
}

/** Rows contain the ids of passkeys in Base64, and authenticators return Base64url. */
function isSameBase64(one: string, other: string): boolean {
  return Buffer.from(one, 'base64url').equals(Buffer.from(other, 'base64url'))
}

/** Records whether the addresses of all users are verified. */
function setVerified({ rows, clock }: World, isVerified: boolean): void {
  const emailVerified = isVerified ? new Date(clock.now()) : null
  rows.users = rows.users.map((user) => ({ ...user, emailVerified }))
}

export const waysToSignInProperties: readonly Property[] = [
  property({
    proves: ['ACP-09'],
    name: 'unlinks the only account that signs in if the user can sign in by mail, and never otherwise',
    story: 'A user unlinks an account because another one seems to be left, and can no longer sign in.',
    advice:
      'Count verified addresses only if the site sends mails, and accounts only at configured providers.',
    needs: ['setup', 'store'],
    setups: withAccountPage,
    runs: 30,
    reaches: Object.fromEntries(Object.keys(others).map((other) => [other, 2])),
    ...eachOf(Object.keys(others) as Other[]),
    async run(base, other) {
      const { ada } = base.people
      const setup = { ...withAccountPage.database, providers: others[other] }
      const before = await base.another(setup, 'own')
      const browser = before.browser('ada')
      await browser.signIn('alpha', ada)
      const isGone = other === 'an account at a provider that the site has removed'
      if (isGone) await browser.signIn('beta', ada)
      setVerified(before, other.startsWith('a verified'))
      const world = isGone ? await before.another({ ...setup, providers: ['alpha'] }, 'same') : before
      const moved = isGone ? moveTo(world, browser, ada) : browser
      const forms = await formsFor(world, moved, 'unlink')
      for (const form of forms) await sendForm(world, moved, form)
      const isLinked = world.rows.accounts.some(({ provider }) => provider === 'alpha')
      const isSpare = other === 'a verified address, and the site sends links'
      const says = `the user also has ${other}, and the account is ${isLinked ? 'kept' : 'unlinked'}`
      world.check('ACP-09', isLinked !== isSpare, says)
      world.reach(other)
    },
  }),

  property({
    proves: ['ACP-17', 'ACP-06'],
    name: 'removes the account or passkey that is chosen, and shows ids of none',
    story: 'A user removes the passkey of a stolen device, and the thief still signs in with it.',
    advice: 'Find the authenticator by the id of its account, remove it first, and identify both by hashes.',
    needs: ['setup', 'store', 'passkey'],
    setups: { database: withPasskeys },
    runs: 20,
    reaches: { 'a passkey': 6, 'the account': 2 },
    input: fc.nat({ max: 2 }),
    async run(world, chosen) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const devices = [openDevice(world, ada), openDevice(world, ada)]
      for (const device of devices) await addDevice(world, browser, device)
      const { text } = await browser.send(`${world.basePath}/account`, { says: 'opens the account page' })
      const { sessions, accounts, credentials } = world.rows
      const hidden = [
        ...sessions.map(({ sessionToken }) => sessionToken),
        ...accounts.map(({ providerAccountId }) => providerAccountId),
        ...credentials.map(({ credentialID }) => credentialID),
      ]
      world.check('ACP-06', !hidden.some((id) => text.includes(id)), 'the page shows a token or an id')
      const forms = await formsFor(world, browser, 'unlink')
      world.check('ACP-17', forms.length === 3, `the page lists ${forms.length} of three ways to sign in`)
      const [form] = forms.slice(chosen)
      if (form) await sendForm(world, browser, form)
      const listed = world.rows.accounts.map(({ providerAccountId: id }) => id)
      world.check('ACP-17', listed.length === 2, `${listed.length} of three ways to sign in are left`)
      const left = world.rows.credentials.filter(({ providerAccountId: id }) => !listed.includes(id))
      world.check('ACP-17', left.length === 0, 'a passkey that was removed is still stored')
      for (const [at, device] of devices.entries()) {
        const isListed = device.authenticator.held.some(({ id }) =>
          listed.some((each) => isSameBase64(each, id)),
        )
        const thief = world.browser(`eve ${at}`)
        world.prove(thief, ada, 'passkey')
        await perform(world, thief, device, 'authenticate')
        const isIn = (await thief.whoAmI()) !== undefined
        const says = `a passkey ${isListed ? 'that stays' : 'that was removed'} signs ${isIn ? 'in' : 'nobody in'}`
        world.check('ACP-17', isIn === isListed, says)
      }
      world.reach(listed.includes('ada-at-alpha') ? 'a passkey' : 'the account')
    },
  }),

  property({
    proves: ['ACP-07'],
    name: 'ignores a form that requests an unknown change of an account',
    story: 'A forged form causes a server error, which alarms the operators of the site.',
    advice: 'Look the change up among the own members of the table only.',
    needs: ['setup', 'store'],
    setups: withAccountPage,
    runs: 20,
    input: fc.oneof(
      fc.constantFrom('constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf', ''),
      fc.string({ maxLength: 20 }),
    ),
    async run(world, change) {
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const before = JSON.stringify(world.rows)
      const csrfToken = await browser.csrfToken()
      const reply = await browser.send(`${world.basePath}/account`, {
        form: { csrfToken, change },
        says: 'requests an unknown change',
      })
      world.check(
        'ACP-07',
        !refuses(reply),
        `the change ${JSON.stringify(change)} returns ${reply.failure ?? reply.status}`,
      )
      world.check(
        'ACP-07',
        JSON.stringify(world.rows) === before,
        `the change ${JSON.stringify(change)} changes a row`,
      )
      world.check('ACP-07', (await browser.whoAmI()) !== undefined, 'an unknown change ends the session')
    },
  }),
]
