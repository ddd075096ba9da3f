import fc from 'fast-check'
import { opensSession } from '../../monitors/monitor.ts'
import { rejecting, throwing } from '../../world/fault-plan.ts'
import { openRace } from '../../world/race.ts'
import { property, type Property } from '../property.ts'
import { faultOf } from '../support/faults.ts'
import { freshAddress, twoAddresses } from '../support/outcome.ts'
import {
  change,
  choose,
  longPassword,
  opens,
  receiveReset,
  setPassword,
  shortPassword,
  twoPasswords,
  withPasswords,
} from '../support/passwords.ts'

const abuses = [
  'reused',
  'older',
  'another address',
  'opened',
  'unprotected',
  'short',
  'sign-in link',
  'used as a sign-in link',
] as const

/** Milliseconds after a link expires. */
const delays = [-1, 0, 1, 1000, 86_400_000]

/** Links that set a password: when, how often, and for whom. */
export const passwordLinkProperties: readonly Property[] = [
  property({
    proves: ['PW-08', 'PW-06'],
    name: 'sets a password by a link once, for its address, and until the password changes',
    story: 'An old mail, a mail scanner or a link of another user sets the password of a user.',
    advice:
      'Bind the token to the address and the current hash, and remove it when the form is first submitted.',
    setups: withPasswords,
    runs: 80,
    reaches: {
      reused: 4,
      older: 4,
      'another address': 4,
      opened: 4,
      unprotected: 4,
      short: 4,
      'used as a sign-in link': 2,
    },
    parts: abuses.map((abuse) => ({ abuse })),
    input: fc.record({
      addresses: twoAddresses,
      passwords: twoPasswords,
      isKnown: fc.boolean(),
      abuse: fc.constantFrom(...abuses),
      short: shortPassword,
    }),
    async run(world, { addresses: [address, other], passwords: [mine, wrong], isKnown, abuse, short }) {
      if (isKnown && abuse !== 'used as a sign-in link')
        await setPassword(world, address, 'the first password')
      if (abuse === 'another address') await setPassword(world, other, 'the first password')
      const browser = world.browser('eve')
      const mail = await receiveReset(world, browser, address)
      const path = `${mail.link.pathname}${mail.link.search}`
      switch (abuse) {
        case 'reused':
          await choose(world, world.browser(), mail, mine)
          await choose(world, browser, mail, wrong)
          break
        case 'older':
          await setPassword(world, address, mine)
          await choose(world, browser, mail, wrong)
          break
        case 'another address':
          await choose(world, browser, mail, wrong, { email: other })
          world.check(
            'PW-08',
            await opens(world, other, 'the first password'),
            'the other password was changed',
          )
          break
        case 'opened':
          for (const method of ['GET', 'GET', 'HEAD'])
            await browser.send(path, { method, says: 'opens the link' })
          break
        case 'unprotected':
          await browser.send(mail.link.pathname, {
            form: { ...Object.fromEntries(mail.link.searchParams), password: wrong },
            says: 'sends the form without a CSRF token',
          })
          break
        case 'short': {
          const reply = await choose(world, browser, mail, short)
          world.check('PW-06', reply.status === 422, `a short password has status ${reply.status}`)
          break
        }
        case 'sign-in link': {
          const { link } = await browser.requestLink(address)
          await choose(world, browser, { to: address, link }, wrong)
          break
        }
        case 'used as a sign-in link': {
          const token = mail.link.searchParams.get('token') ?? ''
          // An implementation could hash the second password for a user without a password.
          for (const each of [token, JSON.stringify(['password', token, null])]) {
            const link = new URL(world.url(`callback/${world.idOf('mail') ?? 'mail'}`))
            link.search = String(new URLSearchParams({ token: each, email: address }))
            await browser.followLink({ to: address, link })
          }
        }
      }
      world.reach(abuse)
      const isIn = (await browser.whoAmI()) !== undefined
      world.check('PW-08', !isIn, `a link that was ${abuse} signs in`)
      world.check('PW-08', !(await opens(world, address, wrong)), `a link that was ${abuse} set a password`)
      world.check('PW-06', !(await opens(world, address, short)), 'a short password was set')
      if (abuse !== 'reused' && abuse !== 'older') await choose(world, world.browser(), mail, mine)
      world.check('PW-08', await opens(world, address, mine), `after ${abuse}, the link sets no password`)
    },
  }),

  property({
    proves: ['PW-08'],
    name: 'sets a password by a link only before the link expires',
    story: 'Anyone who finds an old mail, for example on a stolen phone, takes the account over.',
    advice: 'Compare the stored expiry with the current time when the form is submitted.',
    needs: ['clock', 'store'],
    setups: withPasswords,
    runs: 20,
    reaches: { before: 2, 'when it expires': 1, after: 4 },
    parts: delays.map((late) => ({ late })),
    input: fc.record({
      address: freshAddress,
      passwords: twoPasswords,
      isKnown: fc.boolean(),
      late: fc.constantFrom(...delays),
    }),
    async run(world, { address, passwords: [first, second], isKnown, late }) {
      if (isKnown) await setPassword(world, address, first)
      const browser = world.browser('eve')
      const mail = await receiveReset(world, browser, address)
      const expires = Number(world.rows.links.at(-1)?.expires) - world.clock.now()
      world.check('PW-08', expires > 0, `a link is valid for ${expires} ms`)
      world.advance((expires + late) / 1000)
      await choose(world, browser, mail, second)
      const isSet = await opens(world, address, second)
      world.reach(late === 0 ? 'when it expires' : late < 0 ? 'before' : 'after')
      if (late < 0) return world.assume(isSet, 'the link did not work before it expired')
      world.check('PW-08', !isSet, `a link set a password ${late} ms after it expired`)
      world.check('PW-08', (await browser.whoAmI()) === undefined, 'an expired link signs in')
    },
  }),

  property({
    proves: ['PW-10', 'PW-08', 'EVT-011'],
    name: 'keeps the password of a reset that happens during a change',
    story: 'A user resets the password, and an attacker who is changing it at that moment replaces it.',
    advice: 'Replace only the hash that the current password was compared with.',
    needs: ['clock', 'faults', 'hooks'],
    setups: withPasswords,
    runs: 40,
    reaches: { 'a reset': 5, 'a change': 2, 'a refused change': 2 },
    // The change is shorter than the reset, and would nearly always come first.
    parts: [{ handicap: 0 }, { handicap: 3 }, { handicap: 8 }, { handicap: 16 }],
    input: fc.record({
      address: freshAddress,
      passwords: twoPasswords,
      handicap: fc.nat({ max: 16 }),
      scheduler: fc.scheduler(),
    }),
    async run(world, { address, passwords: [mine, changed], handicap, scheduler }) {
      const first = 'the first password'
      world.assume(mine !== first && changed !== first, 'the password stays the same')
      const thief = await setPassword(world, address, first)
      const owner = world.browser()
      const mail = await receiveReset(world, owner, address)
      const race = openRace(scheduler)
      world.enter(race)
      const from = world.recorded.events.length
      const [changing, reset] = await race.run([
        async () => {
          for (let n = 0; n < handicap; n++) await race.around('the change', () => undefined)
          return change(world, thief, first, changed)
        },
        () => choose(world, owner, mail, mine),
      ])
      const isReset = reset !== undefined && opensSession(reset)
      if (changing?.status === 422) {
        const events = world.recorded.events.slice(from)
        const isTold = events.some(({ message }) => message.isReset === false)
        world.check('EVT-011', !isTold, 'a refused change calls updatePassword')
        world.reach('a refused change')
      }
      // A change may end all sessions that start in the same millisecond.
      world.advance(1)
      // A reset may have stored its password without opening a session, because of the change.
      const isKept = await opens(world, address, mine)
      world.check('PW-10', isKept || !isReset, 'a change undoes a reset')
      world.check(
        'PW-08',
        (await opens(world, address, changed)) !== isKept,
        'not exactly one password signs in',
      )
      world.check('PW-08', !(await opens(world, address, first)), 'the old password still signs in')
      world.reach(isReset ? 'a reset' : 'a change')
    },
  }),

  property({
    proves: ['FI-09', 'PW-08'],
    name: 'accepts a link for a password once more if the reset failed on the server',
    story: 'The database fails for a moment, and the user has to request another link.',
    advice: 'Store the used token again when a later step fails before the password is set.',
    needs: ['faults', 'store'],
    setups: withPasswords,
    runs: 40,
    reaches: { createUser: 4, setPassword: 4 },
    parts: [
      { call: 'createUser', isKnown: false },
      { call: 'setPassword', isKnown: true },
      { call: 'setPassword', isKnown: false },
    ],
    input: fc.record({
      address: freshAddress,
      passwords: twoPasswords,
      call: fc.constantFrom('createUser', 'setPassword'),
      isKnown: fc.boolean(),
      fault: faultOf(throwing, rejecting),
    }),
    async run(world, { address, passwords: [mine, later], call, isKnown, fault }) {
      if (isKnown) await setPassword(world, address, 'the first password')
      const mail = await receiveReset(world, world.browser(), address)
      world.plan.arm(`store.${call}`, 0, fault)
      const failed = await choose(world, world.browser(), mail, mine)
      const isHit = world.plan.calls.length > 0
      world.plan.arm('none')
      if (!isHit) return world.assume(opensSession(failed), 'the reset fails without a fault')
      world.reach(call)
      world.check('PW-08', !opensSession(failed), 'a failed reset signs in')
      await choose(world, world.browser(), mail, mine)
      world.check('FI-09', await opens(world, address, mine), `the link is lost after ${call} failed`)
      await choose(world, world.browser(), mail, later)
      world.check('PW-08', !(await opens(world, address, later)), 'a link sets two passwords after a fault')
    },
  }),

  property({
    proves: ['PW-09'],
    name: 'creates the user of a new address only when the link sets a password and signIn allows it',
    story: 'Accounts appear for addresses that nobody verified, and the application cannot refuse them.',
    advice: 'Create the user only after the token is used up and callbacks.signIn returns true.',
    setups: withPasswords,
    runs: 20,
    input: fc.record({ address: freshAddress, password: longPassword, isAllowed: fc.boolean() }),
    async run(base, { address, password, isAllowed }) {
      const signIn = ({ email }: { email?: object }) => email !== undefined || isAllowed
      const setup = base.strategy === 'jwt' ? withPasswords.jwt : withPasswords.database
      const world = await base.another(
        { ...setup, config: { ...('config' in setup && setup.config), callbacks: { signIn } } },
        'own',
      )
      const browser = world.browser()
      const mail = await receiveReset(world, browser, address)
      await browser.openLink(mail)
      const count = () => world.rows.users.filter(({ email }) => email === address).length
      world.check('PW-09', count() === 0, 'a user was stored before the address was proven')
      await choose(world, browser, mail, password)
      world.check('PW-09', count() === (isAllowed ? 1 : 0), `${count()} users were stored`)
      const isIn = (await browser.whoAmI()) === address
      world.check(
        'PW-09',
        isIn === isAllowed,
        `signIn returned ${isAllowed}, but ${isIn ? 'somebody' : 'nobody'} is in`,
      )
    },
  }),
]
