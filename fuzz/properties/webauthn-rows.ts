import fc from 'fast-check'
import { answering, garbage, type Fault } from '../world/fault-plan.ts'
import {
  addDevice,
  answerTo,
  askOptions,
  demandOptions,
  drawId,
  enrol,
  openDevice,
  perform,
  postAnswer,
  signInWith,
} from '../world/passkeys.ts'
import { property, type Property } from './property.ts'
import { isRefusal } from './support/outcome.ts'
import { passkeysAndSessions } from './support/passkeys.ts'
import { refuses } from './support/sessions.ts'

/** A fault that changes a member of an authenticator's row. */
const holding = (name: string, members: Readonly<Record<string, unknown>>): Fault =>
  answering(`a row with ${name}`, (row) => row && { ...Object(row), ...members })

/** Rows that no authenticator can be checked by. */
const brokenRows: readonly Fault[] = [
  holding('a counter that is no number', { counter: Number.NaN }),
  holding('a counter of null', { counter: null }),
  holding('no counter', { counter: undefined }),
  holding('a counter in words', { counter: 'many' }),
  holding('a counter that is a list', { counter: [] }),
  holding('a counter that is an object', { counter: {} }),
  holding('no key', { credentialPublicKey: undefined }),
  holding('an empty key', { credentialPublicKey: '' }),
  holding('a key that is no text', { credentialPublicKey: {} }),
  holding('a key that is no key', { credentialPublicKey: '%%%' }),
  holding('another key', { credentialPublicKey: Buffer.alloc(77, 7).toString('base64') }),
  holding('no user', { userId: undefined }),
  holding('the user null', { userId: null }),
  holding('no account', { providerAccountId: undefined }),
  ...garbage.filter(({ name }) => !/date|no id|empty id/.test(name)),
]

/** What is no list of authenticators. */
const brokenLists: readonly Fault[] = [
  answering('null', () => null),
  answering('undefined', () => undefined),
  answering('an object', () => ({})),
  answering('a text', () => 'rows'),
  answering('a number', () => 1),
  answering('true', () => true),
  answering('a row in place of the list', (rows) => (Array.isArray(rows) ? (rows[0] as unknown) : rows)),
  answering('a list of nulls', () => [null]),
  answering('a list of empty rows', () => [{}]),
  answering('a list in a list', (rows) => [rows]),
]

