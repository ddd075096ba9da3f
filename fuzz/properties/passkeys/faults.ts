import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import { hanging, losing, muting, rejecting, throwing, type Fault } from '../../world/fault-plan.ts'
import {
  answerTo,
  requestOptions,
  requireOptions,
  openDevice,
  perform,
  postAnswer,
  type Device,
} from '../../world/passkeys.ts'
import type { Browser } from '../../world/browser.ts'
import { createStore, type Rows } from '../../world/store.ts'
import type { Recorded } from '../../world/recorded.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { findIncompletePasskey, findInconsistency, hasOrphan } from '../support/aftermath.ts'
import { runWithFault } from '../support/flows.ts'
import { passkeyFlowNames, passkeyFlows, type PasskeyFlowName } from '../support/passkey-flows.ts'
import { passkeySetup, passkeysAndSessions } from '../support/passkeys.ts'
import { sessionTokenOf, issuedBy, refuses } from '../support/sessions.ts'

const story = 'The database fails once, and an unusable account blocks the user’s address forever.'

/** Finds rows that disappeared, rows without an owner, and incomplete passkeys. */
function flawOf(before: Rows, after: Rows): string | undefined {
  const { users, accounts, sessions, credentials } = after
  const ids = new Set(users.map(({ id }) => id))
  if (before.users.some(({ id }) => !ids.has(id))) return 'an existing user is gone'
  const keys = new Set(accounts.map(({ providerAccountId }) => providerAccountId))
  if (before.accounts.some(({ providerAccountId }) => !keys.has(providerAccountId)))
    return 'an existing account is gone'
  const known = new Set(credentials.map(({ credentialID }) => credentialID))
  if (before.credentials.some(({ credentialID }) => !known.has(credentialID)))
    return 'an existing credential is gone'
  const owned = [...accounts, ...sessions, ...credentials]
  if (owned.some(({ userId }) => !ids.has(userId))) return 'a row has no user'
  return ids.size < users.length ? 'two users have one id' : findIncompletePasskey(after)
}

/** Signs in with a passkey, or registers the next one and signs in with it; returns whether it works. */
async function recover(world: World, { owner, authenticator }: Device, isKnown: boolean): Promise<boolean> {
  const signIn = async (device: Device): Promise<Browser> => {
    const browser = world.browser(owner.name)
    world.prove(browser, owner, 'passkey')
    if (device.authenticator.held.length > 0) await perform(world, browser, device, 'authenticate')
    return browser
  }
  // If only the session failed, the credential may be stored; otherwise the next one is.
  const browser = await signIn({ owner, authenticator })
  if ((await browser.whoAmI()) === owner.name) return true
  const next = openDevice(world, owner)
  if (isKnown) await browser.signIn('mail', owner)
  const fields = { action: 'register', ...(!isKnown && { email: owner.address.passkey }) }
  const { action, options } = await requestOptions(world, browser, fields)
  if (action === 'register' && options)
    await postAnswer(world, browser, action, answerTo(next, action, options))
  return (await (await signIn(next)).whoAmI()) === owner.name
}

/** The maximum number of store calls in a ceremony. */
const farthest = 12

/**
 * Checks that a flow whose k-th call fails ends with an error and changes nothing; returns whether it had that many
 * calls.
 */
async function checkSound(world: World, name: PasskeyFlowName, at: number, fault: Fault): Promise<boolean> {
  const { kind, open } = passkeyFlows[name]
  const flow = await open(world)
  const before = structuredClone(world.rows)
  const eventCount = world.recorded.events.length
  const was = await flow.browser.whoAmI()
  const held = sessionTokenOf(flow.browser)
  const { reply, call, unhandled } = await runWithFault(world, flow, 'store', at, fault)
  const events = world.recorded.events.slice(eventCount)
  const what = `${name}, while ${call ?? 'no call'} ${fault.name}`
  world.check('FI-12', unhandled.length === 0, `${what}: unhandled rejection`)
  world.check('FI-12', reply.failure === undefined, `${what}: ${reply.failure ?? ''}`)
  const isDone = !refuses(reply)
  if (call === undefined) world.assume(isDone, `${name} fails without a fault`)
  else {
    world.check('FI-01', !isDone, `${what}, reports success`)
    world.check('FI-01', issuedBy(reply).length === 0, `${what}, sets a session cookie`)
    world.check('FI-01', sessionTokenOf(flow.browser) === held, `${what}, changes the session`)
    const me = await flow.browser.whoAmI()
    world.check('FI-01', me === was, `${what}: ${was ?? 'nobody'} is ${me ?? 'nobody'} now`)
  }
  world.reach(call === undefined ? 'nothing failed' : 'hit')
  const flaw = flawOf(before, world.rows)
  world.check('FI-02', flaw === undefined, `${what}: ${flaw ?? ''}`)
  checkEvents(world, before, events, kind !== 'starts' && isDone, what)
  return call !== undefined
}

