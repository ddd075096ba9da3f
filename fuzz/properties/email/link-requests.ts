import fc from 'fast-check'
import { opensSession } from '../../monitors/monitor.ts'
import type { Meaning } from '../../world/breach.ts'
import { losing, rejecting, throwing } from '../../world/fault-plan.ts'
import { property, type Property } from '../property.ts'
import { freshAddress, isRefusal, stored } from '../support/outcome.ts'
import { textsOf } from '../support/texts.ts'

/** The sign-in callback's behaviour at each step, chosen by the address. */
const outcomes = ['false', 'throw', 'undefined'] as const
const refusing = {
  callbacks: {
    signIn({ user, email }: { user: { email: string }; email?: { verificationRequest?: boolean } }) {
      const step = email?.verificationRequest ? 'ask' : 'use'
      if (user.email.startsWith(`${step}-throw`)) throw new Error('refused')
      if (user.email.startsWith(`${step}-undefined`)) return undefined
      return !user.email.startsWith(`${step}-false`)
    },
  },
}

/** The severity of a mail or a token for a user who is then refused. */
const flood: Partial<Meaning> = { observed: 'a cost' }
const leftover: Partial<Meaning> = { observed: 'a broken rule' }

export const linkRequestProperties: readonly Property[] = [
  property({
    proves: ['SU-11'],
    name: 'sends mail only after storing its token, and reports a mail failure',
    story: 'Users get links that never worked, or are asked to look for a mail that was never sent.',
    advice: 'Store the token, then send the mail. If sending fails, delete the token and return an error.',
    needs: ['faults', 'store'],
    setups: stored(),
    runs: 60,
    reaches: { 'the store fails': 8, 'the mail fails': 8, 'nothing fails': 4 },
    input: fc.record({
      address: freshAddress,
      place: fc.constantFrom('store.createVerificationToken', 'mail', 'nowhere'),
      fault: fc.constantFrom(throwing, rejecting, losing),
    }),
    async run(world, { address, place, fault }) {
      const browser = world.browser()
      const counts: number[] = []
      if (place === 'nowhere') {
        const apply = (work: () => unknown) => (counts.push(world.rows.links.length), work())
        world.plan.arm('mail', 0, { name: 'counts the tokens', apply })
        await browser.requestLink(address)
        world.reach('nothing fails')
        return world.check('SU-11', counts[0] === 1, 'the mail was sent before its token was stored')
      }
      world.plan.arm(place, 0, fault)
      const reply = await browser.start('mail', { email: address })
      world.plan.arm('none')
      const [mail] = world.mailbox.mails
      if (place !== 'mail') {
        world.reach('the store fails')
        return world.check(
          'SU-11',
          !mail || world.rows.links.length > 0,
          'a mail was sent without a stored token',
        )
      }
      world.reach('the mail fails')
      world.check('SU-11', isRefusal(reply), 'sending failed, but the browser sees a success')
      if (!mail) return
      const shown = reply.location ? await browser.send(reply.location.href) : reply
      await browser.followLink(mail)
      const isUsable = (await browser.whoAmI()) === address
      const offersRetry = /again|retry|later/i.test(shown.text)
      world.check('SU-11', !isUsable || offersRetry, 'sending failed, but the link works')
    },
  }),

  property({
    proves: ['SU-12'],
    name: 'sends no mail to a user whom the signIn callback refuses, and stores nothing',
    story: 'A banned user fills the store, floods a mailbox, or is partly signed in.',
    advice: 'Call the callback before you store or send anything, and again before you create a user.',
    needs: ['store'],
    setups: stored({ config: refusing }),
    runs: 60,
    reaches: { ask: 12, use: 12 },
    input: fc.record({
      rest: freshAddress,
      step: fc.constantFrom('ask', 'use', 'none'),
      outcome: fc.constantFrom(...outcomes),
    }),
    async run(world, { rest, step, outcome }) {
      const address = `${step}-${outcome}-${rest}`
      const browser = world.browser()
      world.reach(step)
      if (step === 'ask') {
        const reply = await browser.start('mail', { email: address })
        world.check(
          'SU-12',
          world.mailbox.mails.length === 0,
          `a mail was sent, although signIn refuses (${outcome})`,
          flood,
        )
        world.check('SU-12', textsOf(world.rows).length === 0, 'something was stored', flood)
        world.check('SU-12', isRefusal(reply), 'the request was not refused', leftover)
        return
      }
      const reply = await browser.followLink(await browser.requestLink(address))
      if (step === 'none')
        return world.assume((await browser.whoAmI()) === address, 'an admitted user cannot sign in')
      world.check(
        'SU-12',
        !opensSession(reply) && (await browser.whoAmI()) === undefined,
        'a refused user is signed in',
      )
      world.check('SU-12', world.rows.users.length === 0, 'a user was created', leftover)
      world.check('SU-12', world.rows.sessions.length === 0, 'a session was created', leftover)
      world.check('SU-12', isRefusal(reply), 'the request was not refused', leftover)
    },
  }),
]
