import fc from 'fast-check'
import type { IdpUser } from '../world/idp/contract.ts'
import { member } from '../world/reply.ts'
import { property, type Property } from './property.ts'
import { consentTo, startAt, subjectOf, withParameters } from './support/consent.ts'
import { consentAs, withAccounts } from './support/identities.ts'
import { isRefusal, stored, touchesSession } from './support/outcome.ts'
import { plant, sessionOf } from './support/sessions.ts'

/** Ada's mailbox, as the accounts of an attacker claim it. */
const victim = 'ada@mail.example'
const verdicts = {
  missing: undefined,
  no: false,
  yes: true,
  'yes as text': 'true',
  'no as text': 'false',
  'not at all': 0,
  'not as a digit': '0',
  'not as a word': 'no',
  'not said': null,
  'not as an empty text': '',
  'not as an object': {},
} as const
const denials = Object.keys(verdicts).filter((verdict) => verdict.startsWith('no'))
const impostors: readonly IdpUser[] = Object.entries(verdicts).map(([name, verdict]) => ({
  sub: `impostor-${name}`,
  claims: { name: 'eve', email: victim, ...(verdict !== undefined && { email_verified: verdict }) },
}))
/** Eve's accounts, after she changed their address to Ada's. */
const moved: readonly IdpUser[] = ['alpha', 'plain'].flatMap((provider) =>
  [true, false].map((verified) => ({
    sub: `moved-${provider}-${verified}`,
    claims: { sub: `eve-at-${provider}`, name: 'eve', email: victim, email_verified: verified },
  })),
)
const idp = withAccounts([...impostors, ...moved])
const remote = fc.constantFrom('alpha' as const, 'plain' as const)
const dangerous = { allowDangerousEmailAccountLinking: true }