/** Checks that events match the rows added since then, and the sign-in if there was one. */
function checkEvents(
  world: World,
  before: Rows,
  events: Recorded['events'],
  isIn: boolean,
  what: string,
): void {
  const count = (event: string) => events.filter((each) => each.event === event).length
  const made = world.rows.users.length - before.users.length
  const linked = world.rows.accounts.length - before.accounts.length
  if (made > 0) world.reach('a user')
  if (linked > 0) world.reach('an account')
  const created = count('createUser')
  world.check('AL-07', created === made, `${what}: ${made} users, and ${created} createUser`)
  const announced = count('linkAccount')
  world.check('AL-07', announced === linked, `${what}: ${linked} accounts, and ${announced} linkAccount`)
  const entered = count('signIn')
  world.check('AL-07', entered === Number(isIn), `${what}: ${entered} signIn, and ${Number(isIn)} sign-ins`)
  const isNew = events.some(({ event, message }) => event === 'signIn' && message.isNewUser === true)
  world.check('AL-07', !isIn || isNew === made > 0, `${what}: isNewUser is ${isNew}, for ${made} users`)
}

export const webauthnFaultProperties: readonly Property[] = [
  property({
    proves: ['FI-01', 'FI-02', 'AL-07', 'FI-12'],
    name: 'reports every store failure in a ceremony, and leaves no incomplete rows',
    story:
      'The database fails. Then a passkey opens the wrong account, an account is lost, or an event reports a missing one.',
    advice:
      'End the ceremony with an error on every store failure, undo only this request’s writes, and emit events only for what remains.',
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
          if (!(await checkSound(world, name, at, fault))) break
        }
    },
  }),
  property({
    proves: ['FI-02', 'AL-11'],
    name: 'lets a user register again after a registration failed halfway',
    story,
    advice: 'Undo incomplete writes, or let the next attempt find them.',
    needs: ['passkey', 'faults', 'clock'],
    setups: passkeysAndSessions,
    runs: 60,
    reaches: { met: 5 },
    input: fc.record({
      call: fc.constantFrom(
        'createUser',
        'linkAccount',
        // Listed more often: the outcome depends most on whether this call took effect.
        'createAuthenticator',
        'createAuthenticator',
        'createAuthenticator',
        'getAuthenticator',
        'createSession',
      ),
      fault: fc.constantFrom(throwing, rejecting, losing, losing, muting, hanging),
      isSignedIn: fc.boolean(),
    }),
    async run(world, { call, fault, isSignedIn: isKnown }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      const browser = world.browser('ada')
      if (isKnown) await browser.signIn('mail', ada)
      const fields = { action: 'register', ...(!isKnown && { email: ada.address.passkey }) }
      const options = await requireOptions(world, browser, 'register', fields)
      const answer = answerTo(device, 'register', options)
      world.prove(browser, ada, 'passkey')
      const go = () => postAnswer(world, browser, 'register', answer)
      const { call: hit } = await runWithFault(world, { browser, go }, `store.${call}`, 0, fault)
      if (hit === undefined) return
      world.reach('met')
      const isBack = await recover(world, device, isKnown)
      world.check('FI-02', isBack, `after ${call} ${fault.name} once, ada can no longer register`)
      const says = `${call} ${fault.name} once, and an unusable user remains`
      if (!world.features.has('store')) return
      world.check('AL-11', !hasOrphan(world.rows), says)
      // If the result of linkAccount is lost, a concurrent request may need the account, so it must not be removed.
      if (call === 'linkAccount' && [losing, muting].includes(fault)) return
      const flaw = findInconsistency(world)
      world.check('FI-02', flaw === undefined, `${call} ${fault.name} once, and ${flaw ?? ''}`)
    },
  }),
  property({
    proves: ['FI-02'],
    name: 'lets a user register again after a failure, even with a minimal adapter',
    story,
    advice: 'Check that the adapter has a method before you call it to clean up.',
    needs: ['passkey', 'setup'],
    setups: passkeysAndSessions,
    runs: 20,
    reaches: { newcomer: 1, 'signed in': 1 },
    ...everyOf({
      times: [1, 2],
      who: ['newcomer', 'signed in'],
      lacks: ['unlinkAccount', 'deleteUser', 'neither'],
    }),
    async run(base, { times, who, lacks }) {
      const isKnown = who === 'signed in'
      // Without deleteUser, an unusable user cannot be removed.
      if (lacks === 'deleteUser' && !isKnown) return
      const { rows, operations } = createStore()
      const state = { failures: times }
      const adapter: Record<string, unknown> = {
        ...operations,
        async createAuthenticator(row: never) {
          if (state.failures-- > 0) throw new Error('unavailable')
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
        const { action, options } = await requestOptions(world, browser, fields)
        world.check(
          'FI-02',
          action === 'register',
          'after a failed registration, the application offers no other one',
        )
        if (options) await postAnswer(world, browser, 'register', answerTo(device, 'register', options))
      }
      world.reach(who)
      world.check('FI-02', !hasOrphan(rows), `an unusable user remains (without ${lacks})`)
      const isBack = await recover(world, device, isKnown)
      world.check('FI-02', isBack, `after createAuthenticator failed, ada cannot register (without ${lacks})`)
    },
  }),
]
