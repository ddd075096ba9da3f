import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import type { Browser } from '../../world/browser.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentTo, remotes, startAt, subjectOf, withParameters } from '../support/consent.ts'
import { countTokenRequests, checkRefused, checkUnchanged, takeSnapshot } from '../support/snapshot.ts'

/** The state of a victim's browser when the attacker's response reaches it. */
const victims = {
  'a new browser': async () => {},
  'one that has visited the site': async (browser) => void (await browser.csrfToken()),
  'one that is signed in': async (browser, { people }, provider) =>
    void (await browser.signIn(provider === 'alpha' ? 'beta' : 'alpha', people.ada)),
  'one that has just signed in there': async (browser, { people }, provider) =>
    void (await browser.signIn(provider, people.ada)),
  'one with a sign-in at another provider': async (browser, world, provider) =>
    void (await startAt(world, browser, provider === 'alpha' ? 'beta' : 'alpha')),
} satisfies Record<
  string,
  (browser: Browser, world: World, provider: (typeof remotes)[number]) => Promise<void>
>

/** How a transaction can fail, by the provider's behaviour. */
const failures = ['access-denied', 'error-of-its-own', 'token:400', 'token:500', 'token:html'] as const

/** A second response to the same request. */
const responses = ['the same response', 'a new code for the same request'] as const

/** The provider at which a sign-in starts, and another one that responds. */
const pairs = remotes.flatMap((from) => remotes.filter((to) => to !== from).map((to) => [from, to] as const))

/** Identity providers that accept every verifier. */
const trusting = {
  alpha: { enforcesPkce: false },
  beta: { enforcesPkce: false },
  plain: { enforcesPkce: false },
} as const

/** Seconds around the expiry of a check, which is 900 unless a target says otherwise. */
const ages = fc.oneof(
  fc.integer({ min: 0, max: 60 }),
  fc.constantFrom(898, 899, 900, 901, 914, 916),
  fc.integer({ min: 900, max: 100_000 }),
)

