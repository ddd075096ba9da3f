import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import { hanging, muting } from '../../world/fault-plan.ts'
import { endpoints, transportFaults, type Fault as IdpFault } from '../../world/idp/faults.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { signInAgain } from '../support/aftermath.ts'
import { flows, runWithFault } from '../support/flows.ts'
import { sessionTokenOf, isSignedIn, refuses } from '../support/sessions.ts'
import { faultOf, all } from '../support/faults.ts'

/** The deadline of a request by default, and one that the configuration of a provider sets. In seconds. */
const deadlines = [10, 3]

/** A response that a client must refuse, of the provider at which the user consented: it stops nothing. */
const accepted = { observed: 'a lax check' } as const

export const providerFaultProperties: readonly Property[] = [
  ...deadlines.map((seconds) => {
    const plain = seconds === 10 ? {} : { timeout: seconds * 1000 }
    return property({
      proves: ['FI-05'],
      name: `ends a request to a provider after ${seconds} s, even if its body has begun to arrive`,
      story: 'A provider sends half a response, and the request waits for the rest.',
      advice: 'Keep the deadline of an outbound request until its body has arrived.',
      needs: ['clock'],
      setups: { [`${seconds} s`]: { provider: { plain } } },
      runs: 8,
      input: fc.record({
        endpoint: fc.constantFrom('token' as const, 'userinfo' as const),
        how: fc.constantFrom('hang' as const, 'slow' as const),
      }),
      async run(world, { endpoint, how }) {
        const { plain: idp } = world.idps
        const browser = world.browser('ada')
        const arrival = await browser.visit('plain', world.people.ada)
        idp.misbehave(`${endpoint}:${how}`)
        let isDone = false
        const request = browser.arrive(arrival).finally(() => (isDone = true))
        const until = async (isReached: () => boolean) => {
          for (let time = 0; time < 200 && !isReached(); time++) await wait(5)
        }
        await until(() => isDone || idp.requestsTo(endpoint).length > 0)
        await wait(5)
        world.assume(!isDone, `the ${endpoint} endpoint was not requested`)
        world.advance(seconds + 1)
        await until(() => isDone)
        world.check(
          'FI-05',
          isDone,
          `the request continues after ${seconds + 1} s, while ${endpoint} is ${how}`,
        )
        world.check('FI-05', refuses(await request), `the sign-in succeeds, while ${endpoint} is ${how}`)
        idp.misbehave()
        await world.browser('ada').signIn('plain', world.people.ada)
      },
    })
  }),

  property({
    proves: ['JW-10'],
    name: 'does not end a request at once, if its deadline is beyond 32 bits',
    story: 'An application sets the longest possible timeout, and every request fails immediately.',
    advice: 'Limit the time of a timer to 2^31 - 1 ms, because longer timers fire immediately.',
    needs: ['setup'],
    setups: { 'a month': { provider: { alpha: { timeout: 2 ** 31 }, plain: { timeout: 3e9 } } } },
    runs: 4,
    ...eachOf(['alpha' as const, 'plain' as const]),
    async run(world, provider) {
      const browser = world.browser('ada')
      const { location } = await browser.start(provider)
      world.check('JW-10', location?.origin === world.idps[provider].issuer, 'no sign-in can start')
      const reply = await browser.arrive(await browser.visit(provider, world.people.ada))
      world.check('JW-10', !refuses(reply), 'nobody can sign in')
    },
  }),

  property({
    ...all,
    proves: ['FI-05', 'FI-12'],
    name: 'times out a provider that does not respond',
    story: 'A provider hangs, and with it every request, until the server runs out of capacity.',
    advice: 'Give every outbound request a deadline.',
    setups: { database: {}, 'with userinfo': { provider: { alpha: { idToken: false } } } },
    runs: 30,
    reaches: { hit: 2 },
    input: fc.record({
      flow: fc.constantFrom(
        'starting a sign-in' as const,
        'a first sign-in' as const,
        'linking an account' as const,
      ),
      at: fc.nat({ max: 3 }),
      fault: faultOf(hanging, muting),
    }),
    async run(world, { flow: name, at, fault }) {
      const flow = await flows[name].open(world)
      const held = sessionTokenOf(flow.browser)
      const { reply, call, isStuck, unhandled } = await runWithFault(world, flow, 'network', at, fault)
      if (call === undefined) return
      world.reach('hit')
      world.check('FI-05', !isStuck, `${name} does not finish within a minute, while the provider hangs`)
      world.check(
        'FI-05',
        refuses(reply) && reply.failure === undefined,
        `${name} succeeds, while the provider hangs`,
      )
      world.check(
        'FI-05',
        sessionTokenOf(flow.browser) === held,
        `${name} changes the session, while the provider hangs`,
      )
      world.check('FI-12', unhandled.length === 0, `${name}: unhandled rejection, while the provider hangs`)
      world.check('FI-05', await signInAgain(world, name), 'nobody can sign in after a provider hung once')
    },
  }),

  property({
    proves: ['FI-06'],
    name: 'signs nobody in from an invalid provider response',
    story:
      'A proxy in front of a provider returns an HTML page and it is accepted, or a huge response fills the memory.',
    advice: 'Check status, type and size before you parse, and follow no redirect.',
    setups: { database: {}, 'with userinfo': { provider: { alpha: { idToken: false } } } },
    runs: 80,
    reaches: { hit: 10 },
    input: fc.record({
      method: fc.constantFrom('alpha', 'plain'),
      endpoint: fc.constantFrom(...endpoints),
      how: fc.constantFrom(
        ...transportFaults.filter(
          (fault) => !['hang', 'slow', 'network-error'].includes(fault) && !fault.startsWith('json-with'),
        ),
      ),
    }),
    async run(world, { method, endpoint, how }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const idp = world.idps[method]
      idp.misbehave(`${endpoint}:${how}`)
      const started = await browser.start(method)
      const isAway = started.location !== undefined && started.location.origin !== world.origin
      idp.misbehave()
      const arrival = isAway ? await browserAt(world, method, `${endpoint}:${how}`) : undefined
      const requests = idp.requestsTo(endpoint).length
      const reply = arrival ? await arrival.browser.arrive(arrival.arrival) : started
      idp.misbehave()
      const visitor = arrival?.browser ?? browser
      if (arrival && idp.requestsTo(endpoint).length === requests) return
      world.reach('hit')
      const what = `a sign-in at ${method}, whose ${endpoint} endpoint has the fault “${how}”,`
      world.check('FI-06', reply.failure === undefined, `${what} returns ${reply.failure ?? ''}`)
      world.check('FI-06', refuses(reply), `${what} succeeds`, accepted)
      world.check('FI-06', !isSignedIn(await visitor.readSession()), `${what} signs somebody in`, accepted)
      if (endpoint === 'jwks') {
        // An application may wait before it requests keys again.
        if (!world.features.has('clock')) return
        world.advance(60)
      }
      await world.browser('ada').signIn(method, ada)
    },
  }),
]

/** A new user at the provider, which misbehaves from then on. */
async function browserAt(world: World, method: 'alpha' | 'plain', fault: IdpFault) {
  const browser = world.browser('ada')
  if (!fault.startsWith('discovery')) world.idps[method].misbehave(fault)
  const arrival = await browser.visit(method, world.people.ada)
  world.idps[method].misbehave(fault)
  return { browser, arrival }
}
