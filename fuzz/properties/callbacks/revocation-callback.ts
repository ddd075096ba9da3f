import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import { hanging, rejecting, returning, throwing } from '../../world/fault-plan.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { faultOf } from '../support/faults.ts'
import { runWithFault } from '../support/flows.ts'
import { isSignedIn, sessionTokenOf } from '../support/sessions.ts'

const setup = {
  strategy: 'jwt',
  config: { adapter: true },
  with: { 'jwt-revocation': true },
} as const satisfies Setup

/** A request that looks the user of a session up. */
interface Asking {
  readonly go: () => Promise<Reply>
  /** Returns whether the request recognised the user. */
  readonly recognised: (reply: Reply) => boolean
}

const askings = {
  async 'reading the session'(_, browser) {
    return { go: () => browser.readSession(), recognised: isSignedIn }
  },
  async 'updating the session'(world, browser) {
    const csrfToken = await browser.csrfToken()
    const json = { csrfToken, data: 'news' }
    return {
      go: () => browser.send(`${world.basePath}/session`, { json, says: 'updates its session' }),
      recognised: isSignedIn,
    }
  },
  async 'linking an account'(world, browser) {
    const arrival = await browser.visit('plain', world.people.ada, { link: 'true' })
    const owner = world.rows.accounts[0]?.userId
    const recognised = () =>
      world.rows.accounts.some((row) => row.provider === 'plain' && row.userId === owner)
    return { go: () => browser.arrive(arrival), recognised }
  },
} as const satisfies Record<string, (world: World, browser: Browser) => Promise<Asking>>
type AskingName = keyof typeof askings
const askingNames = Object.keys(askings) as AskingName[]

/** Answers that say neither that a token is revoked nor that it is not. */
const unusable = [
  throwing,
  rejecting,
  hanging,
  ...[undefined, null, 0, 1, '', 'false', 'revoked', {}].map((answer) =>
    returning(JSON.stringify(answer) ?? 'nothing', () => answer),
  ),
] as const
const revoked = returning('true', () => true)

/** Opens an application whose callback answers that no token is revoked, unless a fault says something else. */
async function open(base: World): Promise<{ readonly world: World; readonly browser: Browser }> {
  const { isRevoked } = base.plan.watch('revocation', { isRevoked: () => false })
  const world = await base.another({ ...setup, config: { ...setup.config, jwt: { isRevoked } } }, 'own')
  const browser = world.browser('ada')
  await browser.signIn('alpha', world.people.ada)
  return { world, browser }
}

/** What the application says about a session token. */
export const revocationCallbackProperties: readonly Property[] = [
  property({
    proves: ['OPT-006'],
    name: 'recognises nobody by a token about which isRevoked throws or returns no boolean, and keeps the cookie',
    story: 'The list of banned users is down, or its function forgets to return, and all of them are let in.',
    advice:
      'Accept only false as not revoked. Let anything but a boolean fail the request, without clearing the cookie.',
    needs: ['setup', 'faults', 'clock', 'store'],
    setups: { jwt: setup },
    runs: 40,
    reaches: Object.fromEntries(askingNames.map((name) => [name, 3])),
    parts: askingNames.map((name) => ({ name })),
    input: fc.record({ name: fc.constantFrom(...askingNames), fault: faultOf(...unusable) }),
    async run(base, { name, fault }) {
      const { world, browser } = await open(base)
      const { go, recognised } = await askings[name](world, browser)
      const held = sessionTokenOf(browser)
      const { reply, call, isStuck } = await runWithFault(world, { browser, go }, 'revocation', 0, fault)
      const what = `${name}, when isRevoked ${fault.name}`
      world.check('OPT-006', call !== undefined, `${name} does not call isRevoked`)
      world.check('OPT-006', !isStuck, `${what}, never ends`)
      world.check('OPT-006', !recognised(reply), `${what}, recognises the user`)
      world.check('OPT-006', sessionTokenOf(browser) === held, `${what}, changes the session cookie`)
      const isIn = isSignedIn(await browser.readSession())
      world.check('OPT-006', isIn, `${what}, has ended the session`)
      world.reach(name)
    },
  }),

  property({
    proves: ['OPT-006'],
    name: 'recognises nobody by a token that isRevoked reports as revoked, and clears the cookie',
    story: 'A user whose session the application has revoked still adds an account to it.',
    advice: 'Call isRevoked wherever a session token is opened.',
    needs: ['setup', 'faults', 'clock', 'store'],
    setups: { jwt: setup },
    runs: 20,
    parts: askingNames.map((name) => ({ name })),
    input: fc.record({ name: fc.constantFrom(...askingNames) }),
    async run(base, { name }) {
      const { world, browser } = await open(base)
      const { go, recognised } = await askings[name](world, browser)
      const held = sessionTokenOf(browser)
      const { reply } = await runWithFault(world, { browser, go }, 'revocation', 0, revoked)
      world.check('OPT-006', !recognised(reply), `${name} recognises the user of a revoked token`)
      if (name === 'linking an account') return
      world.check('OPT-006', sessionTokenOf(browser) === '', `${name} leaves the cookie of a revoked token`)
      world.assume(held !== '', 'the browser had no session')
    },
  }),
]