export const webauthnRowProperties: readonly Property[] = [
  property({
    proves: ['FI-03'],
    name: 'whatever the store answers for an authenticator, nobody comes in by what is none',
    story: 'A migration leaves rows without a counter, or with half a key, and any answer passes.',
    advice: 'Look at every member of the row before it is used; a counter is a whole number.',
    needs: ['passkey', 'faults', 'store'],
    setups: passkeysAndSessions,
    runs: 10,
    reaches: { broken: 80 },
    input: fc.record({
      faults: fc.shuffledSubarray([...brokenRows], { minLength: brokenRows.length - 4 }),
      counts: fc.boolean(),
    }),
    async run(world, { faults, counts }) {
      const { ada } = world.people
      const device = openDevice(world, ada, { counts })
      await enrol(world, world.browser('ada'), device)
      for (const fault of faults) {
        const browser = world.browser('ada')
        world.prove(browser, ada, 'passkey')
        const options = await demandOptions(world, browser, 'authenticate', { action: 'authenticate' })
        const answer = answerTo(device, 'authenticate', options)
        world.plan.arm('store.getAuthenticator', 0, fault)
        const reply = await postAnswer(world, browser, 'authenticate', answer)
        const isMet = world.plan.calls.length > 0
        world.plan.arm('none')
        world.demand(isMet, 'no authenticator is looked up')
        world.reach('broken')
        const what = `signing in, when getAuthenticator ${fault.name}`
        world.hold('FI-03', reply.failure === undefined, `${what}: ${reply.failure ?? ''}`)
        world.hold('FI-03', isRefusal(reply), `${what}, is answered as a success`)
        const me = await browser.whoAmI()
        world.hold('FI-03', me === undefined, `${what}: ${me ?? 'nobody'} is signed in`)
      }
      await signInWith(world, world.browser('ada'), device)
    },
  }),
  property({
    proves: ['FI-03'],
    name: 'options are not made of a list of authenticators that is none',
    story:
      'The store answers nonsense for a user’s devices, and the application asks for none of them, so that any will do.',
    advice: 'Demand a list, and a whole row in every place of it.',
    needs: ['passkey', 'faults'],
    setups: passkeysAndSessions,
    runs: 8,
    reaches: { broken: 30 },
    input: fc.record({
      faults: fc.shuffledSubarray([...brokenLists], { minLength: brokenLists.length - 3 }),
      action: fc.constantFrom('authenticate', 'register'),
    }),
    async run(world, { faults, action }) {
      const browser = world.browser('ada')
      await enrol(world, browser, openDevice(world, world.people.ada))
      for (const fault of faults) {
        world.plan.arm('store.listAuthenticatorsByUserId', 0, fault)
        const { reply } = await askOptions(world, browser, { action })
        const isMet = world.plan.calls.length > 0
        world.plan.arm('none')
        if (!isMet) continue
        world.reach('broken')
        const what = `asking to ${action}, when listAuthenticatorsByUserId ${fault.name}`
        world.hold('FI-03', reply.failure === undefined, `${what}: ${reply.failure ?? ''}`)
        world.hold('FI-03', refuses(reply), `${what}, is answered ${reply.text.slice(0, 80)}`)
      }
      const asked = await askOptions(world, browser, { action })
      world.demand(asked.action === action, `the application does not ask to ${action} any more`)
    },
  }),
  property({
    proves: ['WA-07', 'FI-03'],
    name: 'the row that the store has for a credential is the one of this very credential',
    story:
      'A store compares ids without their case, or answers its first row: an attacker names a victim’s credential, and signs with their own.',
    advice: 'Compare the id of the row with the one that answered, byte by byte.',
    needs: ['passkey', 'faults', 'store'],
    setups: passkeysAndSessions,
    runs: 20,
    reaches: { 'of a victim': 1, 'of nobody': 1 },
    input: fc.record({ whose: fc.constantFrom('of a victim', 'of nobody'), counts: fc.boolean() }),
    async run(world, { whose, counts }) {
      const { ada, eve } = world.people
      const [adas, eves] = [openDevice(world, ada, { counts }), openDevice(world, eve, { counts })]
      await enrol(world, world.browser('ada'), adas)
      await enrol(world, world.browser('eve'), eves)
      const id = whose === 'of nobody' ? drawId() : (adas.authenticator.held[0]?.id ?? '')
      const browser = world.browser('eve')
      world.prove(browser, eve, 'passkey')
      const options = await demandOptions(world, browser, 'authenticate', { action: 'authenticate' })
      const answer = answerTo(eves, 'authenticate', options, { id })
      const own = world.rows.credentials.find(({ userId }) => userId === userOf(eve.address.passkey))
      const look = () => JSON.stringify(world.rows.credentials)
      const before = look()
      world.plan.arm(
        'store.getAuthenticator',
        0,
        answering('the row of another', () => ({ ...own })),
      )
      await postAnswer(world, browser, 'authenticate', answer)
      world.plan.arm('none')
      world.reach(whose)
      const me = await browser.whoAmI()
      const what = `eve answered with the credential ${whose}, for which the store had the row of her own`
      world.hold('FI-03', me === undefined, `${what}: ${me ?? 'nobody'} is signed in`)
      world.hold('FI-03', before === look(), `${what}: a counter was changed`)
      await signInWith(world, world.browser('ada'), adas)

      function userOf(address: string) {
        return world.rows.users.find(({ email, name }) => email === address || name === address)?.id
      }
    },
  }),
  property({
    proves: ['WA-07'],
    name: 'where the rows of a credential name two users, it does not open the one who has not got it',
    story: 'An account is moved to another user, its keys are not, and the old keys open the new user.',
    advice: 'Compare the user of the account with the one of the authenticator.',
    needs: ['passkey', 'store'],
    setups: passkeysAndSessions,
    runs: 20,
    reaches: { accounts: 1, credentials: 1 },
    input: fc.record({
      moved: fc.constantFrom('accounts' as const, 'credentials' as const),
      counts: fc.boolean(),
      hasOwn: fc.boolean(),
    }),
    async run(world, { moved, counts, hasOwn }) {
      const { ada, bob } = world.people
      const device = openDevice(world, ada, { counts })
      const [owner, other] = [world.browser('ada'), world.browser('bob')]
      await owner.signIn('mail', ada)
      await addDevice(world, owner, device)
      await other.signIn('mail', bob)
      if (hasOwn) await addDevice(world, other, openDevice(world, bob))
      await signInWith(world, world.browser('ada'), device)
      const userId = world.rows.users.find(({ email }) => email === bob.address.mail)?.id ?? ''
      const [row] = world.rows[moved]
      if (row) Object.assign(row, { userId })
      world.reach(moved)
      const browser = world.browser('ada')
      for (const person of [ada, bob]) world.prove(browser, person, 'passkey')
      await perform(world, browser, device, 'authenticate')
      const me = await browser.whoAmI()
      const holder = moved === 'accounts' ? 'ada' : 'bob'
      const isOwner = me === undefined || me === holder
      world.hold('WA-07', isOwner, `a credential of ${holder} opened a session of ${me ?? 'nobody'}`)
    },
  }),
]
