import fc from 'fast-check'
import { opensSession } from '../../monitors/monitor.ts'
import { losing, rejecting, throwing, type Fault } from '../../world/fault-plan.ts'
import {
  answerTo,
  requireOptions,
  enrol,
  openDevice,
  perform,
  postAnswer,
  signInWith,
} from '../../world/passkeys.ts'
import { openRace } from '../../world/race.ts'
import { createStore } from '../../world/store.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { isFault } from '../support/outcome.ts'
import { passkeySetup, passkeysAndSessions, withPasskeys } from '../support/passkeys.ts'
import { count, scheduler, tabsOf } from '../support/races.ts'

const counter = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 3 }), weight: 6 },
  { arbitrary: fc.constantFrom(255, 256, 65_536, 2 ** 31, 2 ** 32 - 1), weight: 1 },
)

/** Opens an application with this adapter, and tabs of a browser that share one response of ada's passkey. */
async function prepareResponse(base: World, adapter: object, tabs: number) {
  const world = await base.another({ ...passkeySetup({}, { adapter }), strategy: base.strategy }, 'own')
  const { ada } = world.people
  const device = openDevice(world, ada)
  await enrol(world, world.browser('ada'), device, { counter: 5 })
  const browser = world.browser('ada')
  const options = await requireOptions(world, browser, 'authenticate', { action: 'authenticate' })
  const answer = answerTo(device, 'authenticate', options, { counter: 10 })
  await browser.csrfToken()
  const browsers = tabsOf(world, browser, tabs)
  for (const tab of browsers) world.prove(tab, ada, 'passkey')
  return { world, device, browsers, answer }
}

