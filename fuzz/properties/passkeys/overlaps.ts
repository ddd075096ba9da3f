import fc from 'fast-check'
import { answerTo, enrol, openDevice, postAnswer, requireOptions } from '../../world/passkeys.ts'
import { openRace } from '../../world/race.ts'
import { member } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { overtakenBy } from '../support/faults.ts'
import { withPasskeys } from '../support/passkeys.ts'
import { scheduler } from '../support/races.ts'
import { sessionTokenOf } from '../support/sessions.ts'

/** Rules for passkey ceremonies that are under way while an address is verified for the first time. */
export const webauthnOverlapProperties: readonly Property[] = [
  property({
    proves: ['AL-04', 'DEC-39c'],
    name: 'leaves no passkey and no session of a ceremony that overlaps with the first proof of an address',
    story:
      'Eve prepared a user with Ada’s address. While Ada verifies it, Eve adds a passkey or signs in with hers, and keeps access.',
    advice:
      'Remove sessions, then passkeys, then sessions again. After each write, look again for what the request relied on.',
    needs: ['passkey', 'store', 'faults'],
    setups: { database: withPasskeys },
    runs: 200,
    reaches: { 'the address is that of her user': 10, 'before the last write': 10 },
    input: fc.record({
      action: fc.constantFrom('authenticate' as const, 'register' as const),
      isLate: fc.boolean(),
      scheduler,
    }),
    async run(world, input) {
      const { action, isLate } = input
      const { ada, eve } = world.people
      const email = ada.address.mail
      const device = openDevice(world, eve)
      const own = world.browser('eve')
      await enrol(world, own, device)
      // A provider created the user, so the address identifies it before anybody proved it.
      const [user] = world.rows.users
      world.rows.users = world.rows.users.map((row) => ({ ...row, email, emailVerified: null }))
      const account = {
        userId: user?.id ?? '',
        type: 'oidc',
        provider: 'alpha',
        providerAccountId: 'eve',
      } as const
      world.rows.accounts = [...world.rows.accounts, account]
      const shared = world.browser('ada')
      const mail = await shared.requestLink(email)
      const browser = action === 'register' ? own : world.browser('eve')
      const used = action === 'register' ? openDevice(world, eve) : device
      const answer = answerTo(used, action, await requireOptions(world, browser, action, { action }))
      const prove = () => shared.followLink(mail)
      const post = () => postAnswer(world, browser, action, answer)
      if (isLate) {
        const last = action === 'register' ? 'createAuthenticator' : 'createSession'
        world.plan.arm(`store.${last}`, 0, overtakenBy(prove))
        await post()
        world.plan.arm('none')
        world.reach('before the last write')
      } else {
        const race = openRace(input.scheduler)
        world.enter(race)
        await race.run([prove, post])
      }
      const owner = world.rows.users.find((user) => user.email === email && user.emailVerified)
      world.assume(owner !== undefined, 'the address is not verified')
      const { credentials } = world.rows
      const opened = member((await browser.readSession()).json, 'user', 'email')
      for (const id of ['AL-04', 'DEC-39c'] as const) {
        const isRemoved = credentials.every(({ userId }) => userId !== owner?.id)
        world.check(id, isRemoved, 'eve has a passkey for ada’s user')
        world.check(id, opened !== email, 'eve has a session of ada’s user')
      }
      const tokens = [shared, own, browser].map(sessionTokenOf)
      const hidden = world.rows.sessions.filter(
        ({ userId, sessionToken }) => userId === owner?.id && !tokens.includes(sessionToken),
      )
      world.check('DEC-39c', hidden.length === 0, 'ada’s user has a session that no browser was given')
      if (world.rows.users.length === 1) world.reach('the address is that of her user')
    },
  }),
]
