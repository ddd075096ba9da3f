import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import { property, type Property } from '../property.ts'
import { freshAddress, twoAddresses } from '../support/outcome.ts'
import {
  change,
  choose,
  enter,
  longestPasswords,
  opens,
  receiveReset,
  setPassword,
  shortPassword,
  twoPasswords,
  withPasswords,
  withStoredSessions,
} from '../support/passwords.ts'
import { textsOf } from '../support/texts.ts'

/** Bytes after which password hashes and columns of databases cut a text. */
const cutLengths = [16, 32, 48, 50, 56, 64, 72, 100, 128, 200, 254, 256, 512, 1000]

/** Which new passwords are allowed, and what a new password ends. */
export const passwordProperties: readonly Property[] = [
  property({
    proves: ['PW-06'],
    name: 'refuses passwords of more than 1024 bytes, and reads no longer ones as their beginning',
    story: 'A long password signs in with any ending, or a long text keeps the server busy.',
    advice: 'Measure the bytes before you hash, and never cut a password.',
    setups: withPasswords,
    runs: 20,
    input: fc.record({ address: freshAddress, long: longestPasswords }),
    async run(world, { address, long: [longest, longer] }) {
      const browser = world.browser()
      const mail = await receiveReset(world, browser, address)
      const reply = await choose(world, world.browser('eve'), mail, longer)
      world.check('PW-06', reply.status === 422, `a password that is too long has status ${reply.status}`)
      await choose(world, browser, mail, longest)
      world.check('PW-06', await opens(world, address, longest), 'a password of 1024 bytes does not sign in')
      world.check('PW-06', !(await opens(world, address, longer)), 'a longer password signs in')
    },
  }),

  property({
    proves: ['PW-06'],
    name: 'compares a password to its last character',
    story: 'A passphrase is cut before it is hashed, and an attacker who knows its beginning signs in.',
    advice:
      'Hash the whole password. bcrypt reads only 72 bytes: hash longer ones first, or use scrypt or Argon2.',
    setups: withPasswords,
    runs: 20,
    ...everyOf({ length: cutLengths, character: ['p', 'é'] }),
    async run(world, { length, character }) {
      const address = 'owner@mail.example'
      const beginning = character.repeat(length / new TextEncoder().encode(character).length)
      const password = `${beginning}alpha`
      await setPassword(world, address, password)
      world.check(
        'PW-06',
        await opens(world, address, password),
        `a password of ${length + 5} bytes does not sign in`,
      )
      for (const wrong of [`${beginning}omega`, beginning])
        world.check(
          'PW-06',
          !(await opens(world, address, wrong)),
          `a password that is wrong after its first ${length} bytes signs in`,
          { observed: 'another user' },
        )
    },
  }),

  property({
    proves: ['PW-09', 'EVT-011'],
    name: 'ends all sessions of the user when the password is reset by a link',
    story: 'A user resets the password because an attacker is signed in, but the attacker stays signed in.',
    advice: 'Remove all sessions of the user before the new one is stored.',
    setups: withStoredSessions,
    runs: 30,
    input: fc.record({ addresses: twoAddresses, passwords: twoPasswords, others: fc.nat({ max: 3 }) }),
    async run(world, { addresses: [address, other], passwords: [first, second], others }) {
      const bystander = await setPassword(world, other, first)
      const thieves = [await setPassword(world, address, first)]
      for (let count = 0; count < others; count++) {
        const thief = world.browser('eve')
        await enter(world, thief, address, first)
        thieves.push(thief)
      }
      const from = world.recorded.events.length
      const owner = await setPassword(world, address, second)
      const events = world.recorded.events.slice(from)
      const told = events.filter(({ event }) => event === 'signOut').length
      const says = `${thieves.length} sessions ended, and the event signOut came ${told} times`
      world.check('PW-09', told === thieves.length, says)
      const resets = events.filter(
        ({ event, message }) => event === 'updatePassword' && message.isReset === true,
      )
      world.check('EVT-011', resets.length === 1, `the reset calls updatePassword ${resets.length} times`)
      for (const thief of thieves)
        world.check('PW-09', (await thief.whoAmI()) === undefined, 'a session survives the reset')
      world.check('PW-09', (await owner.whoAmI()) === address, 'the reset signs nobody in')
      world.check('PW-09', (await bystander.whoAmI()) === other, 'the reset ends sessions of another user')
      world.check('PW-09', !(await opens(world, address, first)), 'the old password still signs in')
      const user = world.rows.users.find(({ email }) => email === address)
      world.check('PW-09', user?.emailVerified instanceof Date, 'the address is not verified')
    },
  }),

  property({
    proves: ['PW-10', 'PW-06', 'EVT-011'],
    name: 'changes a password with the current one only, and keeps no other session',
    story: 'Someone at an unlocked screen, or with a stolen session, takes the account over.',
    advice: 'Compare the current password, and end the other sessions afterwards.',
    setups: withStoredSessions,
    runs: 40,
    reaches: { right: 8, wrong: 4, short: 4, anonymous: 4 },
    input: fc.record({
      address: freshAddress,
      passwords: twoPasswords,
      short: shortPassword,
      attempt: fc.constantFrom('right', 'right', 'wrong', 'short', 'anonymous'),
    }),
    async run(world, { address, passwords: [first, second], short, attempt }) {
      const browser = await setPassword(world, address, first)
      const other = world.browser('eve')
      await enter(world, other, address, first)
      const as = attempt === 'anonymous' ? world.browser('eve') : browser
      const next = attempt === 'short' ? short : second
      const from = world.recorded.events.length
      await change(world, as, attempt === 'wrong' ? second : first, next)
      const isDone = attempt === 'right'
      world.check('PW-10', (await opens(world, address, second)) === isDone, `${attempt}: the new password`)
      world.check('PW-10', (await opens(world, address, first)) === !isDone, `${attempt}: the old password`)
      world.check('PW-06', !(await opens(world, address, short)), 'a short password was set')
      world.check('PW-10', (await browser.whoAmI()) === address, `${attempt}: this session ended`)
      const isThere = (await other.whoAmI()) === address
      world.check(
        'PW-10',
        isThere === !isDone,
        `${attempt}: the other session ${isThere ? 'lives' : 'ended'}`,
      )
      const times = (name: string) =>
        world.recorded.events.slice(from).filter(({ event }) => event === name).length
      for (const [row, name] of [
        ['PW-10', 'signOut'],
        ['EVT-011', 'updatePassword'],
      ] as const)
        world.check(
          row,
          times(name) === (isDone ? 1 : 0),
          `${attempt}: the event ${name} was called ${times(name)} times`,
        )
      world.reach(attempt)
    },
  }),

  property({
    proves: ['PW-12'],
    name: 'never reveals a password or its hash',
    story: 'Anyone who reads the log, a page, an event or the database learns passwords.',
    advice: 'Store the hash apart from the user, and pass passwords to nothing but the hash.',
    setups: withPasswords,
    runs: 30,
    input: fc.record({ address: freshAddress, passwords: twoPasswords }),
    async run(world, { address, passwords: [first, second] }) {
      const browser = await setPassword(world, address, first)
      const earlier = world.rows.passwords.map(({ hash }) => hash)
      await enter(world, world.browser(), address, second)
      await enter(world, world.browser(), address, first)
      const mail = await receiveReset(world, browser, address)
      await choose(world, browser, mail, second.slice(0, 6))
      await change(world, browser, second, first)
      await change(world, browser, first, second)
      const { errors, warnings, debugs, events, callbacks } = world.recorded
      // The application gets what the user submits to it.
      const asked = callbacks.map(({ params: { credentials: _, request: __, ...params } }) => params)
      const hashes = [...earlier, ...world.rows.passwords.map(({ hash }) => hash)]
      world.check('PW-12', hashes.length > 0, 'no hash is stored')
      const told = {
        'the log': [errors.map(String), warnings, debugs],
        'an event': events,
        'a callback': asked,
        'a response': world.replies.map(({ reply }) => [
          reply.text,
          reply.location?.href,
          reply.headers.getSetCookie(),
        ]),
        'the store': world.rows,
      }
      for (const [place, value] of Object.entries(told)) {
        const texts = textsOf(value)
        const secrets = place === 'the store' ? [first, second] : [first, second, ...hashes]
        const isTold = secrets.some((secret) => texts.some((text) => text.includes(secret)))
        world.check('PW-12', !isTold, `a password or a hash is in ${place}`)
      }
    },
  }),
]
