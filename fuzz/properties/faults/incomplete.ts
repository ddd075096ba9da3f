import fc from 'fast-check'
import { hanging, losing, muting, rejecting } from '../../world/fault-plan.ts'
import type { Browser } from '../../world/browser.ts'
import type { Reply } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { signInAgain, findInconsistency } from '../support/aftermath.ts'
import { flows, flowSetups, runWithFault } from '../support/flows.ts'
import { sessionTokenOf, isSignedIn, issuedBy, refuses } from '../support/sessions.ts'

export const incompleteProperties: readonly Property[] = [
  property({
    proves: ['FI-11'],
    name: 'issues no guessable session when the random generator fails',
    story: 'The random generator fails, and every session gets the same id.',
    advice: 'Let an exception of the generator end the flow.',
    needs: ['setup'],
    setups: { database: {}, jwt: { strategy: 'jwt' } },
    runs: 30,
    input: fc.record({
      step: fc.constantFrom('start', 'arrive'),
      how: fc.constantFrom('throws', 'throws once', 'is missing'),
      after: fc.nat({ max: 6 }),
    }),
    async run(world, { step, how, after }) {
      const { ada } = world.people
      const broken = how === 'is missing' ? undefined : fail
      const ids: string[] = []
      for (let n = 0; n < 2; n++) {
        const browser = world.browser('ada')
        const csrfToken = await browser.csrfToken()
        const arrival = step === 'arrive' ? await browser.visit('alpha', ada) : undefined
        const go = async () =>
          arrival
            ? browser.arrive(arrival)
            : browser.send(`${world.basePath}/signin/${world.idOf('alpha') ?? ''}`, { form: { csrfToken } })
        const reply = await withoutRandomness(broken, go, after, how === 'throws once')
        world.check('FI-11', reply.failure === undefined, 'without randomness the application breaks')
        if (!refuses(reply)) ids.push(...idsOf(browser, reply))
      }
      world.check(
        'FI-11',
        new Set(ids).size === ids.length && ids.every((id) => id.length >= 20),
        'without randomness ids repeat',
      )
      await world.browser('ada').signIn('alpha', ada)
    },
  }),
  property({
    proves: ['FI-11', 'FI-01'],
    name: 'signs nobody in when the random generator fails during the sign-in',
    story: 'The random generator fails after the session was stored, and the failed sign-in still counts.',
    advice: 'Generate all random values before you set the session cookie.',
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
      world.check('FI-11', reply.failure === undefined, 'without randomness the application breaks')
      if (!refuses(reply)) return
      world.reach('failed')
      const what = `${name} that failed because the random generator did`
      world.check('FI-01', issuedBy(reply).length === 0, `${what} sets a session cookie`)
      world.check('FI-01', !isSignedIn(await flow.browser.readSession()), `${what} signs somebody in`)
    },
  }),

  property({
    proves: ['FI-02', 'FI-01'],
    name: 'lets the user sign in again after a write whose result was lost',
    story: 'The database connection breaks between a write and its response, and locks a user out.',
    advice: 'If a write times out, read the row back, and delete an incomplete one.',
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
      const { reply, call: hit, unhandled } = await runWithFault(world, flow, `store.${call}`, 0, fault)
      if (hit === undefined) return
      world.reach('hit')
      const what = `${hit} ${fault.name} during ${name}`
      world.check(
        'FI-01',
        unhandled.length === 0 && reply.failure === undefined,
        `${what}: unhandled rejection`,
      )
      world.check('FI-02', await signInAgain(world, name), `after ${what}, its user cannot sign in`)
      const flaw = findInconsistency(world)
      world.check('FI-02', flaw === undefined, `after ${what}, ${flaw ?? ''}`)
    },
  }),
]

function fail(): never {
  throw new Error('unavailable')
}

/** The random values that a sign-in sends to the provider, or else the token of the session. */
function idsOf(browser: Browser, { location }: Reply): readonly string[] {
  const names = ['state', 'nonce', 'code_challenge']
  const sent = names.map((name) => location?.searchParams.get(name)).filter((value) => value)
  return sent.length > 0 ? sent.map(String) : [sessionTokenOf(browser)]
}

/**
 * Runs a function with the random generators of this thread failing after a number of calls.
 *
 * @param isOnce whether only one call fails
 */
async function withoutRandomness<T>(
  broken: (() => never) | undefined,
  work: () => Promise<T>,
  after = 0,
  isOnce = false,
): Promise<T> {
  let calls = 0
  const names = ['getRandomValues', 'randomUUID'] as const
  const kept = names.map((name) => [name, Object.getOwnPropertyDescriptor(crypto, name)] as const)
  for (const name of names) {
    const sound = crypto[name].bind(crypto) as (...args: readonly unknown[]) => unknown
    const fails = (...args: readonly unknown[]) => {
      const isSound = isOnce ? calls !== after : calls < after
      calls++
      return isSound ? sound(...args) : broken?.()
    }
    const value = broken && fails
    Object.defineProperty(crypto, name, { value, configurable: true, writable: true })
  }
  try {
    return await work()
  } finally {
    for (const [name, descriptor] of kept) if (descriptor) Object.defineProperty(crypto, name, descriptor)
  }
}
