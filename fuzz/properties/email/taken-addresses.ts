import fc from 'fast-check'
import { rejecting } from '../../world/fault-plan.ts'
import { property, type Property } from '../property.ts'
import {
  addressesIn,
  confirmChange,
  noticesOf,
  openAda,
  receiveChange,
  requestChange,
  toldOf,
  withEmailChange,
  withNotices,
} from '../support/email-changes.ts'
import { freshAddress } from '../support/outcome.ts'
import { seenIn } from '../support/passwords.ts'

/** Changes to an address that another user has, and the effects of a change. */
export const takenAddressProperties: readonly Property[] = [
  property({
    proves: ['EC-04'],
    name: 'responds to an address change in the same way, whether or not the new address has a user',
    story: 'A signed-in user finds out who has an account by asking to change the address to theirs.',
    advice:
      'Give the same response after the same work, and mail the owner of the address a notice instead of a link.',
    needs: ['store', 'hooks'],
    setups: withEmailChange,
    runs: 30,
    input: freshAddress,
    async run(world, free) {
      const { bob } = world.people
      await world.browser('bob').signIn('alpha', bob)
      const browser = await openAda(world)
      const results = []
      for (const address of [free, bob.address.alpha]) {
        await browser.csrfToken()
        world.plan.arm('store')
        const reply = await requestChange(world, browser, address)
        const calls = [...world.plan.calls]
        world.plan.arm('none')
        results.push({ seen: seenIn(reply).replaceAll(address, ''), calls: calls.join(' ') })
      }
      const [one, other] = results
      world.check('EC-04', one?.seen === other?.seen, `${one?.seen} for a free address, but ${other?.seen}`)
      world.check(
        'EC-04',
        one?.calls === other?.calls,
        `${one?.calls} for a free address, but ${other?.calls}`,
      )
      const linked = world.mailbox.mails.some(({ to }) => to === bob.address.alpha)
      world.check('EC-04', !linked, 'the owner of the address gets a link')
      const told = noticesOf(world, 'taken').join()
      world.check(
        'EC-04',
        told === bob.address.alpha,
        `the notice about the account goes to ${told || 'nobody'}`,
      )
    },
  }),

  property({
    proves: ['EC-06'],
    name: 'never changes an address to one that another user has taken in the meantime',
    story: 'Two users have one address, and a sign-in by mail opens the account of either.',
    advice: 'Look the address up again when the link is used, and let the store refuse a second user.',
    needs: ['store'],
    setups: withEmailChange,
    runs: 20,
    async run(world) {
      const { ada, bob } = world.people
      const browser = await openAda(world)
      const mail = await receiveChange(world, browser, bob.address.alpha)
      await world.browser('bob').signIn('alpha', bob)
      await confirmChange(browser, mail)
      const addresses = [...addressesIn(world)].toSorted()
      const expected = [ada.address.alpha, bob.address.alpha].toSorted()
      world.check('EC-06', addresses.join() === expected.join(), `the users have ${addresses.join()}`)
      world.check('EC-06', noticesOf(world, 'changed').length === 0, 'a notice tells of a change')
    },
  }),

  property({
    proves: ['EC-07', 'EC-08', 'EC-06', 'POL-07'],
    name: 'ends the other sessions after an address change and notifies the previous address, even if the mail fails',
    story: 'An intruder stays signed in, or the user never learns that someone changed the address.',
    advice:
      'After the change, end the sessions, and mail the previous address without undoing the change if that fails.',
    needs: ['setup', 'store', 'hooks', 'faults', 'clock'],
    setups: withNotices,
    runs: 30,
    reaches: { 'a mail that fails': 5, 'a mail that is sent': 5 },
    input: fc.record({ address: freshAddress, fails: fc.boolean() }),
    async run(world, { address, fails }) {
      const { ada } = world.people
      const [browser, phone] = [await openAda(world), await openAda(world)]
      world.advance(2)
      const mail = await receiveChange(world, browser, address)
      world.check('EC-08', noticesOf(world, 'changed').length === 0, 'the request for a link sends a notice')
      const from = world.recorded.events.length
      if (fails) world.plan.arm('mail', 0, rejecting)
      await confirmChange(browser, mail)
      world.plan.end()
      world.plan.arm('none')
      world.reach(fails ? 'a mail that fails' : 'a mail that is sent')
      const [user] = world.rows.users
      world.check('EC-06', user?.email === address, `the address is ${user?.email}`)
      world.check('EC-06', user?.emailVerified instanceof Date, 'the new address does not count as verified')
      const updates = world.recorded.events.slice(from).filter(({ event }) => event === 'updateUser').length
      world.check('EC-06', updates === 1, `updateUser was called ${updates} times`)
      const told = noticesOf(world, 'changed').join()
      world.check('EC-08', fails || told === ada.address.alpha, `the notice goes to ${told || 'nobody'}`)
      world.check('EC-07', (await phone.whoAmI()) === undefined, 'another session survives the change')
      const { text } = await browser.readSession()
      world.check(
        'EC-07',
        text.includes(address),
        'the session of this browser does not show the new address',
      )
      const all = toldOf(world, 'confirm-address')
      // A target without `sendNotice` mails only the previous address.
      if (all.length === 0) return
      const isBoth = all.length === 2 && [ada.address.alpha, address].every((one) => all.includes(one))
      const says = `the mail about the change of an account goes to ${all.join(' and ') || 'nobody'}`
      world.check('POL-07', isBoth, `${says}, and not to the previous and the new address`)
    },
  }),

  property({
    proves: ['EC-09'],
    name: 'keeps an address-change link valid if the server fails, and invalidates a link that was not sent',
    story: 'A short outage uses the link up, and the user cannot change the address.',
    advice: 'Store the link again if the change fails, and remove it if the mail does.',
    needs: ['setup', 'store', 'hooks', 'faults'],
    setups: withEmailChange,
    runs: 40,
    reaches: { 'the mail': 5, 'the store': 5 },
    input: fc.record({
      address: freshAddress,
      part: fc.constantFrom('the mail', 'the store'),
      at: fc.integer({ min: 2, max: 4 }),
    }),
    async run(world, { address, part, at }) {
      const browser = await openAda(world)
      if (part === 'the mail') {
        await browser.csrfToken()
        world.plan.arm('mail', 0, rejecting)
        const { status } = await requestChange(world, browser, address)
        world.plan.end()
        world.plan.arm('none')
        world.check('EC-09', status !== 200, 'the response promises a mail that was not sent')
        const left = world.rows.links.length
        world.check('EC-09', left === 0, 'the link of a mail that was not sent can be used')
      } else {
        const mail = await receiveChange(world, browser, address)
        await browser.csrfToken()
        world.plan.arm('store', at, rejecting)
        await confirmChange(browser, mail)
        const isHit = world.plan.calls[at] !== undefined
        world.plan.end()
        world.plan.arm('none')
        world.assume(isHit, 'the store was called less often')
        if (!addressesIn(world).includes(address)) await confirmChange(browser, mail)
        world.check('EC-09', addressesIn(world).includes(address), 'after a fault, the link does not work')
      }
      world.reach(part)
    },
  }),
]