export const transactionProperties: readonly Property[] = [
  property({
    proves: ['TX-01'],
    name: 'rejects a callback in a browser that did not start the sign-in',
    story:
      'An attacker signs in at the provider, intercepts the response, and makes the victim’s browser open it.',
    advice: 'Seal the checks of a callback in a cookie of the browser that starts the sign-in.',
    setups: { database: {}, jwt: { strategy: 'jwt', providers: remotes } },
    portable: true,
    runs: 50,
    ...everyOf({
      provider: remotes,
      victim: Object.keys(victims) as (keyof typeof victims)[],
      method: ['GET', 'POST'],
    }),
    async run(world, { provider, victim, method }) {
      const { ada, eve } = world.people
      const attacker = world.browser('eve')
      const arrival = await attacker.visit(provider, eve)
      const browser = world.browser('ada')
      await victims[victim](browser, world, provider)
      const before = await takeSnapshot(world, browser)
      await browser.arrive({ ...arrival, mode: method === 'GET' ? 'query' : 'form_post' })
      await checkRefused(world, 'TX-01', browser, before, `${victim} opened the response`)
      await attacker.arrive(arrival)
      world.assume((await attacker.whoAmI()) === eve.name, 'the attacker’s own sign-in fails')
      world.reach(victim)
      await world.browser('ada').signIn(provider, ada)
    },
  }),

  property({
    proves: ['TX-01'],
    name: 'requires every check that the sign-in set',
    story: 'An attacker who can make a browser drop one cookie of a sign-in removes that check.',
    advice:
      'Require each check that was sent to the provider, and never skip one because its cookie is missing.',
    setups: {
      usual: {},
      all: {
        provider: {
          alpha: { checks: ['pkce', 'state', 'nonce'] },
          beta: { checks: ['state'] },
          plain: { checks: ['state', 'pkce'] },
        },
      },
    },
    runs: 40,
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      which: fc.nat({ max: 5 }),
      empty: fc.boolean(),
    }),
    async run(world, { provider, which, empty }) {
      const browser = world.browser('ada')
      const before = await takeSnapshot(world, browser)
      const held = Object.keys(browser.cookies())
      const arrival = await browser.visit(provider, world.people.ada)
      const checks = Object.keys(browser.cookies()).filter(
        (name) => !held.includes(name) && /state|pkce|verifier|nonce|check|flow|transaction/i.test(name),
      )
      const name = checks[which % checks.length]
      world.assume(name !== undefined, 'the sign-in set no check cookie')
      if (empty) browser.setCookie(`${name}=; Path=/; Secure; HttpOnly`)
      else browser.dropCookie(String(name))
      await browser.arrive(arrival)
      await checkUnchanged(world, 'TX-01', browser, before, `a callback arrived without ${name}`)
      await browser.signIn(provider, world.people.ada)
      world.reach(`without ${name}`)
    },
  }),

  property({
    proves: ['TX-03'],
    name: 'rejects a second response to a sign-in that succeeded',
    story:
      'An attacker finds a callback URL in a browser history, and uses it, or another code for the same request.',
    advice: 'Use the checks of a transaction once: delete them before you send its code.',
    portable: true,
    runs: 20,
    ...everyOf({ provider: remotes, again: responses, restored: [false, true] }),
    run: (world, about) => checkSecondResponse(world, { ...about, ending: 'success' }),
  }),

  property({
    proves: ['TX-03'],
    name: 'rejects a second response to a sign-in that failed',
    story:
      'An attacker finds a callback URL in a browser history, and uses it, or another code for the same request.',
    advice: 'Clear the check cookies at every end of a transaction, errors included.',
    portable: true,
    runs: 60,
    ...everyOf({
      provider: remotes,
      ending: failures,
      again: responses,
      restored: [false, true],
    }),
    run: checkSecondResponse,
  }),

  property({
    proves: ['TX-04'],
    name: 'rejects a late callback, even if the browser kept its cookies',
    story: 'An attacker combines an old response with old cookies, from a backup or a shared machine.',
    advice: 'Seal the time of issue into the check, and compare it yourself. Do not rely on Max-Age.',
    needs: ['clock'],
    runs: 60,
    reaches: { 'in time': 5, late: 20 },
    input: fc.record({ provider: fc.constantFrom(...remotes), age: ages }),
    async run(world, { provider, age }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const url = await startAt(world, browser, provider)
      const kept = browser.cookies()
      world.advance(age)
      for (const [name, value] of Object.entries(kept))
        browser.setCookie(`${name}=${value}; Path=/; Secure; HttpOnly`)
      world.prove(browser, ada, provider)
      const arrival = await consentTo(world, provider, url, subjectOf(ada, provider))
      const before = await takeSnapshot(world, browser)
      await browser.arrive(arrival)
      if (age >= 900) {
        world.reach('late')
        await checkRefused(world, 'TX-04', browser, before, `the response arrived ${age} s after the start`)
      } else if (age <= 60) {
        world.assume((await browser.whoAmI()) === ada.name, 'a response in time signs nobody in')
        world.reach('in time')
      }
    },
  }),

  property({
    proves: ['TX-05'],
    name: 'rejects a callback whose checks belong to another provider',
    story:
      'A compromised provider that the application also trusts signs its users in as users of another one.',
    advice: 'Seal the provider into every check, and compare it in the callback.',
    setups: {
      usual: {},
      'same checks': {
        provider: {
          alpha: { checks: ['pkce', 'state'] },
          beta: { checks: ['pkce', 'state'] },
          plain: { checks: ['pkce', 'state'] },
        },
      },
      'only states': {
        provider: { alpha: { checks: ['state'] }, beta: { checks: ['state'] }, plain: { checks: ['state'] } },
      },
      // A provider that compares verifiers would reject the code in place of the application.
      'only PKCE, which no provider enforces': {
        provider: { alpha: { checks: ['pkce'] }, beta: { checks: ['pkce'] }, plain: { checks: ['pkce'] } },
        idp: trusting,
      },
    },
    portable: true,
    runs: 30,
    ...everyOf({ order: pairs, also: [false, true] }),
    async run(world, { order: [from, to], also }) {
      const { ada, eve } = world.people
      const browser = world.browser('ada')
      // A completed sign-in must not help the attacker.
      if (also) await world.browser('ada').signIn(to, ada)
      const started = await startAt(world, browser, from)
      const elsewhere = await startAt(world, world.browser('eve'), to)
      for (const name of ['state', 'nonce', 'code_challenge', 'code_challenge_method']) {
        const value = started.searchParams.get(name)
        if (value === null) elsewhere.searchParams.delete(name)
        else elsewhere.searchParams.set(name, value)
      }
      const arrival = await consentTo(world, to, elsewhere, subjectOf(eve, to))
      const before = await takeSnapshot(world, browser)
      await browser.arrive(arrival)
      await checkRefused(
        world,
        'TX-05',
        browser,
        before,
        `a response of ${to} was sent for a sign-in that began at ${from}`,
      )
      world.reach(`${from} to ${to}`)
      await world.browser('ada').signIn(from, ada)
    },
  }),

  property({
    proves: ['TX-10'],
    name: 'opens no session with a code from another transaction',
    story:
      'An attacker injects their own code into the pending callback of a victim, or a stolen code into their own.',
    advice:
      'Use PKCE with S256 and, with OpenID Connect, a nonce as well, because not every server enforces PKCE.',
    setups: {
      enforcing: {},
      trusting: { idp: trusting },
    },
    portable: true,
    runs: 25,
    ...everyOf({
      provider: remotes,
      injected: ['the whole response', 'the code, with the victim’s own state'],
    }),
    async run(world, { provider, injected }) {
      const { ada } = world.people
      // A stolen code gives the attacker more than one that the attacker gives away.
      for (const owner of ['bob', 'eve'] as const) {
        const foreign = await world.browser(owner).visit(provider, world.people[owner])
        const browser = world.browser('ada')
        const own = await browser.visit(provider, ada)
        // OAuth 2.0 allows a client that knows the state, if the server accepts any verifier.
        const keepsState = provider !== 'plain' && injected !== 'the whole response'
        const arrival = keepsState
          ? withParameters(own, (query) => query.set('code', foreign.parameters.get('code') ?? ''))
          : foreign
        const before = await takeSnapshot(world, browser)
        const requests = countTokenRequests(world)
        await browser.arrive(arrival)
        const what = keepsState ? `the code of ${owner} with the state of ada` : `the response of ${owner}`
        await checkUnchanged(world, 'TX-10', browser, before, `${what} was sent to the callback`)
        world.reach(countTokenRequests(world) > requests ? 'refused after the exchange' : 'refused before it')
      }
      await world.browser('ada').signIn(provider, ada)
    },
  }),
]