export const webauthnCounterProperties: readonly Property[] = [
  property({
    proves: ['WA-05'],
    name: 'rejects a counter that does not increase',
    story: 'A cloned authenticator signs in beside the original, and nobody notices.',
    advice: 'Reject a counter that is not above the stored one unless both are 0, and store the new one.',
    needs: ['passkey'],
    setups: { passkeys: withPasskeys },
    runs: 60,
    reaches: { decreased: 5, unchanged: 1, 'always 0': 1, advanced: 5 },
    input: fc.record({
      first: fc.oneof(fc.constant(0), counter),
      next: fc.array(counter, { minLength: 1, maxLength: 4 }),
    }),
    async run(world, { first, next }) {
      const { ada } = world.people
      const device = openDevice(world, ada)
      await enrol(world, world.browser('ada'), device, { counter: first })
      let known = first
      for (const received of next) {
        const isHonest = received > known || (received === 0 && known === 0)
        const browser = world.browser('ada')
        world.prove(browser, ada, 'passkey')
        await perform(world, browser, device, 'authenticate', { faults: { counter: received } })
        const me = await browser.whoAmI()
        if (isHonest) world.assume(me === 'ada', `a counter of ${received} after ${known} is refused`)
        else
          world.check('WA-05', me === undefined, `a counter of ${received} after ${known} opened a session`)
        world.reach(
          received > known
            ? 'advanced'
            : received < known
              ? 'decreased'
              : known > 0
                ? 'unchanged'
                : 'always 0',
        )
        if (isHonest) known = received
        if (!world.features.has('store')) continue
        const stored = world.rows.credentials[0]?.counter
        world.check('WA-05', stored === known, `the store has the counter ${stored} instead of ${known}`)
      }
    },
  }),
  property({
    proves: ['WA-05'],
    name: 'accepts one signature with a counter once, even from concurrent requests',
    story: 'An attacker posts a copy of an authenticator response at the same moment, and is signed in too.',
    advice: 'Read, compare and store the counter of a credential in one serialised step.',
    needs: ['passkey', 'setup'],
    setups: passkeysAndSessions,
    runs: 12,
    reaches: { 'many choices': 3, 'a store that compares': 1, 'a store that does not': 1 },
    input: fc.record({ requests: count, compares: fc.boolean(), scheduler }),
    async run(base, { requests, compares, scheduler: order }) {
      const race = openRace(order)
      const { operations } = createStore()
      const { updateAuthenticatorCounter: update } = operations
      const watched = race.scheduled('store', {
        getAuthenticator: operations.getAuthenticator,
        updateAuthenticatorCounter: compares ? update : (id: string, counter: number) => update(id, counter),
      })
      const { world, device, browsers, answer } = await prepareResponse(
        base,
        { ...operations, ...watched },
        requests,
      )
      const replies = await race.run(
        browsers.map((browser) => () => postAnswer(world, browser, 'authenticate', answer)),
      )
      if (race.choices() > 1) world.reach('many choices')
      world.reach(compares ? 'a store that compares' : 'a store that does not')
      const opened = replies.filter(opensSession).length
      world.check(
        'WA-05',
        opened === 1,
        `${opened} of ${requests} requests with one signature opened a session`,
      )
      const faults = replies.filter(isFault).length
      world.check('WA-05', faults === 0, `${faults} of ${requests} requests return a server error`)
      await signInWith(world, world.browser('ada'), device, { faults: { counter: 20 } })
    },
  }),
  property({
    proves: ['WA-05'],
    name: 'rejects a counter that another process has stored in the meantime',
    story: 'Two processes get the same signature at the same time, and both accept it.',
    advice:
      'Pass the compared counter to the store, and let it set the new one only if that one is still stored. Refuse otherwise.',
    needs: ['passkey', 'setup'],
    setups: passkeysAndSessions,
    runs: 20,
    reaches: { equal: 1, higher: 1, lower: 1 },
    input: fc.record({
      meanwhile: fc.constantFrom('equal', 'higher', 'lower'),
      at: fc.constantFrom('write', 'read'),
    }),
    async run(base, { meanwhile, at }) {
      const { rows, operations } = createStore()
      const state = { isOn: false }
      /** Simulates another process between two statements of this one. */
      const interfere = () => {
        if (!state.isOn) return
        state.isOn = false
        const counter = 10 + { equal: 0, higher: 1, lower: -1 }[meanwhile]
        rows.credentials = rows.credentials.map((row) => ({ ...row, counter }))
      }
      const adapter = {
        ...operations,
        async getAuthenticator(id: string) {
          const row = await operations.getAuthenticator(id)
          if (at === 'read') interfere()
          return row
        },
        async updateAuthenticatorCounter(id: string, counter: number, held?: { readonly counter: number }) {
          if (at === 'write') interfere()
          return operations.updateAuthenticatorCounter(id, counter, held)
        },
      }
      const { world, device, browsers, answer } = await prepareResponse(base, adapter, 1)
      state.isOn = true
      const [browser = world.browser('ada')] = browsers
      const reply = await postAnswer(world, browser, 'authenticate', answer)
      world.reach(meanwhile)
      const me = await browser.whoAmI()
      const says = `another process stored a counter that is ${meanwhile}`
      if (meanwhile !== 'lower') {
        world.check('WA-05', me === undefined, `${says}: ${me ?? ''} is signed in`)
        world.check('WA-05', !isFault(reply), `${says}: the response is a server error`)
      }
      await signInWith(world, world.browser('ada'), device, { faults: { counter: 20 } })
    },
  }),
  property({
    proves: ['WA-05'],
    name: 'signs nobody in if the counter could not be stored',
    story: 'While the database fails, a cloned authenticator can reuse the same counter.',
    advice: 'Store the counter before the session, and stop if that fails.',
    needs: ['passkey', 'faults', 'store'],
    setups: { passkeys: withPasskeys },
    runs: 30,
    reaches: { 'not stored': 3, 'returns the old counter': 1 },
    input: fc.record({
      fault: fc.constantFrom(throwing, rejecting, losing, undefined, undefined),
      counts: fc.boolean(),
    }),
    async run(world, { fault: failing, counts }) {
      const { ada } = world.people
      const unchanged: Fault = {
        name: 'returns the old counter',
        apply: async () => ({ ...world.rows.credentials[0] }),
      }
      // A store that returns the old counter has not failed if the counter stays 0.
      const fault = failing ?? (counts ? unchanged : rejecting)
      // A counter that stays 0 need not be stored.
      const device = openDevice(world, ada, { counts })
      await enrol(world, world.browser('ada'), device)
      const browser = world.browser('ada')
      const options = await requireOptions(world, browser, 'authenticate', { action: 'authenticate' })
      const answer = answerTo(device, 'authenticate', options)
      world.prove(browser, ada, 'passkey')
      world.plan.arm('store.updateAuthenticatorCounter', 0, fault)
      await postAnswer(world, browser, 'authenticate', answer)
      const isMet = world.plan.calls.length > 0
      world.plan.arm('none')
      if (!isMet && !counts) return
      world.reach('not stored')
      if (fault === unchanged) world.reach(fault.name)
      const me = await browser.whoAmI()
      world.check(
        'WA-05',
        me === undefined,
        `updateAuthenticatorCounter ${fault.name}: ${me ?? ''} is signed in`,
      )
      await signInWith(world, world.browser('ada'), device)
    },
  }),
]
