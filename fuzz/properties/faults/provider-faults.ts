import fc from 'fast-check'
import { hanging, muting } from '../../world/fault-plan.ts'
import { endpoints, transportFaults, type Fault as IdpFault } from '../../world/idp/faults.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { signInAgain } from '../support/aftermath.ts'
import { flows, runWithFault } from '../support/flows.ts'
import { sessionTokenOf, isSignedIn, refuses } from '../support/sessions.ts'
import { faultOf, all } from '../support/faults.ts'

export const providerFaultProperties: readonly Property[] = [
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
          (fault) => !['hang', 'slow', 'json-with-html-type', 'network-error'].includes(fault),
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
      const what = `a sign-in at ${method} whose ${endpoint} returns ${how}`
      world.check('FI-06', reply.failure === undefined, `${what} returns ${reply.failure ?? ''}`)
      world.check('FI-06', refuses(reply), `${what} succeeds`)
      world.check('FI-06', !isSignedIn(await visitor.readSession()), `${what} signs somebody in`)
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
