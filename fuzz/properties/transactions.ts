import fc from 'fast-check'
import type { Browser } from '../world/browser.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { consentTo, remotes, startAt, subjectOf, withParameters } from './support/consent.ts'
import { countTokenRequests, holdRefused, holdUnchanged, takeStock } from './support/stock.ts'

/** What the browser of a victim may hold when the attacker's answer reaches it. */
const victims = {
  'a new browser': async () => {},
  'one that has seen the site': async (browser) => void (await browser.csrfToken()),
  'one that is signed in': async (browser, { people }, provider) =>
    void (await browser.signIn(provider === 'alpha' ? 'beta' : 'alpha', people.ada)),
  'one that has just come back from there': async (browser, { people }, provider) =>
    void (await browser.signIn(provider, people.ada)),
  'one that is on its way to another provider': async (browser, world, provider) =>
    void (await startAt(world, browser, provider === 'alpha' ? 'beta' : 'alpha')),
} satisfies Record<
  string,
  (browser: Browser, world: World, provider: (typeof remotes)[number]) => Promise<void>
>

/** How a transaction ends, each by what the provider does. */
const endings = [
  'success',
  'access-denied',
  'error-of-its-own',
  'token:400',
  'token:500',
  'token:html',
] as const

/** Seconds around the end of a check's life, which is 900 unless a target says otherwise. */
const ages = fc.oneof(
  fc.integer({ min: 0, max: 60 }),
  fc.constantFrom(898, 899, 900, 901, 914, 916),
  fc.integer({ min: 900, max: 100_000 }),
)

