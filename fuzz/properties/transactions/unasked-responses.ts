import { everyOf } from '../../arbitraries/every-of.ts'
import type { Browser } from '../../world/browser.ts'
import type { RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentTo, remotes, startAt, subjectOf, withParameters } from '../support/consent.ts'
import { checkRefused, takeSnapshot } from '../support/snapshot.ts'

/** The parameters that tie a response to the sign-in that requested it. */
const ties = ['state', 'nonce', 'code_challenge', 'code_challenge_method'] as const

/** The `state` parameter of the response. */
const states = { 'no state': undefined, 'an empty state': '', 'the state “undefined”': 'undefined' } as const

/** The state of the browser that gets the response. */
const victims = {
  'a browser that began nothing': async () => {},
  'a browser with cookies of the site': async (browser) => void (await browser.readSession()),
  'a browser after a sign-in': async (browser, { people }, provider) =>
    void (await browser.signIn(provider, people.ada)),
} satisfies Record<string, (browser: Browser, world: World, provider: RemoteName) => Promise<void>>

export const unaskedResponseProperties: readonly Property[] = [
  property({
    proves: ['TX-01'],
    name: 'rejects the response to a request that no sign-in made',
    story:
      'An attacker requests a code without a state, a nonce and a challenge, and the browser of a victim that began no sign-in opens the response.',
    advice:
      'Refuse a response unless this browser has a sign-in, before you compare values: two missing values are equal.',
    setups: { database: {}, jwt: { strategy: 'jwt', providers: remotes } },
    portable: true,
    runs: 30,
    ...everyOf({
      provider: remotes,
      victim: Object.keys(victims) as (keyof typeof victims)[],
      state: Object.keys(states) as (keyof typeof states)[],
    }),
    async run(world, { provider, victim, state }) {
      const { ada, eve } = world.people
      const attacker = world.browser('eve')
      const url = await startAt(world, attacker, provider)
      for (const name of ties) url.searchParams.delete(name)
      const arrival = await consentTo(world, provider, url, subjectOf(eve, provider))
      const browser = world.browser('ada')
      await victims[victim](browser, world, provider)
      const before = await takeSnapshot(world, browser)
      const sent = states[state]
      await browser.arrive(
        withParameters(arrival, (query) =>
          sent === undefined ? query.delete('state') : query.set('state', sent),
        ),
      )
      await checkRefused(world, 'TX-01', browser, before, `${victim} opened a response with ${state}`)
      world.reach(victim)
      await world.browser('ada').signIn(provider, ada)
    },
  }),
]
