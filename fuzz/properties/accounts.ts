import fc from 'fast-check'
import type { Setup } from '../targets/setup.ts'
import type { Browser } from '../world/browser.ts'
import { rejecting, throwing } from '../world/fault-plan.ts'
import type { Reply } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { consentAs, withAccounts } from './support/identities.ts'
import { isRefusal, stored } from './support/outcome.ts'

const idp = withAccounts([
  { sub: 'namesake', claims: { name: 'ada', email: 'ada@mail.example', email_verified: true } },
])
const dangerous = { allowDangerousEmailAccountLinking: true }
/** Ids that tell nobody from anybody. */
const unstable: Readonly<Record<string, unknown>> = {
  missing: undefined,
  null: null,
  empty: '',
  'no number': Number.NaN,
  object: {},
  list: [],
}
const methods = ['mail', 'alpha', 'beta', 'plain'] as const
const doings = [...methods, 'namesake', 'sign out', 'denied', 'stale link'] as const

async function act(
  world: World,
  browser: Browser,
  who: 'ada' | 'bob',
  doing: (typeof doings)[number],
): Promise<Reply> {
  const person = world.people[who]
  if (doing === 'sign out') return browser.signOut()
  if (doing === 'namesake') return browser.arrive(await consentAs(world, browser, 'alpha', 'namesake'))
  if (doing === 'mail') return browser.followLink(await browser.askLink(person.address.mail))
  if (doing === 'stale link') {
    const mail = await browser.askLink(person.address.mail)
    mail.link.searchParams.set('token', 'stale')
    return browser.followLink(mail)
  }
  if (doing !== 'denied') return browser.arrive(await browser.visit(doing, person))
  world.idps.beta.misbehave('access-denied')
  const arrival = await browser.visit('beta', person)
  world.idps.beta.misbehave()
  return browser.arrive(arrival)
}

/** Signs in all the way. */
async function enter(
  browser: Browser,
  method: (typeof methods)[number] | 'form',
  world: World,
): Promise<boolean> {
  const { ada } = world.people
  try {
    if (method === 'form') await browser.enterPassword(ada)
    else await act(world, browser, 'ada', method)
  } catch {
    // It ends before the provider, or no mail comes: whether somebody is signed in says it all.
  }
  return (await browser.whoAmI()) === 'ada'
}