export const transactionProperties: readonly Property[] = [
  property({
    proves: ['TX-01'],
    name: 'a callback opens nothing in a browser that did not start the sign-in',
    story: 'An attacker signs in at the provider, keeps the answer, and has the victim’s browser open it.',
    advice: 'Seal what a callback is checked against in a cookie of the browser that starts the sign-in.',
    setups: { database: {}, jwt: { strategy: 'jwt', providers: remotes } },
    runs: 50,
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      victim: fc.constantFrom(...(Object.keys(victims) as (keyof typeof victims)[])),
      method: fc.constantFrom('GET', 'POST'),
    }),
    async run(world, { provider, victim, method }) {
      const { ada, eve } = world.people
      const attacker = world.browser('eve')
      const arrival = await attacker.visit(provider, eve)
      const browser = world.browser('ada')
      await victims[victim](browser, world, provider)
      const before = await takeStock(world, browser)
      await browser.arrive({ ...arrival, mode: method === 'GET' ? 'query' : 'form_post' })
      await holdRefused(world, 'TX-01', browser, before, `the answer was opened in ${victim}`)
      await attacker.arrive(arrival)
      world.demand((await attacker.whoAmI()) === eve.name, 'the attacker cannot sign in herself')
      world.reach(victim)
      await world.browser('ada').signIn(provider, ada)
    },
  }),

  property({
    proves: ['TX-01'],
    name: 'a callback needs every one of the checks that its sign-in has set',
    story: 'An attacker who can make a browser drop one cookie of a sign-in takes away what it is bound by.',
    advice: 'Demand each check that was sent to the provider, and never skip one whose cookie is absent.',
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
      const before = await takeStock(world, browser)
      const held = Object.keys(browser.cookies())
      const arrival = await browser.visit(provider, world.people.ada)
      const checks = Object.keys(browser.cookies()).filter(
        (name) => !held.includes(name) && /state|pkce|verifier|nonce|check|flow|transaction/i.test(name),
      )
      const name = checks[which % checks.length]
      world.demand(name !== undefined, 'the sign-in has set no cookie that looks like a check')
      if (empty) browser.setCookie(`${name}=; Path=/; Secure; HttpOnly`)
      else browser.dropCookie(String(name))
      await browser.arrive(arrival)
      await holdUnchanged(world, 'TX-01', browser, before, `a callback came without ${name}`)
      await browser.signIn(provider, world.people.ada)
      world.reach(`without ${name}`)
    },
  }),

  property({
    proves: ['TX-03'],
    name: 'an answer that was given once gives nothing again, however the sign-in ended',
    story:
      'Who finds a callback URL in a history, or has a second code for a request, uses it after the fact.',
    advice: 'Take the check cookies away on every end of a transaction, errors included.',
    runs: 60,
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      ending: fc.constantFrom(...endings),
      again: fc.constantFrom('the same answer', 'a new code for the same request'),
      restored: fc.boolean(),
    }),
    async run(world, { provider, ending, again, restored }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const url = await startAt(world, browser, provider)
      const saved = browser.save()
      const idp = world.idps[provider]
      idp.misbehave(...(ending === 'success' ? [] : [ending]))
      world.prove(browser, ada, provider)
      const first = await consentTo(world, provider, url, subjectOf(ada, provider))
      await browser.arrive(first)
      world.demand(
        ((await browser.whoAmI()) === ada.name) === (ending === 'success'),
        `the sign-in that was to end by ${ending} ended otherwise`,
      )
      idp.misbehave()
      const isWhole = first.parameters.has('code')
      const second =
        again === 'the same answer' && isWhole
          ? first
          : await consentTo(world, provider, url, subjectOf(ada, provider))
      const before = await takeStock(world, browser)
      // What a client brings back by itself is only known to a server that keeps count.
      if (restored && world.capabilities.has('server-side-checks')) browser.restore(saved)
      await browser.arrive(second)
      await holdRefused(world, 'TX-03', browser, before, `after ${ending}, ${again} came`)
      world.reach(ending)
      await world.browser('ada').signIn(provider, ada)
    },
  }),

  property({
    proves: ['TX-04'],
    name: 'a callback that comes too late opens nothing, though the browser kept its cookies',
    story: 'An old answer and old cookies, from a backup or a shared machine, are brought together again.',
    advice: 'Seal the time of issue into the check, and compare it yourself: a cookie’s Max-Age is a wish.',
    needs: ['clock'],
    runs: 60,
    reaches: { 'in time': 5, late: 20 },
    input: fc.record({ provider: fc.constantFrom(...remotes), age: ages }),
    async run(world, { provider, age }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const url = await startAt(world, browser, provider)
      const kept = browser.cookies()
      world.pass(age)
      for (const [name, value] of Object.entries(kept))
        browser.setCookie(`${name}=${value}; Path=/; Secure; HttpOnly`)
      world.prove(browser, ada, provider)
      const arrival = await consentTo(world, provider, url, subjectOf(ada, provider))
      const before = await takeStock(world, browser)
      await browser.arrive(arrival)
      if (age >= 900) {
        world.reach('late')
        await holdRefused(world, 'TX-04', browser, before, `the answer came ${age} s after the start`)
      } else if (age <= 60) {
        world.demand((await browser.whoAmI()) === ada.name, 'an answer in time signs nobody in')
        world.reach('in time')
      }
    },
  }),

  property({
    proves: ['TX-05', 'TX-07'],
    name: 'the checks of a sign-in at one provider never satisfy the callback of another',
    story:
      'A provider that an application also trusts, or that was taken over, signs its users in under another one.',
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
      'states alone': {
        provider: { alpha: { checks: ['state'] }, beta: { checks: ['state'] }, plain: { checks: ['state'] } },
      },
    },
    runs: 30,
    input: fc.record({
      order: fc.shuffledSubarray([...remotes], { minLength: 2, maxLength: 2 }),
      also: fc.boolean(),
    }),
    async run(world, { order: [from = 'alpha', to = 'beta'], also }) {
      const { ada, eve } = world.people
      const browser = world.browser('ada')
      // A sign-in that has ended before leaves nothing behind that would help.
      if (also) await world.browser('ada').signIn(to, ada)
      const started = await startAt(world, browser, from)
      const elsewhere = await startAt(world, world.browser('eve'), to)
      for (const name of ['state', 'nonce', 'code_challenge', 'code_challenge_method']) {
        const value = started.searchParams.get(name)
        if (value === null) elsewhere.searchParams.delete(name)
        else elsewhere.searchParams.set(name, value)
      }
      const arrival = await consentTo(world, to, elsewhere, subjectOf(eve, to))
      const before = await takeStock(world, browser)
      await browser.arrive(arrival)
      await holdRefused(world, 'TX-05', browser, before, `checks of ${from} met an answer of ${to}`)
      world.reach(`${from} to ${to}`)
      await world.browser('ada').signIn(from, ada)
    },
  }),

  property({
    proves: ['TX-10'],
    name: 'a code of another transaction opens no session in one that is pending',
    story: 'An attacker puts her own code, or a stolen one, into the pending callback of another browser.',
    advice: 'Use S256 and, with OpenID Connect, a nonce as well: not every server enforces PKCE.',
    setups: {
      enforcing: {},
      trusting: {
        idp: {
          alpha: { enforcesPkce: false },
          beta: { enforcesPkce: false },
          plain: { enforcesPkce: false },
        },
      },
    },
    runs: 50,
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      code: fc.constantFrom('eve', 'bob'),
      injected: fc.constantFrom('the whole answer', 'the code, beside the victim’s own state'),
    }),
    async run(world, { provider, code: owner, injected }) {
      const { ada, [owner]: other } = world.people
      const foreign = await world.browser(owner).visit(provider, other)
      const browser = world.browser('ada')
      const own = await browser.visit(provider, ada)
      // OAuth 2.0 has nothing against one who knows the state, where the server takes any verifier.
      const keepsState = provider !== 'plain' && injected !== 'the whole answer'
      const arrival = keepsState
        ? withParameters(own, (query) => query.set('code', foreign.parameters.get('code') ?? ''))
        : foreign
      const before = await takeStock(world, browser)
      const asked = countTokenRequests(world)
      await browser.arrive(arrival)
      await holdUnchanged(world, 'TX-10', browser, before, `${injected} of ${owner} was injected`)
      world.reach(countTokenRequests(world) > asked ? 'refused after the exchange' : 'refused before it')
      await world.browser('ada').signIn(provider, ada)
    },
  }),
]