interface SecondResponse {
  readonly provider: (typeof remotes)[number]
  readonly ending: 'success' | (typeof failures)[number]
  readonly again: (typeof responses)[number]
  readonly restored: boolean
}

/** Signs in, or fails to, and sends a second response to the same authorization request. */
async function checkSecondResponse(
  world: World,
  { provider, ending, again, restored }: SecondResponse,
): Promise<void> {
  const { ada, eve } = world.people
  const browser = world.browser('ada')
  const url = await startAt(world, browser, provider)
  const saved = browser.save()
  const idp = world.idps[provider]
  idp.misbehave(...(ending === 'success' ? [] : [ending]))
  world.prove(browser, ada, provider)
  const first = await consentTo(world, provider, url, subjectOf(ada, provider))
  await browser.arrive(first)
  world.assume(
    ((await browser.whoAmI()) === ada.name) === (ending === 'success'),
    `the sign-in did not end with ${ending}`,
  )
  idp.misbehave()
  const isSame = again === 'the same response' && first.parameters.has('code')
  const second = isSame ? first : await consentTo(world, provider, url, subjectOf(ada, provider))
  const before = await takeSnapshot(world, browser)
  // Only a server that stores checks can detect a client that restores its cookies.
  if (restored && world.capabilities.has('server-side-checks')) browser.restore(saved)
  if (ending === 'success') {
    // The worst comes first: a case ends at the first failure.
    await browser.arrive(await consentTo(world, provider, url, subjectOf(eve, provider)))
    const attack = 'a code of another user for the same request arrived after a success'
    await checkRefused(world, 'TX-03', browser, before, attack)
  }
  await browser.arrive(second)
  const after = `${isSame ? again : 'a new code for the same request'} arrived after an end by ${ending}`
  // Nobody but the user has seen the state of a sign-in that ended with an error.
  const meaning = ending === 'success' ? undefined : ({ observed: 'a lax check' } as const)
  await checkRefused(world, 'TX-03', browser, before, after, meaning)
  world.reach(ending)
  await world.browser('ada').signIn(provider, ada)
}
