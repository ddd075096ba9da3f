import fc from 'fast-check'
import { hanging, muting } from '../world/fault-plan.ts'
import { endpoints, transportFaults, type Fault as IdpFault } from '../world/idp/faults.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { signInAgain } from './support/aftermath.ts'
import { flows, goWrong } from './support/flows.ts'
import { heldBy, isSignedIn, refuses } from './support/sessions.ts'
import { faultOf, all } from './support/faults.ts'

export const providerFaultProperties: readonly Property[] = [
  property({
    ...all,
    proves: ['FI-05', 'FI-12'],
    name: 'a provider that never answers is given up in time',
    story: 'A provider hangs, and with it every request, until the server has no more room.',
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
      const held = heldBy(flow.browser)
      const { reply, call, isStuck, unhandled } = await goWrong(world, flow, 'network', at, fault)
      if (call === undefined) return
      world.reach('hit')
      world.hold('FI-05', !isStuck, `${name} is not answered within a minute, while the provider hangs`)
      world.hold(
        'FI-05',
        refuses(reply) && reply.failure === undefined,
        `${name} is a success, while the provider hangs`,
      )
      world.hold(
        'FI-05',
        heldBy(flow.browser) === held,
        `${name} changes the session, while the provider hangs`,
      )
      world.hold(
        'FI-12',
        unhandled.length === 0,
        `${name}: a rejection that nobody handles, while the provider hangs`,
      )
      world.hold('FI-05', await signInAgain(world, name), 'after a provider hung once nobody can sign in')
    },
  }),

  property({
    proves: ['FI-06'],
    name: 'whatever a provider answers in place of what it should, nobody is signed in',
    story: 'A proxy in front of a provider answers a page, and it counts; or a huge answer fills the memory.',
    advice: 'Demand status, type and size before parsing, and follow no redirect.',
    setups: { database: {}, 'with userinfo': { provider: { alpha: { idToken: false } } } },
    runs: 80,
    reaches: { hit: 10 },
    input: fc.record({
      door: fc.constantFrom('alpha', 'plain'),
      endpoint: fc.constantFrom(...endpoints),
      how: fc.constantFrom(
        ...transportFaults.filter(
          (fault) => !['hang', 'slow', 'json-with-html-type', 'network-error'].includes(fault),
        ),
      ),
    }),
    async run(world, { door, endpoint, how }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const idp = world.idps[door]
      idp.misbehave(`${endpoint}:${how}`)
      const started = await browser.start(door)
      const isAway = started.location !== undefined && started.location.origin !== world.origin
      idp.misbehave()
      const arrival = isAway ? await browserAt(world, door, `${endpoint}:${how}`) : undefined
      const asked = idp.requestsTo(endpoint).length
      const reply = arrival ? await arrival.browser.arrive(arrival.arrival) : started
      idp.misbehave()
      const visitor = arrival?.browser ?? browser
      if (arrival && idp.requestsTo(endpoint).length === asked) return
      world.reach('hit')
      const what = `a sign-in at ${door} whose ${endpoint} answers ${how}`
      world.hold('FI-06', reply.failure === undefined, `${what} is answered with ${reply.failure ?? ''}`)
      world.hold('FI-06', refuses(reply), `${what} is a success`)
      world.hold('FI-06', !isSignedIn(await visitor.readSession()), `${what} signs somebody in`)
      await world.browser('ada').signIn(door, ada)
    },
  }),
]

/** Somebody new who was sent to the provider, which misbehaves from then on. */
async function browserAt(world: World, door: 'alpha' | 'plain', fault: IdpFault) {
  const browser = world.browser('ada')
  if (!fault.startsWith('discovery')) world.idps[door].misbehave(fault)
  const arrival = await browser.visit(door, world.people.ada)
  world.idps[door].misbehave(fault)
  return { browser, arrival }
}
