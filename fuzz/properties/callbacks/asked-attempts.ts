import fc from 'fast-check'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { address, changeableSetups, isIn } from '../support/account-changes.ts'
import { hooks } from '../support/callbacks.ts'
import { confirmChange, openAda, receiveChange, requestChange } from '../support/email-changes.ts'
import { change, choose, opens, receiveReset, requestReset, setPassword } from '../support/passwords.ts'
import { enrol, enterCode } from '../support/second-factor.ts'
import { redirectTargetOf } from '../support/sign-in-methods.ts'

/** A request that is ready to be sent, and what the application is asked about it. */
interface Attempt {
  readonly type: string
  /** The address or the id of the user by which the attempt counts. */
  readonly about: unknown
  readonly go: () => Promise<Reply>
  /** Tells whether it took effect. */
  readonly works: () => boolean | Promise<boolean>
}

const first = 'the first password of the member'
const second = 'the second password of the member'
const newAddress = 'member@new.example'

function countMails(world: World, to: string): number {
  return world.mailbox.mails.filter((mail) => mail.to === to).length
}

/** The attempts that an account knows besides a sign-in. */
const attempts = {
  async 'a request for a link that sets a password'(world) {
    await setPassword(world, address, first)
    const [browser, before] = [world.browser(), countMails(world, address)]
    const go = () => requestReset(world, browser, address.toUpperCase())
    return { type: 'email', about: address, go, works: () => countMails(world, address) > before }
  },
  async 'a link that sets a password'(world) {
    await setPassword(world, address, first)
    const browser = world.browser()
    const mail = await receiveReset(world, browser, address)
    const go = () => choose(world, browser, mail, second)
    return { type: 'verification', about: address, go, works: () => isIn(browser) }
  },
  async 'a change of the password'(world) {
    const owner = await setPassword(world, address, first)
    const go = () => change(world, owner, first, second)
    return { type: 'credentials', about: address, go, works: () => opens(world, address, second) }
  },
  async 'a code of the second factor'(world) {
    const app = await enrol(world, await openAda(world))
    const browser = world.browser('ada')
    await browser.arrive(await browser.visit('alpha', world.people.ada))
    const go = () => enterCode(world, browser, app.code())
    return { type: 'second-factor', about: world.rows.users[0]?.id, go, works: () => isIn(browser) }
  },
  async 'a request for a link to another address'(world) {
    const owner = await openAda(world)
    const go = () => requestChange(world, owner, newAddress.toUpperCase())
    return { type: 'email', about: newAddress, go, works: () => countMails(world, newAddress) > 0 }
  },
  async 'a link to another address'(world) {
    const owner = await openAda(world)
    const mail = await receiveChange(world, owner, newAddress)
    const works = () => world.rows.users.some(({ email }) => email === newAddress)
    return { type: 'verification', about: newAddress, go: () => confirmChange(owner, mail), works }
  },
} as const satisfies Record<string, (world: World) => Promise<Attempt>>
type Name = keyof typeof attempts
const names = Object.keys(attempts) as Name[]

/** An answer of the application that allows nothing. */
interface Refusal {
  readonly says: string
  readonly give: () => unknown
  /** Whether it is an exception, which no visitor can change by trying again later. */
  readonly fails?: true
}

const down = () => new Error('the counters are down')
const refusals: readonly Refusal[] = [
  ...[false, undefined, null, 1, {}, { retryAfter: 60 }].map((answer) => ({
    says: `returns ${JSON.stringify(answer) ?? 'nothing'}`,
    give: () => answer,
  })),
  {
    says: 'throws',
    fails: true,
    give() {
      throw down()
    },
  },
  { says: 'rejects', fails: true, give: () => Promise.reject(down()) },
]

/** What the callback for rate limits is asked, besides sign-ins. */
export const askedAttemptProperties: readonly Property[] = [
  property({
    ...hooks,
    proves: ['OPT-003', 'EC-10', 'RL-09'],
    name: 'asks about each attempt at an account, by its address or user, and stops at a refusal',
    story: 'The application limits sign-ins, and Eve guesses the password in the form that changes it.',
    advice:
      'Ask before every mail and before every comparison with a secret, in the flow that does it, and let only true pass.',
    needs: ['setup', 'hooks', 'store'],
    setups: changeableSetups,
    runs: 24,
    reaches: Object.fromEntries(names.map((name) => [name, 1])),
    parts: [...names.map((name) => ({ name })), ...refusals.map((refusal) => ({ refusal }))],
    input: fc.record({ name: fc.constantFrom(...names), refusal: fc.constantFrom(...refusals) }),
    async run(base, { name, refusal }) {
      let isOver = false
      const callbacks = { rateLimit: () => !isOver || refusal.give() }
      const { strategy } = base
      const config = { callbacks, ...(strategy === 'jwt' && { adapter: true }) }
      const world = await base.another({ ...changeableSetups[strategy], config }, 'own')
      const { type, about, go, works }: Attempt = await attempts[name](world)
      const from = world.recorded.callbacks.length
      isOver = true
      const reply = await go()
      isOver = false
      const asked = world.recorded.callbacks.slice(from).filter((each) => each.name === 'rateLimit')
      const id = name.endsWith('another address') ? 'EC-10' : 'OPT-003'
      const isAsked = asked.length === 1 && asked[0]?.params.type === type
      world.check(id, isAsked, `rateLimit is not called once with type ${type} before ${name}`)
      const { identifier, account } = asked[0]?.params ?? {}
      const by = identifier ?? account
      world.check('RL-09', by === about, `${name} counts by ${String(by)} instead of ${String(about)}`)
      const what = `${name}, for which rateLimit ${refusal.says},`
      world.check(id, !(await works()), `${what} takes effect`)
      const error = redirectTargetOf(reply)?.searchParams.get('error')
      const isSaid = reply.status === 429 || error === 'RateLimited' || refusal.fails
      world.check(id, isSaid === true, `${what} ends as ${error ?? reply.status}`)
      await go()
      // Tokens of the same millisecond end with the other sessions.
      world.clock.advance(1)
      world.check(id, await works(), `${name} fails after a refused one`)
      world.reach(name)
    },
  }),
]
