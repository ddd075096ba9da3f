import fc from 'fast-check'
import { hanging, losing, muting, rejecting } from '../world/fault-plan.ts'
import { property, type Property } from './property.ts'
import { signInAgain, unsound } from './support/aftermath.ts'
import { flows, flowSetups, goWrong } from './support/flows.ts'
import { heldBy, isSignedIn, issuedBy, refuses } from './support/sessions.ts'

export const halfDoneProperties: readonly Property[] = [
  property({
    proves: ['FI-11'],
    name: 'without randomness nobody is given a session that can be guessed',
    story: 'The random generator fails, and every session has the same id.',
    advice: 'Let what the generator throws end the flow.',
    needs: ['setup'],
    setups: { database: {}, jwt: { strategy: 'jwt' } },
    runs: 30,
    input: fc.record({
      step: fc.constantFrom('start', 'arrive'),
      how: fc.constantFrom('throws', 'is not there'),
    }),
    async run(world, { step, how }) {
      const { ada } = world.people
      const broken = how === 'throws' ? fail : undefined
      const ids: string[] = []
      for (let n = 0; n < 2; n++) {
        const browser = world.browser('ada')
        const csrfToken = await browser.csrfToken()
        const arrival = step === 'arrive' ? await browser.visit('alpha', ada) : undefined
        const reply = await withoutRandomness(broken, async () =>
          arrival
            ? browser.arrive(arrival)
            : browser.send(`${world.basePath}/signin/${world.idOf('alpha') ?? ''}`, { form: { csrfToken } }),
        )
        world.hold('FI-11', reply.failure === undefined, 'without randomness the application breaks')
        if (!refuses(reply)) ids.push(heldBy(browser) || (reply.location?.search ?? ''))
      }
      world.hold(
        'FI-11',
        new Set(ids).size === ids.length && ids.every((id) => id.length >= 20),
        'without randomness ids come twice',
      )
      await world.browser('ada').signIn('alpha', ada)
    },
  }),
  property({
    proves: ['FI-11', 'FI-01'],
    name: 'randomness that ends in the middle of a sign-in lets nobody in',
    story:
      'The random generator fails after the session was made, and a sign-in that failed is one all the same.',
    advice: 'Draw everything that is random before the session cookie is set.',
    needs: ['setup'],
    setups: flowSetups,
    runs: 60,
    reaches: { failed: 6 },
    input: fc.record({
      after: fc.nat({ max: 14 }),
      flow: fc.constantFrom('a first sign-in' as const, 'following a first link' as const),
    }),
    async run(world, { after, flow: name }) {
      const flow = await flows[name].open(world)
      const reply = await withoutRandomness(fail, flow.go, after)
      world.hold('FI-11', reply.failure === undefined, 'without randomness the application breaks')
      if (!refuses(reply)) return
      world.reach('failed')
      const what = `${name} that failed for want of randomness`
      world.hold('FI-01', issuedBy(reply).length === 0, `${what} sets a session cookie`)
      world.hold('FI-01', !isSignedIn(await flow.browser.readSession()), `${what} signs somebody in`)
    },
  }),

  property({
    proves: ['FI-02', 'FI-01'],
    name: 'after a write that was done, or not, and never acknowledged, the same user can sign in',
    story: 'The connection to the database breaks between a write and its answer, and locks a user out.',
    advice: 'When a write takes too long, read what became of it, and take back what must not stay alone.',
    needs: ['faults', 'clock', 'store'],
    setups: flowSetups,
    runs: 40,
    reaches: { hit: 5 },
    input: fc.record({
      flow: fc.constantFrom(
        'a first sign-in' as const,
        'a first sign-in' as const,
        'following a first link' as const,
        'linking an account' as const,
      ),
      call: fc.constantFrom('createUser', 'linkAccount', 'createUser', 'updateUser', 'createSession'),
      fault: fc.constantFrom(muting, hanging, losing, rejecting),
    }),
    async run(world, { flow: name, call, fault }) {
      const flow = await flows[name].open(world)
      const { reply, call: hit, unhandled } = await goWrong(world, flow, `store.${call}`, 0, fault)
      if (hit === undefined) return
      world.reach('hit')
      const what = `${hit} ${fault.name} during ${name}`
      world.hold('FI-01', unhandled.length === 0 && reply.failure === undefined, `${what}: nobody handles it`)
      world.hold('FI-02', await signInAgain(world, name), `after ${what}, its user cannot sign in`)
      const flaw = unsound(world)
      world.hold('FI-02', flaw === undefined, `after ${what}, ${flaw ?? ''}`)
    },
  }),
]

function fail(): never {
  throw new Error('out of order')
}

/** Does some work while the random generators of this thread are out of order, but for the first calls. */
async function withoutRandomness<T>(
  broken: (() => never) | undefined,
  work: () => Promise<T>,
  after = 0,
): Promise<T> {
  let calls = 0
  const names = ['getRandomValues', 'randomUUID'] as const
  const kept = names.map((name) => [name, Object.getOwnPropertyDescriptor(crypto, name)] as const)
  for (const name of names) {
    const sound = crypto[name].bind(crypto) as (...args: readonly unknown[]) => unknown
    const fails = (...args: readonly unknown[]) => (calls++ < after ? sound(...args) : broken?.())
    const value = broken && fails
    Object.defineProperty(crypto, name, { value, configurable: true, writable: true })
  }
  try {
    return await work()
  } finally {
    for (const [name, descriptor] of kept) if (descriptor) Object.defineProperty(crypto, name, descriptor)
  }
}
