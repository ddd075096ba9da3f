import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import type { RemoteName } from '../../world/people.ts'
import { openRace } from '../../world/race.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentTo, startAt, subjectOf } from '../support/consent.ts'
import { withAccounts } from '../support/identities.ts'
import { isRefusal, stored } from '../support/outcome.ts'
import { scheduler } from '../support/races.ts'

const remote = fc.constantFrom('alpha' as const, 'plain' as const)

/** Accounts at another provider with the addresses of Eve's. */
const idp = withAccounts(
  (['alpha', 'plain'] as const).map((provider) => ({
    sub: `rival-of-${provider}`,
    claims: { name: 'eve', email: `eve@${provider}.example`, email_verified: true },
  })),
)

/** The check beside PKCE of each provider, which names its cookie and its parameter. */
const second = { alpha: 'nonce', plain: 'state' } as const

/** Finds the cookie of a check among those of a sign-in. */
function cookieOf(browser: Browser, check: string): readonly [string, string] | undefined {
  return Object.entries(browser.cookies()).find(([name]) => name.includes(`.${check}`))
}

/** Checks that Eve's account does not open Bob's user, in any browser. */
async function checkUnlinked(world: World, provider: RemoteName, how: string): Promise<void> {
  const { ada, bob, eve } = world.people
  const attacker = world.browser('eve')
  for (const person of [ada, bob, eve]) world.prove(attacker, person, provider)
  await attacker.arrive(await attacker.visit(provider, eve))
  const who = await attacker.whoAmI()
  world.check('AL-10', who !== 'bob', `eve’s account opens bob’s user (${how})`)
}

export const linkProofProperties: readonly Property[] = [
  property({
    proves: ['AL-10'],
    name: 'links nothing when the check cookies come from two sign-ins',
    story:
      'An attacker plants their own check cookie beside a victim’s, and their account is linked to the victim.',
    advice: 'Seal the signed-in user into each check, and link only if all of them agree.',
    setups: stored(),
    runs: 50,
    input: fc.record({
      provider: remote,
      planted: fc.constantFrom('pkce', 'the other one'),
      by: fc.constantFrom('nobody', 'eve'),
    }),
    async run(world, { provider, planted, by }) {
      const { bob, eve } = world.people
      const victim = world.browser('bob')
      await victim.signIn('mail', bob)
      const url = await startAt(world, victim, provider)
      const other = world.browser('eve')
      if (by === 'eve') await other.signIn('mail', eve)
      const theirs = await startAt(world, other, provider)
      const check = planted === 'pkce' ? 'pkce' : second[provider]
      const cookie = cookieOf(other, check)
      const sent = check === 'pkce' ? 'code_challenge' : check
      const value = theirs.searchParams.get(sent)
      world.assume(cookie !== undefined && value !== null, `the sign-in has no check like ${check}`)
      if (!cookie || value === null) return
      victim.setCookie(`${cookie[0]}=${cookie[1]}; Path=/; Secure; HttpOnly; SameSite=Lax`)
      url.searchParams.set(sent, value)
      world.prove(victim, eve, provider)
      const reply = await victim.arrive(await consentTo(world, provider, url, subjectOf(eve, provider)))
      world.reach(isRefusal(reply) ? 'refused' : 'accepted as one sign-in')
      await checkUnlinked(
        world,
        provider,
        `${check} belongs to the sign-in of ${by === 'eve' ? 'eve' : 'a signed-out browser'}`,
      )
    },
  }),

  property({
    proves: ['AL-10'],
    name: 'links an account only to the user who started the sign-in, even after a race',
    story: 'Two sign-ins with one address run at once, and one account is linked to the wrong user.',
    advice: 'After a store conflict, compare the user who started the sign-in with the signed-in user again.',
    needs: ['store'],
    setups: stored({ idp }),
    runs: 60,
    reaches: { 'many choices': 10 },
    input: fc.record({
      provider: remote,
      before: fc.constantFrom('nobody', 'ada'),
      rival: fc.constantFrom('another account', 'another account', 'a link', 'a link', 'the same account'),
      scheduler,
    }),
    async run(world, input) {
      const { provider, before, rival } = input
      const { ada, bob, eve } = world.people
      const browser = world.browser('ada')
      if (before === 'ada') await browser.signIn('mail', ada)
      const url = await startAt(world, browser, provider)
      const arrival = await consentTo(world, provider, url, subjectOf(eve, provider))
      if (before === 'ada') await browser.signOut()
      world.prove(browser, bob, 'mail')
      world.prove(browser, eve, provider)
      await browser.followLink(await browser.requestLink(bob.address.mail))
      world.assume((await browser.whoAmI()) === 'bob', 'bob cannot sign in')
      const overtaking = world.browser('eve')
      for (const method of ['mail', 'alpha', 'plain'] as const) world.prove(overtaking, eve, method)
      const overtake = await openRival(world, overtaking, provider, rival)
      const race = openRace(input.scheduler)
      world.enter(race)
      await race.run([() => browser.arrive(arrival), overtake])
      if (race.choices() > 5) world.reach('many choices')
      const bobs = world.rows.users.find(({ email }) => email === bob.address.mail)?.id
      const linked = world.rows.accounts.filter(({ userId }) => userId === bobs).length
      world.check('AL-10', linked === 0, `an account that ${before} started to link was linked to bob`)
      await checkUnlinked(world, provider, `started by ${before}, overtaken by ${rival}`)
    },
  }),
]

/** Starts another sign-in with Eve's address or account at this provider, up to its last request. */
async function openRival(world: World, browser: Browser, provider: 'alpha' | 'plain', rival: string) {
  const { eve } = world.people
  if (rival === 'a link') {
    const mail = await browser.requestLink(eve.address[provider])
    return () => browser.followLink(mail)
  }
  const elsewhere = provider === 'alpha' ? 'plain' : 'alpha'
  const method = rival === 'the same account' ? provider : elsewhere
  const sub = rival === 'the same account' ? subjectOf(eve, provider) : `rival-of-${provider}`
  const arrival = await consentTo(world, method, await startAt(world, browser, method), sub)
  return () => browser.arrive(arrival)
}
