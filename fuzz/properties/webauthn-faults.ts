import fc from 'fast-check'
import { hanging, losing, muting, rejecting, throwing, type Fault } from '../world/fault-plan.ts'
import {
  answerTo,
  askOptions,
  demandOptions,
  openDevice,
  perform,
  postAnswer,
  type Device,
} from '../world/passkeys.ts'
import type { Browser } from '../world/browser.ts'
import { createStore, type Rows } from '../world/store.ts'
import type { Told } from '../world/told.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { goWrong } from './support/flows.ts'
import { passkeyFlowNames, passkeyFlows, type PasskeyFlowName } from './support/passkey-flows.ts'
import { passkeySetup, passkeysAndSessions } from './support/passkeys.ts'
import { heldBy, issuedBy, refuses } from './support/sessions.ts'

const story =
  'The database fails once, and the user’s address is taken for ever by an account that nobody can enter.'

/** Rows of before that are not there any more, or rows that belong to nobody. */
function flawOf(before: Rows, { users, accounts, sessions, credentials }: Rows): string | undefined {
  const ids = new Set(users.map(({ id }) => id))
  if (before.users.some(({ id }) => !ids.has(id))) return 'a user of before is gone'
  const keys = new Set(accounts.map(({ providerAccountId }) => providerAccountId))
  if (before.accounts.some(({ providerAccountId }) => !keys.has(providerAccountId)))
    return 'an account of before is gone'
  const known = new Set(credentials.map(({ credentialID }) => credentialID))
  if (before.credentials.some(({ credentialID }) => !known.has(credentialID)))
    return 'a credential of before is gone'
  const owned = [...accounts, ...sessions, ...credentials]
  if (owned.some(({ userId }) => !ids.has(userId))) return 'a row is left without its user'
  return ids.size < users.length ? 'two users have one id' : undefined
}

/** Signs in with a passkey, or registers the next one and signs in with that; does it work? */
async function comeBack(world: World, { owner, authenticator }: Device, isKnown: boolean): Promise<boolean> {
  const signIn = async (device: Device): Promise<Browser> => {
    const browser = world.browser(owner.name)
    world.prove(browser, owner, 'passkey')
    if (device.authenticator.held.length > 0) await perform(world, browser, device, 'authenticate')
    return browser
  }
  // The credential may be stored, when it was the session that failed; else the next one is.
  const browser = await signIn({ owner, authenticator })
  if ((await browser.whoAmI()) === owner.name) return true
  const next = openDevice(world, owner)
  if (isKnown) await browser.signIn('mail', owner)
  const fields = { action: 'register', ...(!isKnown && { email: owner.address.passkey }) }
  const { action, options } = await askOptions(world, browser, fields)
  if (action === 'register' && options)
    await postAnswer(world, browser, action, answerTo(next, action, options))
  return (await (await signIn(next)).whoAmI()) === owner.name
}

/** Calls of the store that a ceremony has at most. */
const farthest = 12

/** Holds that nothing comes of a flow whose k-th call fails but an error. Were there so many calls? */
async function holdSound(world: World, name: PasskeyFlowName, at: number, fault: Fault): Promise<boolean> {
  const { kind, open } = passkeyFlows[name]
  const flow = await open(world)
  const before = structuredClone(world.rows)
  const eventCount = world.told.events.length
  const was = await flow.browser.whoAmI()
  const held = heldBy(flow.browser)
  const { reply, call, unhandled } = await goWrong(world, flow, 'store', at, fault)
  const told = world.told.events.slice(eventCount)
  const what = `${name}, while ${call ?? 'no call'} ${fault.name}`
  world.hold('FI-12', unhandled.length === 0, `${what}: a rejection that nobody handles`)
  world.hold('FI-12', reply.failure === undefined, `${what}: ${reply.failure ?? ''}`)
  const isDone = !refuses(reply)
  if (call === undefined) world.demand(isDone, `${name} fails, though nothing went wrong`)
  else {
    world.hold('FI-01', !isDone, `${what}, is answered as a success`)
    world.hold('FI-01', issuedBy(reply).length === 0, `${what}, sets a session cookie`)
    world.hold('FI-01', heldBy(flow.browser) === held, `${what}, changes the session`)
    const me = await flow.browser.whoAmI()
    world.hold('FI-01', me === was, `${what}: ${was ?? 'nobody'} is ${me ?? 'nobody'} now`)
  }
  world.reach(call === undefined ? 'nothing failed' : 'hit')
  const flaw = flawOf(before, world.rows)
  world.hold('FI-02', flaw === undefined, `${what}: ${flaw ?? ''}`)
  holdTold(world, before, told, kind !== 'prepares' && isDone, what)
  return call !== undefined
}

