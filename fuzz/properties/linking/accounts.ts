import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Setup } from '../../targets/setup.ts'
import type { Browser } from '../../world/browser.ts'
import { rejecting, throwing } from '../../world/fault-plan.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentAs, withAccounts } from '../support/identities.ts'
import { isRefusal, stored } from '../support/outcome.ts'

const idp = withAccounts([
  { sub: 'namesake', claims: { name: 'ada', email: 'ada@mail.example', email_verified: true } },
])
const dangerous = { allowDangerousEmailAccountLinking: true }
/** User ids that do not identify anybody. */
const unstable: Readonly<Record<string, unknown>> = {
  missing: undefined,
  null: null,
  empty: '',
  'not a number': Number.NaN,
  object: {},
  list: [],
}
const methods = ['mail', 'alpha', 'beta', 'plain'] as const
const actions = [...methods, 'namesake', 'sign out', 'denied', 'stale link'] as const

async function act(
  world: World,
  browser: Browser,
  who: 'ada' | 'bob',
  action: (typeof actions)[number],
): Promise<Reply> {
  const person = world.people[who]
  if (action === 'sign out') return browser.signOut()
  if (action === 'namesake') return browser.arrive(await consentAs(world, browser, 'alpha', 'namesake'))
  if (action === 'mail') return browser.followLink(await browser.requestLink(person.address.mail))
  if (action === 'stale link') {
    const mail = await browser.requestLink(person.address.mail)
    mail.link.searchParams.set('token', 'stale')
    return browser.followLink(mail)
  }
  if (action !== 'denied') return browser.arrive(await browser.visit(action, person))
  world.idps.beta.misbehave('access-denied')
  const arrival = await browser.visit('beta', person)
  world.idps.beta.misbehave()
  return browser.arrive(arrival)
}

/** Completes a sign-in. */
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
    // The flow may stop before the provider or the mail; the session shows whether somebody is signed in.
  }
  return (await browser.whoAmI()) === 'ada'
}

export const accountProperties: readonly Property[] = [
  property({
    proves: ['AL-07'],
    name: 'emits every event exactly once, for a row or session that exists',
    story: 'An application that relies on events greets users who do not exist, or misses a linked account.',
    advice: 'Emit each event next to the store operation it reports, and nowhere else.',
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
        action: fc.constantFrom(...actions),
        pause: fc.constantFrom(0, 1, 3600),
      }),
      { minLength: 3, maxLength: 7 },
    ),
    async run(world, steps) {
      const browsers = [world.browser('ada'), world.browser('bob')] as const
      for (const person of [world.people.ada, world.people.bob])
        for (const browser of browsers) world.prove(browser, person, 'alpha')
      for (const { who, at, action, pause } of steps) {
        if (world.features.has('clock')) world.advance(pause)
        const { users, accounts } = world.rows
        const [userCount, accountCount] = [users.length, accounts.length]
        const [eventCount, callbackCount] = [world.recorded.events.length, world.recorded.callbacks.length]
        world.plan.arm('store')
        const reply = await act(world, browsers[at === 0 ? 0 : 1], who, action)
        const updates = world.plan.calls.filter((call) => call === 'store.updateUser').length
        const events = world.recorded.events.slice(eventCount)
        const count = (event: string) => events.filter((each) => each.event === event).length
        const made = world.rows.users.length - userCount
        const linked = world.rows.accounts.length - accountCount
        if (made > 0) world.reach('a user')
        if (linked > 0) world.reach('an account')
        world.check(
          'AL-07',
          count('createUser') === made,
          `${made} users, ${count('createUser')} createUser (${action})`,
        )
        world.check(
          'AL-07',
          count('linkAccount') === linked,
          `${linked} accounts, ${count('linkAccount')} linkAccount`,
        )
        world.check(
          'AL-07',
          count('updateUser') === updates,
          `${updates} updates, ${count('updateUser')} updateUser`,
        )
        const isIn = action !== 'sign out' && !isRefusal(reply)
        if (action !== 'sign out' && !isIn) world.reach('a refusal')
        const entered = count('signIn')
        world.check(
          'AL-07',
          entered === (isIn ? 1 : 0),
          `${entered} signIn events, and ${isIn ? 'one sign-in' : 'no sign-in'}`,
        )
        const isNew = events.some(({ event, message }) => event === 'signIn' && message.isNewUser === true)
        world.check(
          'AL-07',
          !isIn || isNew === made > 0,
          `isNewUser is ${isNew}, but ${made} users were created`,
        )
        const calls = world.recorded.callbacks.slice(callbackCount).filter(({ name }) => name === 'jwt')
        const isSignUp = calls.some(({ params }) => params.trigger === 'signUp')
        world.check(
          'AL-07',
          calls.length === 0 || !isIn || isSignUp === made > 0,
          'trigger signUp does not match isNewUser',
        )
      }
    },
  }),
  property({
    proves: ['AL-08'],
    name: 'refuses a password user without a stable id, or identifies them by e-mail address',
    story: 'Every sign-in creates a new user, or all users share one account.',
    advice:
      'Refuse a user without an id, or derive the subject from the e-mail address. Never generate a random id.',
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
    ...eachOf(Object.keys(unstable)),
    async run(world, kind) {
      const enterAs = async (username: string) => {
        const browser = world.browser()
        const csrfToken = await browser.csrfToken()
        const before = world.recorded.events.length
        await browser.send(`${world.basePath}/callback/form`, {
          form: { csrfToken, username, password: 'x' },
        })
        const entered = world.recorded.events.slice(before).find(({ event }) => event === 'signIn')
        return (entered?.message.user as { readonly id?: unknown } | undefined)?.id
      }
      const [first, again, other, lookalike] = [
        await enterAs(`${kind}:one`),
        await enterAs(`${kind}:one`),
        await enterAs(`${kind}:other`),
        // Another mailbox, which NFKC turns into the first.
        await enterAs(`${kind}:ｏne`),
      ]
      world.check('AL-08', first === again, `a ${kind} id creates a new subject at each sign-in`)
      world.check(
        'AL-08',
        first === undefined || (first !== other && first !== lookalike),
        `a ${kind} id merges two people into one user`,
      )
      world.assume((await enterAs('good:one')) !== undefined, 'nobody can sign in')
    },
  }),
  property({
    proves: ['AL-11'],
    name: 'lets a user sign in again the same way, even if the first sign-in failed halfway',
    story: 'A fault during the first sign-in leaves a user row behind, and its owner is locked out for good.',
    advice: 'Delete a user whose account could not be linked, or reuse the row at the next sign-in.',
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
      world.assume(isIn || isFaulty, 'nobody can sign in')
      if (!isIn) world.reach('stopped by a fault')
      else await first.signOut()
      const again = isSameBrowser ? first : world.browser('ada')
      const isBack = await enter(again, method, world)
      world.check(
        'AL-11',
        isBack,
        `after the first sign-in with ${method}${isFaulty ? ' failed' : ''}, later ones fail`,
      )
    },
  }),
]