export const linkingProperties: readonly Property[] = [
  property({
    proves: ['AL-01', 'AL-09'],
    name: 'an account is not linked to a user because it claims the same address',
    story: 'An attacker opens an account with a victim’s address at any provider, and is the victim.',
    advice:
      'Refuse an unknown account whose address belongs to a user, unless the application asked to link it.',
    needs: ['store'],
    setups: stored({ idp }),
    runs: 40,
    input: fc.record({
      provider: remote,
      verdict: fc.constantFrom('missing', 'no', 'yes', 'no as text'),
      owner: fc.constantFrom('mail' as const, 'beta' as const),
    }),
    async run(world, { provider, verdict, owner }) {
      const { ada } = world.people
      await world.browser('ada').signIn('mail', ada)
      if (owner === 'beta') await world.browser('ada').signIn('beta', ada)
      const before = JSON.stringify([world.rows.users, world.rows.accounts])
      const attacker = world.browser('eve')
      await attacker.arrive(await consentAs(world, attacker, provider, `impostor-${verdict}`))
      const after = JSON.stringify([world.rows.users, world.rows.accounts])
      world.hold('AL-01', before === after, `an account (verified: ${verdict}) was linked, or changed a user`)
      const who = await attacker.whoAmI()
      world.hold('AL-09', who === undefined, `a claimed address (verified: ${verdict}) opened a session`)
      await world.browser('ada').signIn('mail', ada)
    },
  }),
  property({
    proves: ['AL-01', 'AL-09'],
    name: 'where addresses may link, one that the provider denies does not',
    story: 'An attacker claims a victim’s address at a provider that says that nobody proved it.',
    advice:
      'Where email_verified is there, take nothing but true for a yes, also as text, whatever the options say.',
    needs: ['store'],
    setups: stored({ idp, provider: { alpha: dangerous, plain: dangerous } }),
    runs: 40,
    reaches: { linked: 3 },
    input: fc.record({
      provider: remote,
      verdict: fc.constantFrom(...denials, 'yes', 'yes as text', 'missing'),
    }),
    async run(world, { provider, verdict }) {
      const { ada } = world.people
      await world.browser('ada').signIn('mail', ada)
      const browser = world.browser('eve')
      const arrival = await consentAs(world, browser, provider, `impostor-${verdict}`)
      const isDenied = denials.includes(verdict)
      // Where the application asked for it, the claim counts for a proof.
      if (!isDenied) world.prove(browser, ada, provider)
      await browser.arrive(arrival)
      if (!isDenied && world.rows.accounts.length > 0) world.reach('linked')
      if (!isDenied) return
      const linked = world.rows.accounts.length
      world.hold('AL-01', linked === 0, `an account (verified: ${verdict}) was linked`)
      world.hold('AL-01', (await browser.whoAmI()) === undefined, 'a denied address opened a session')
    },
  }),
  property({
    proves: ['AL-03'],
    name: 'an account is linked to somebody who is signed in, and asked for it',
    story:
      'An attacker’s page starts a sign-in, or an old session is enough, and their account opens the victim’s.',
    advice: 'Demand the CSRF token at the start, and a live session of one and the same user at both ends.',
    needs: ['store', 'hooks'],
    setups: {
      database: { config: { session: { maxAge: 600 } } },
      jwt: { strategy: 'jwt', config: { adapter: true, session: { maxAge: 600 } } },
    },
    runs: 40,
    reaches: { linked: 3, 'signed out': 4, expired: 4 },
    input: fc.record({
      provider: remote,
      how: fc.constantFrom('rightly', 'without CSRF token', 'signed out', 'expired'),
      age: fc.integer({ min: 620, max: 890 }),
    }),
    async run(world, { provider, how, age }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('mail', ada)
      const id = world.rows.users[0]?.id
      const own = () => world.rows.accounts.filter(({ userId }) => userId === id).length
      if (how === 'without CSRF token') {
        const path = `${world.basePath}/signin/${provider}`
        const forms: readonly Record<string, string>[] = [{}, { csrfToken: 'x' }, { csrfToken: '' }]
        for (const form of forms) {
          const reply = await browser.send(path, { form })
          const isSent = reply.location !== undefined && reply.location.origin !== world.origin
          world.hold('AL-03', !isSent, 'a request without the CSRF token started to link an account')
        }
        await browser.send(path)
        return
      }
      const session = sessionOf(browser.cookies())
      const arrival = await browser.visit(provider, ada)
      if (how === 'signed out') await browser.signOut()
      if (how === 'expired') {
        if (!world.features.has('clock')) return
        world.pass(age)
        plant(browser, session)
      }
      await browser.arrive(arrival)
      world.reach(how)
      if (how !== 'rightly') return world.hold('AL-03', own() === 0, `an account was linked: ${how}`)
      world.demand(own() > 0, 'nothing is linked by signing in')
      world.reach('linked')
      const told = world.told.events.filter(({ event }) => event === 'linkAccount').length
      world.hold(
        'AL-03',
        own() === 1 && told === 1,
        `one account was linked, and ${told} linkAccount events told`,
      )
      const again = world.browser('ada')
      await again.arrive(await again.visit(provider, ada))
      world.demand((await again.whoAmI()) === 'ada', 'the linked account does not open the user')
    },
  }),
  property({
    proves: ['DEC-38'],
    name: 'where linking is explicit, a sign-in that did not ask for it goes to the user of its identity',
    story: 'An attacker plants her session in a browser, and the next identity of its user is linked to her.',
    advice: 'Seal the starting user into the checks only where the form asks to link.',
    needs: ['store'],
    setups: stored({ config: { accountLinking: 'explicit' } }),
    runs: 60,
    reaches: { linked: 4, switched: 8, 'over a planted session': 4 },
    input: fc.record({
      provider: remote,
      how: fc.constantFrom('asks', 'says nothing', 'says no', 'asks in the query', 'over a planted session'),
      isKnown: fc.boolean(),
    }),
    async run(world, { provider, how, isKnown }) {
      const { ada, eve } = world.people
      const id = world.idOf(provider) ?? ''
      if (isKnown) await world.browser('ada').signIn(provider, ada)
      const isPlanted = how === 'over a planted session'
      const holder = isPlanted ? eve : ada
      const first = world.browser(holder.name)
      await first.signIn('mail', holder)
      const browser = isPlanted ? world.browser('ada') : first
      if (isPlanted) browser.restore(first.save())
      const forms: Readonly<Record<string, Record<string, string>>> = {
        asks: { link: 'true' },
        'says no': { link: 'false' },
      }
      const start = async () => {
        if (how !== 'asks in the query') return browser.visit(provider, ada, forms[how] ?? {})
        const form = { csrfToken: await browser.csrfToken() }
        const path = `${world.basePath}/signin/${id}?link=true`
        const { location } = await browser.send(path, { form })
        return consentTo(world, provider, location ?? new URL(world.origin), subjectOf(ada, provider))
      }
      const arrival = await start()
      world.prove(browser, ada, provider)
      const reply = await browser.arrive(arrival)
      const userOf = (address: string) => world.rows.users.find(({ email }) => email === address)?.id
      const isLinked = world.rows.accounts.some(({ userId }) => userId === userOf(holder.address.mail))
      if (how === 'asks') {
        world.hold(
          'DEC-38',
          isLinked === !isKnown,
          'a sign-in that asked to link did not, or took an account',
        )
        world.hold('DEC-38', isRefusal(reply) === isKnown, 'an account of another user was not refused')
        return world.reach('linked')
      }
      world.hold('DEC-38', !isLinked, `the account was linked to who was signed in (${how})`)
      const email = member((await browser.readSession()).json, 'user', 'email')
      world.hold('DEC-38', email === ada.address[provider], `the browser is now the one of ${String(email)}`)
      world.reach('switched')
      if (isPlanted) world.reach(how)
    },
  }),
  property({
    proves: ['AL-05'],
    name: 'an account of another user changes nothing for who is signed in',
    story: 'Signing in with a shared machine’s account silently switches users, or takes an account away.',
    advice: 'Refuse, and leave rows, session and cookie as they were.',
    setups: stored(),
    runs: 30,
    input: fc.record({ provider: fc.constantFrom('alpha' as const, 'beta' as const, 'plain' as const) }),
    async run(world, { provider }) {
      const { ada, bob } = world.people
      await world.browser('ada').signIn(provider, ada)
      const browser = world.browser('bob')
      await browser.signIn('mail', bob)
      const arrival = await browser.visit(provider, ada)
      const isSeen = world.features.has('store')
      const before = isSeen ? JSON.stringify(world.rows) : ''
      const reply = await browser.arrive(arrival)
      const after = isSeen ? JSON.stringify(world.rows) : ''
      world.hold('AL-05', isRefusal(reply), 'it was not refused')
      world.hold('AL-05', before === after, 'rows were changed')
      world.hold('AL-05', !touchesSession(reply), 'the session cookie was changed')
      const me = await browser.whoAmI()
      world.hold('AL-05', me === 'bob', `the browser of bob is now the one of ${me ?? 'nobody'}`)
      await world.browser('ada').signIn(provider, ada)
    },
  }),
  property({
    proves: ['AL-06'],
    name: 'a new address of an account merges nothing',
    story: 'An attacker changes the address of their account to a victim’s, and signs in again.',
    advice: 'Know a returning account by provider and subject alone.',
    needs: ['store'],
    setups: stored({ idp }),
    runs: 30,
    input: fc.record({ provider: remote, isVerified: fc.boolean(), isVictimThere: fc.boolean() }),
    async run(world, { provider, isVerified, isVictimThere }) {
      const { ada, eve } = world.people
      const attacker = world.browser('eve')
      if (isVictimThere) await world.browser('ada').signIn('mail', ada)
      await attacker.signIn(provider, eve)
      const look = () =>
        JSON.stringify([world.rows.users.map(({ id, email }) => [id, email]), world.rows.accounts])
      const before = look()
      const again = world.browser('eve')
      const reply = await again.arrive(
        await consentAs(world, again, provider, `moved-${provider}-${isVerified}`),
      )
      world.hold('AL-06', before === look() || !isVictimThere, 'users or accounts were changed')
      const isEves = world.rows.accounts.every(({ userId }) => userId === world.rows.accounts[0]?.userId)
      world.hold('AL-06', isEves && world.rows.accounts.length === 1, 'the account has another user now')
      world.demand(!isRefusal(reply), 'the account cannot come back')
      const holder = world.rows.sessions.at(-1)?.userId
      world.hold(
        'AL-06',
        world.strategy === 'jwt' || holder === world.rows.accounts[0]?.userId,
        'the account opens another user now',
      )
      await world.browser('ada').signIn('mail', ada)
    },
  }),
  property({
    proves: ['AL-10'],
    name: 'what was started for one user, browser and identity links nothing for another',
    story:
      'An attacker’s half-done sign-in is finished in a victim’s session, and links the attacker’s account.',
    advice: 'Seal who was signed in at the start into the check, and compare at the end.',
    setups: stored(),
    runs: 50,
    input: fc.record({
      provider: remote,
      how: fc.constantFrom('another user', 'somebody later', 'another browser', 'another identity'),
    }),
    async run(world, { provider, how }) {
      const { ada, bob, eve } = world.people
      const browser = world.browser('ada')
      if (how !== 'somebody later') await browser.signIn('mail', ada)
      const url = await startAt(world, browser, provider)
      const arrival = await consentTo(world, provider, url, subjectOf(eve, provider))
      // The account is Eve's; whose session could it be linked to?
      let victimName = 'ada'
      if (how === 'another user' || how === 'somebody later') {
        victimName = 'bob'
        if (how === 'another user') await browser.signOut()
        world.prove(browser, bob, 'mail')
        world.prove(browser, eve, provider)
        await browser.followLink(await browser.askLink(bob.address.mail))
        world.demand((await browser.whoAmI()) === 'bob', 'bob cannot sign in')
        await browser.arrive(arrival)
      } else if (how === 'another browser') {
        const other = world.browser('bob')
        victimName = 'bob'
        await other.signIn('mail', bob)
        await other.arrive(arrival)
      } else {
        const own = world.browser('eve')
        const code = (await own.visit(provider, eve)).parameters.get('code') ?? ''
        const honest = await consentTo(world, provider, url, subjectOf(ada, provider))
        await browser.arrive(withParameters(honest, (parameters) => parameters.set('code', code)))
      }
      const attacker = world.browser('eve')
      for (const person of [ada, bob, eve]) world.prove(attacker, person, provider)
      await attacker.arrive(await attacker.visit(provider, eve))
      const who = await attacker.whoAmI()
      world.hold('AL-10', who !== victimName, `eve’s account opens ${victimName} now (${how})`)
    },
  }),
]