/** Holds that events tell of the rows that came about since, and of a sign-in if there was one. */
function holdTold(world: World, before: Rows, told: Told['events'], isIn: boolean, what: string): void {
  const count = (event: string) => told.filter((each) => each.event === event).length
  const made = world.rows.users.length - before.users.length
  const linked = world.rows.accounts.length - before.accounts.length
  if (made > 0) world.reach('a user')
  if (linked > 0) world.reach('an account')
  const created = count('createUser')
  world.hold('AL-07', created === made, `${what}: ${made} users, and ${created} createUser`)
  const announced = count('linkAccount')
  world.hold('AL-07', announced === linked, `${what}: ${linked} accounts, and ${announced} linkAccount`)
  const entered = count('signIn')
  world.hold('AL-07', entered === Number(isIn), `${what}: ${entered} signIn, and ${Number(isIn)} sign-ins`)
  const isNew = told.some(({ event, message }) => event === 'signIn' && message.isNewUser === true)
  world.hold('AL-07', !isIn || isNew === made > 0, `${what}: isNewUser is ${isNew}, for ${made} users`)
}

export const webauthnFaultProperties: readonly Property[] = [
  property({
    proves: ['FI-01', 'FI-02', 'AL-07', 'FI-12'],
    name: 'whichever call of the store fails in a ceremony, the answer says so, and nothing is half done',
    story:
      'The database hiccups, and a passkey opens what it does not, or an account is lost, or counted that is not there.',
    advice:
      'Let every failure of the store end the ceremony with an error; take back what this request stored, and nothing else; announce what is there to stay.',
    needs: ['passkey', 'faults', 'clock', 'store', 'hooks'],
    setups: passkeysAndSessions,
    runs: 14,
    reaches: { hit: 60, 'nothing failed': 14, 'a user': 1, 'an account': 1 },
    input: fc.record({
      names: fc.shuffledSubarray(passkeyFlowNames, { minLength: 2, maxLength: 2 }),
      fault: fc.constantFrom(throwing, rejecting),
    }),
    async run(base, { names, fault }) {
      for (const name of names)
        for (let at = 0; at <= farthest; at++) {
          const world = await base.another(passkeysAndSessions[base.strategy], 'own')
          if (!(await holdSound(world, name, at, fault))) break
        }
    },
  }),
  property({
    proves: ['FI-02', 'AL-11'],
    name: 'a registration that fails half-way bars nobody from the next one',
    story,
    advice: 'Take back what was stored for nothing, or let the next attempt find it.',
    needs: ['passkey', 'faults', 'clock'],
    setups: passkeysAndSessions,
    runs: 60,
    reaches: { met: 5 },
    input: fc.record({
      call: fc.constantFrom(
        'createUser',
        'linkAccount',
        'createAuthenticator',
        'getAuthenticator',
        'createSession',
      ),
      fault: fc.constantFrom(throwing, rejecting, losing, muting, hanging),
      isSignedIn: fc.boolean(),
    }),
    async run(world, { call, fault, isSignedIn: isKnown }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      const browser = world.browser('ada')
      if (isKnown) await browser.signIn('mail', ada)
      const fields = { action: 'register', ...(!isKnown && { email: ada.address.passkey }) }
      const options = await demandOptions(world, browser, 'register', fields)
      const answer = answerTo(device, 'register', options)
      world.prove(browser, ada, 'passkey')
      const go = () => postAnswer(world, browser, 'register', answer)
      const { call: hit } = await goWrong(world, { browser, go }, `store.${call}`, 0, fault)
      if (hit === undefined) return
      world.reach('met')
      const isBack = await comeBack(world, device, isKnown)
      world.hold('FI-02', isBack, `after ${call} ${fault.name} once, ada cannot register any more`)
    },
  }),
  property({
    proves: ['FI-02'],
    name: 'a registration that fails half-way bars nobody, with an adapter that has no more than it needs',
    story,
    advice: 'Look whether the adapter has an operation before it is called to tidy up.',
    needs: ['passkey', 'setup'],
    setups: passkeysAndSessions,
    runs: 20,
    reaches: { newcomer: 1, 'signed in': 1 },
    input: fc.record({
      times: fc.integer({ min: 1, max: 2 }),
      who: fc.constantFrom('newcomer', 'signed in'),
      lacks: fc.constantFrom('unlinkAccount', 'deleteUser', 'neither'),
    }),
    async run(base, { times, who, lacks }) {
      const isKnown = who === 'signed in'
      // A user who was stored for nothing can't be taken back without that.
      if (lacks === 'deleteUser' && !isKnown) return
      const { operations } = createStore()
      const state = { failures: times }
      const adapter: Record<string, unknown> = {
        ...operations,
        async createAuthenticator(row: never) {
          if (state.failures-- > 0) throw new Error('out of order')
          return operations.createAuthenticator(row)
        },
      }
      delete adapter[lacks]
      const setup = { ...passkeySetup({}, { adapter }), strategy: base.strategy }
      const world = await base.another(setup, 'own')
      const { ada } = world.people
      const device = openDevice(world, ada)
      const browser = world.browser('ada')
      if (isKnown) await browser.signIn('mail', ada)
      for (let time = 0; time < times; time++) {
        const fields = { action: 'register', ...(!isKnown && { email: ada.address.passkey }) }
        const { action, options } = await askOptions(world, browser, fields)
        world.hold('FI-02', action === 'register', 'after a registration failed, none is asked for any more')
        if (options) await postAnswer(world, browser, 'register', answerTo(device, 'register', options))
      }
      world.reach(who)
      const isBack = await comeBack(world, device, isKnown)
      world.hold('FI-02', isBack, `after createAuthenticator failed, ada cannot register (without ${lacks})`)
    },
  }),
]
