import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { formsFor, sendForm, withAccountPage } from '../support/account.ts'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { sessionTokenOf } from '../support/sessions.ts'

const changes = ['end-session', 'end-other-sessions', 'unlink', 'delete-user'] as const

/** What Ada could lose: accounts, sessions and the user. */
function countRows({ rows }: World): string {
  return [rows.users, rows.accounts, rows.sessions].map(({ length }) => length).join()
}

/** Ada signs in on two devices, and links both providers. */
async function openAda(world: World): Promise<readonly [Browser, Browser]> {
  const [phone, laptop] = [world.browser('ada'), world.browser('ada')]
  await phone.signIn('alpha', world.people.ada)
  await phone.signIn('beta', world.people.ada)
  await laptop.signIn('alpha', world.people.ada)
  world.assume(world.rows.users.length === 1, 'the accounts are not linked')
  return [phone, laptop]
}

export const accountPageProperties: readonly Property[] = [
  property({
    proves: ['ACP-07', 'ACP-06'],
    name: 'changes an account only by a form of its user, with the CSRF token of the browser',
    story: 'Another site or another user ends sessions, unlinks accounts or deletes the user.',
    advice:
      'Check the CSRF token first, and look for the ids of forms among the rows of the signed-in user only.',
    needs: ['setup', 'store'],
    setups: withAccountPage,
    runs: 60,
    reaches: { 'no token': 4, 'token of another browser': 4, 'id of another user': 4 },
    input: fc.record({
      change: fc.constantFrom(...changes),
      abuse: fc.constantFrom('no token', 'token of another browser', 'id of another user'),
    }),
    async run(world, { change, abuse }) {
      const [phone, laptop] = await openAda(world)
      const eve = world.browser('eve')
      await eve.signIn('alpha', world.people.eve)
      await world.browser('eve').signIn('alpha', world.people.eve)
      const forms = await formsFor(world, phone, change)
      world.check('ACP-07', forms.length > 0, `the page has no form for ${change}`)
      const seen = JSON.stringify(forms)
      const secrets = world.rows.sessions.map(({ sessionToken }) => sessionToken)
      world.check('ACP-06', !secrets.some((secret) => seen.includes(secret)), 'the page has a session token')
      const before = countRows(world)
      for (const form of forms) {
        const confirmation = world.people.ada.address.alpha
        const theirs = await eve.csrfToken()
        if (abuse === 'no token') await sendForm(world, phone, form, { confirmation, csrfToken: '' })
        else if (abuse === 'id of another user')
          // Without an id, the form would change the attacker's own account.
          await sendForm(world, eve, form, { csrfToken: theirs, id: form.fields.id ?? '', change: 'unlink' })
        else await sendForm(world, phone, form, { confirmation, csrfToken: theirs })
      }
      world.reach(abuse)
      world.check('ACP-07', countRows(world) === before, `${change} with ${abuse} removed a row`)
      for (const browser of [phone, laptop])
        world.check(
          'ACP-07',
          (await browser.whoAmI()) !== undefined,
          `${change} with ${abuse} ended a session`,
        )
    },
  }),

  property({
    proves: ['ACP-13'],
    name: 'unlinks accounts and deletes users only after a recent sign-in',
    story: 'Someone finds an unlocked browser, and deletes the account or removes a way to sign in.',
    advice: 'Keep the time of the sign-in in the session, and demand a new sign-in after 15 minutes.',
    needs: ['setup', 'store'],
    setups: withAccountPage,
    runs: 20,
    input: fc.record({
      change: fc.constantFrom('unlink', 'delete-user'),
      late: fc.integer({ min: 1, max: 86_400 }),
    }),
    async run(world, { change, late }) {
      const [phone] = await openAda(world)
      world.clock.advance(900 + late)
      const send = async () => {
        const [form] = await formsFor(world, phone, change)
        world.check('ACP-13', form !== undefined, `the page has no form for ${change}`)
        if (form) await sendForm(world, phone, form, { confirmation: world.people.ada.address.alpha })
      }
      const before = countRows(world)
      await send()
      world.check('ACP-13', countRows(world) === before, `${change} works ${late} s after 15 minutes`)
      await phone.signIn('alpha', world.people.ada)
      const { length } = world.rows.accounts
      await send()
      world.check('ACP-13', world.rows.accounts.length < length, `${change} fails after a new sign-in`)
    },
  }),

  property({
    proves: ['ACP-08', 'ACP-12'],
    name: 'ends the sessions that the user chooses, and no others',
    story: 'A user ends the session of a stolen phone, but it stays signed in.',
    advice: 'Remove the row of the session whose hash the form contains.',
    needs: ['setup', 'store', 'hooks'],
    setups: withAccountPage,
    runs: 20,
    reaches: { live: 2, expired: 2 },
    input: fc.record({ all: fc.boolean(), hasExpired: fc.boolean() }),
    async run(world, { all, hasExpired }) {
      const [phone, laptop] = await openAda(world)
      const bystander = world.browser('bob')
      await bystander.signIn('alpha', world.people.bob)
      const [form] = await formsFor(world, phone, all ? 'end-other-sessions' : 'end-session')
      world.check('ACP-08', form !== undefined, 'the page has no form that ends the other session')
      const chosen = sessionTokenOf(laptop)
      const expires = new Date(world.clock.now() - 1)
      if (hasExpired)
        world.rows.sessions = world.rows.sessions.map((row) =>
          row.sessionToken === chosen ? { ...row, expires } : row,
        )
      const from = world.recorded.events.length
      if (form) await sendForm(world, phone, form)
      const told = world.recorded.events.slice(from).filter(({ event }) => event === 'signOut').length
      const state = hasExpired ? 'expired' : 'live'
      const isTold = told === (hasExpired ? 0 : 1)
      world.check('ACP-12', isTold, `the end of one ${state} session calls signOut ${told} times`)
      world.reach(state)
      world.check('ACP-08', (await laptop.whoAmI()) === undefined, 'the session on the other device survives')
      world.check('ACP-08', (await phone.whoAmI()) !== undefined, 'the session in use ended')
      world.check('ACP-08', (await bystander.whoAmI()) !== undefined, 'a session of another user ended')
    },
  }),

  property({
    proves: ['ACP-09', 'POL-03'],
    name: 'unlinks accounts until the last way to sign in is left, however requests overlap',
    story: 'A user unlinks the last account, and can no longer sign in.',
    advice: 'Count the other ways to sign in and remove the account without another removal in between.',
    needs: ['setup', 'store'],
    setups: withAccountPage,
    runs: 30,
    reaches: { together: 5 },
    input: fc.record({ together: fc.boolean() }),
    async run(world, { together }) {
      const [phone, laptop] = await openAda(world)
      const forms = await formsFor(world, phone, 'unlink')
      world.check('ACP-09', forms.length === 2, `the page has ${forms.length} forms that unlink`)
      if (together) await Promise.all(forms.map((form) => sendForm(world, phone, form)))
      else for (const form of forms) await sendForm(world, phone, form)
      if (together) world.reach('together')
      const { length } = world.rows.accounts
      world.check('ACP-09', length === 1, `${length} accounts are left`)
      const again = world.browser('ada')
      await again.signIn(world.rows.accounts[0]?.provider === 'beta' ? 'beta' : 'alpha', world.people.ada)
      world.check('ACP-09', world.rows.users.length === 1, 'the account that is left belongs to another user')
      world.check(
        'POL-03',
        (await laptop.whoAmI()) === undefined,
        'another session outlives an unlinked account',
      )
      world.check('POL-03', (await phone.whoAmI()) !== undefined, 'unlinking ended the session in use')
    },
  }),
]