export const accountProperties: readonly Property[] = [
  property({
    proves: ['AL-07'],
    name: 'every event tells of a row or a session that came about, and every one is told',
    story:
      'An application that keeps books by events greets users who do not exist, or misses a linked account.',
    advice: 'Announce next to the store operation that did it, and nowhere else.',
    needs: ['store', 'hooks', 'faults'],
    setups: {
      ...stored({ idp }),
      dangerous: { idp, provider: { alpha: dangerous } },
    },
    runs: 50,
    reaches: { 'a user': 10, 'an account': 10, 'a refusal': 10 },
    input: fc.array(
      fc.record({
        who: fc.constantFrom('ada' as const, 'bob' as const),
        at: fc.nat(1),
        doing: fc.constantFrom(...doings),
        pause: fc.constantFrom(0, 1, 3600),
      }),
      { minLength: 3, maxLength: 7 },
    ),
    async run(world, steps) {
      const browsers = [world.browser('ada'), world.browser('bob')] as const
      for (const person of [world.people.ada, world.people.bob])
        for (const browser of browsers) world.prove(browser, person, 'alpha')
      for (const { who, at, doing, pause } of steps) {
        if (world.features.has('clock')) world.pass(pause)
        const { users, accounts } = world.rows
        const [userCount, accountCount] = [users.length, accounts.length]
        const [eventCount, callbackCount] = [world.told.events.length, world.told.callbacks.length]
        world.plan.arm('store')
        const reply = await act(world, browsers[at === 0 ? 0 : 1], who, doing)
        const updates = world.plan.calls.filter((call) => call === 'store.updateUser').length
        const told = world.told.events.slice(eventCount)
        const count = (event: string) => told.filter((each) => each.event === event).length
        const made = world.rows.users.length - userCount
        const linked = world.rows.accounts.length - accountCount
        if (made > 0) world.reach('a user')
        if (linked > 0) world.reach('an account')
        world.hold(
          'AL-07',
          count('createUser') === made,
          `${made} users, ${count('createUser')} createUser (${doing})`,
        )
        world.hold(
          'AL-07',
          count('linkAccount') === linked,
          `${linked} accounts, ${count('linkAccount')} linkAccount`,
        )
        world.hold(
          'AL-07',
          count('updateUser') === updates,
          `${updates} updates, ${count('updateUser')} updateUser`,
        )
        const isIn = doing !== 'sign out' && !isRefusal(reply)
        if (doing !== 'sign out' && !isIn) world.reach('a refusal')
        const entered = count('signIn')
        world.hold(
          'AL-07',
          entered === (isIn ? 1 : 0),
          `${entered} signIn events, and ${isIn ? 'one' : 'no'} sign-in`,
        )
        const isNew = told.some(({ event, message }) => event === 'signIn' && message.isNewUser === true)
        world.hold('AL-07', !isIn || isNew === made > 0, `isNewUser is ${isNew}, and ${made} users were made`)
        const calls = world.told.callbacks.slice(callbackCount).filter(({ name }) => name === 'jwt')
        const isSignUp = calls.some(({ params }) => params.trigger === 'signUp')
        world.hold(
          'AL-07',
          calls.length === 0 || !isIn || isSignUp === made > 0,
          'trigger signUp does not tell who is new',
        )
      }
    },
  }),
  property({
    proves: ['AL-08'],
    name: 'a user without a stable id from a password check is refused, or known by the address',
    story: 'Everybody is a new user at each sign-in, or everybody is the same one.',
    advice:
      'Refuse a user without an id, or derive the subject from the e-mail address. Never make up a random one.',
    setups: {
      jwt: {
        strategy: 'jwt',
        providers: ['form'],
        provider: {
          form: {
            authorize({ username = '' }: Readonly<Record<string, string>>) {
              const [kind = '', who] = username.split(':')
              const id = kind === 'good' ? { id: `u-${who}` } : kind !== 'missing' && { id: unstable[kind] }
              return { ...id, name: 'ada', email: `${who}@form.example` }
            },
          },
        },
      },
    },
    runs: 20,
    input: fc.constantFrom(...Object.keys(unstable)),
    async run(world, kind) {
      const enterAs = async (username: string) => {
        const browser = world.browser()
        const csrfToken = await browser.csrfToken()
        const before = world.told.events.length
        await browser.send(`${world.basePath}/callback/form`, {
          form: { csrfToken, username, password: 'x' },
        })
        const entered = world.told.events.slice(before).find(({ event }) => event === 'signIn')
        return (entered?.message.user as { readonly id?: unknown } | undefined)?.id
      }
      const [first, again, other] = [
        await enterAs(`${kind}:one`),
        await enterAs(`${kind}:one`),
        await enterAs(`${kind}:other`),
      ]
      world.hold('AL-08', first === again, `an id that is ${kind} makes a new subject at each sign-in`)
      world.hold(
        'AL-08',
        first === undefined || first !== other,
        `an id that is ${kind} makes one of two people`,
      )
      world.demand((await enterAs('good:one')) !== undefined, 'nobody can sign in')
    },
  }),
  property({
    proves: ['AL-11'],
    name: 'whoever was let in once, or nearly, gets in by the same way again',
    story: 'A fault at the first sign-in leaves a user behind whose owner is locked out for good.',
    advice: 'Take a user back whose account could not be linked, or take them up at the next sign-in.',
    setups: {
      ...stored(),
      form: { strategy: 'jwt', providers: ['form'] },
    } satisfies Record<string, Setup>,
    runs: 60,
    input: fc.record({
      method: fc.constantFrom(...methods),
      at: fc.option(fc.nat(8), { freq: 3 }),
      fault: fc.constantFrom(throwing, rejecting),
      isSameBrowser: fc.boolean(),
    }),
    async run(world, { method: wanted, at, fault, isSameBrowser }) {
      const method = world.idOf('mail') === undefined ? 'form' : wanted
      const first = world.browser('ada')
      const isFaulty = at !== null && world.features.has('faults')
      if (isFaulty) world.plan.arm('store', at, fault)
      const isIn = await enter(first, method, world)
      world.plan.arm('none')
      world.demand(isIn || isFaulty, 'nobody can sign in')
      if (!isIn) world.reach('stopped by a fault')
      else await first.signOut()
      const again = isSameBrowser ? first : world.browser('ada')
      const isBack = await enter(again, method, world)
      world.hold(
        'AL-11',
        isBack,
        `after the first sign-in by ${method}${isFaulty ? ' failed' : ''}, none works any more`,
      )
    },
  }),
]
