import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import type { Fault } from '../../world/idp/faults.ts'
import type { Person } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentTo, startAt, subjectOf, withParameters } from '../support/consent.ts'
import { signInUnder } from '../support/faulty.ts'
import { checkUnchanged, readAfter, takeSnapshot } from '../support/snapshot.ts'

/** Unusual lifetimes that count, in seconds. */
const lifetimes: Readonly<Record<string, number>> = { 'expires-in-text': 1800, 'expires-in-zero': 0 }

export const tokenContentProperties: readonly Property[] = [
  property({
    proves: ['OI-20'],
    name: 'never accepts a token from the browser as proof',
    story: 'A token issued to another application is sent here, and its user is signed in.',
    advice: 'Accept tokens only from the token endpoint.',
    portable: true,
    runs: 40,
    parts: everyOf({
      by: ['GET', 'POST'],
      names: [['access_token'], ['id_token']],
      beside: [
        { hasCode: true, state: true },
        { hasCode: false, state: true },
        { hasCode: false, state: false },
      ],
    }).cases.map(({ by, names: [name], beside }) => ({ by, names: [name], ...beside })),
    input: fc.record({
      provider: fc.constantFrom('alpha', 'plain'),
      by: fc.constantFrom('GET', 'POST'),
      names: fc.oneof(
        fc.subarray(['access_token', 'id_token', 'token', 'response'], { minLength: 1 }),
        fc.constantFrom(['access_token'], ['id_token'], ['access_token', 'id_token']),
      ),
      state: fc.boolean(),
      hasCode: fc.boolean(),
    }),
    async run(world, { provider, by, names, state, hasCode }) {
      const { ada, bob } = world.people
      const other = world.browser('bob')
      await other.signIn(provider, bob)
      const bearer = world.idps[provider].requestsTo('userinfo').at(-1)?.headers.get('authorization')
      const browser = world.browser('ada')
      const url = await startAt(world, browser, provider)
      const arrival = await consentTo(world, provider, url, subjectOf(ada, provider))
      const idToken = await signFor(world, provider, bob, url)
      const forged = withParameters(arrival, (query) => {
        if (!hasCode) query.delete('code')
        if (!hasCode && !state) query.delete('state')
        for (const name of names) {
          query.set(name, name === 'access_token' ? (bearer?.slice(7) ?? 'a-token') : idToken)
        }
      })
      const before = await takeSnapshot(world, browser)
      if (hasCode) {
        // The code is Ada's, so the session may be hers.
        world.prove(browser, ada, provider)
        await browser.arrive(forged)
        const attack = `the browser sent ${names.join(' and ')} of bob beside a code of ada`
        const me = await readAfter(attack, browser.whoAmI)
        const says = `${attack}, and is signed in as ${me ?? ''}`
        return world.check('OI-20', me === undefined || me === ada.name, says)
      }
      await browser.arrive({ ...forged, mode: by === 'GET' ? 'query' : 'form_post' })
      await checkUnchanged(world, 'OI-20', browser, before, `the browser sent ${names.join(' and ')}`)
      await browser.start(provider, Object.fromEntries(forged.parameters))
      await checkUnchanged(
        world,
        'OI-20',
        browser,
        before,
        `a sign-in was requested with ${names.join(' and ')}`,
      )
      await browser.signIn(provider, ada)
    },
  }),

  property({
    proves: ['OI-22'],
    name: 'stores a token’s expiry as a number',
    story:
      'An expiry is computed from a lifetime that is not a number, and a token is renewed never or always.',
    advice: 'Store now + expires_in for a finite, non-negative number, and otherwise nothing.',
    needs: ['store', 'clock'],
    runs: 50,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'plain'),
      fault: fc.constantFrom<(Fault | 'none')[]>(
        'none',
        'token-type-capitals',
        'expires-in-text',
        'expires-in-empty',
        'expires-in-blank',
        'expires-in-words',
        'expires-in-zero',
        'expires-in-negative',
        'expires-in-missing',
        'expires-in-null',
        'expires-in-list',
        'expires-in-endless',
      ),
    }),
    async run(world, { provider, fault }) {
      const opened =
        fault === 'none'
          ? Boolean(await world.browser('ada').signIn(provider, world.people.ada))
          : await signInUnder(world, provider, fault)
      const [row] = world.rows.accounts
      const isOrdinary = ['none', 'token-type-capitals'].includes(fault)
      world.assume(opened || !isOrdinary, 'an ordinary sign-in fails')
      // The whole response may be refused.
      if (!row) return world.reach('refused')
      const now = Math.floor(world.clock.now() / 1000)
      const lifetime = isOrdinary ? 3600 : lifetimes[fault]
      const right = lifetime === undefined ? undefined : now + lifetime
      const { expires_at: at } = row
      world.check(
        'OI-22',
        (at ?? undefined) === right,
        `expires_at is ${String(at)} after ${fault}, and should be ${right}`,
      )
      world.reach(fault)
    },
  }),

  property({
    proves: ['OI-23'],
    name: 'stores the token type in lower case',
    story: 'Code that compares the type sends a token the wrong way, or not at all.',
    advice: 'Store token_type in lower case.',
    needs: ['store'],
    runs: 10,
    input: fc.record({
      provider: fc.constantFrom('alpha', 'beta', 'plain'),
      fault: fc.constantFrom<(readonly Fault[])[]>([], ['token-type-capitals']),
    }),
    async run(world, { provider, fault }) {
      world.assume(await signInUnder(world, provider, ...fault), 'an ordinary sign-in fails')
      const type = world.rows.accounts[0]?.token_type
      world.check('OI-23', type === 'bearer', `token_type is ${String(type)}`)
    },
  }),
]

/** Returns an id_token of a person, as the provider would send it for this authorization request. */
async function signFor(
  { idps, clock }: World,
  provider: 'alpha' | 'plain',
  person: Person,
  { searchParams: asked }: URL,
): Promise<string> {
  const iat = Math.floor(clock.now() / 1000)
  return idps[provider].sign({
    iss: idps[provider].issuer,
    aud: asked.get('client_id'),
    sub: subjectOf(person, provider),
    email: person.address[provider],
    name: person.name,
    nonce: asked.get('nonce') ?? undefined,
    iat,
    exp: iat + 300,
  })
}
