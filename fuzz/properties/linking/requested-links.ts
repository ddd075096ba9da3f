import fc from 'fast-check'
import { member } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { consentTo, startAt, subjectOf, withParameters } from '../support/consent.ts'
import { isRefusal, stored } from '../support/outcome.ts'
import { plant, sessionOf } from '../support/sessions.ts'

const remote = fc.constantFrom('alpha' as const, 'plain' as const)

/** How a linking is requested. */
const ways = ['allowed', 'without CSRF token', 'signed out', 'expired'] as const

export const requestedLinkProperties: readonly Property[] = [
  property({
    proves: ['AL-03'],
    name: 'links an account only to the signed-in user who requested it',
    story:
      'An attacker’s page starts a sign-in, or an old session suffices, and the attacker’s account opens the victim’s.',
    advice: 'Require the CSRF token at the start, and a live session of the same user at both ends.',
    needs: ['store', 'hooks'],
    setups: {
      database: { config: { session: { maxAge: 600 } } },
      jwt: { strategy: 'jwt', config: { adapter: true, session: { maxAge: 600 } } },
    },
    runs: 40,
    reaches: { linked: 3, 'signed out': 4, expired: 4 },
    parts: ways.map((how) => ({ how })),
    input: fc.record({
      provider: remote,
      how: fc.constantFrom(...ways),
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
          world.check('AL-03', !isSent, 'a request without the CSRF token started to link an account')
        }
        await browser.send(path)
        return
      }
      const session = sessionOf(browser.cookies())
      const arrival = await browser.visit(provider, ada)
      if (how === 'signed out') await browser.signOut()
      if (how === 'expired') {
        if (!world.features.has('clock')) return
        world.advance(age)
        plant(browser, session)
      }
      await browser.arrive(arrival)
      world.reach(how)
      if (how !== 'allowed') return world.check('AL-03', own() === 0, `an account was linked: ${how}`)
      world.assume(own() > 0, 'signing in links nothing')
      world.reach('linked')
      const events = world.recorded.events.filter(({ event }) => event === 'linkAccount').length
      world.check(
        'AL-03',
        own() === 1 && events === 1,
        `one account was linked, with ${events} linkAccount events`,
      )
      const again = world.browser('ada')
      await again.arrive(await again.visit(provider, ada))
      world.assume((await again.whoAmI()) === 'ada', 'the linked account does not sign in its user')
    },
  }),

  property({
    proves: ['DEC-38'],
    name: 'signs in the identity’s own user under explicit linking, unless the form requested the link',
    story:
      'An attacker plants a session in a browser, and the next identity of its user is linked to the attacker.',
    advice: 'Seal the starting user into the checks only if the form requests the link.',
    needs: ['store'],
    setups: stored({ config: { accountLinking: 'explicit' } }),
    runs: 60,
    reaches: { linked: 4, switched: 8, 'over a planted session': 4 },
    input: fc.record({
      provider: remote,
      how: fc.constantFrom(
        'requested',
        'not requested',
        'declined',
        'requested in the query',
        'over a planted session',
      ),
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
        requested: { link: 'true' },
        declined: { link: 'false' },
      }
      const start = async () => {
        if (how !== 'requested in the query') return browser.visit(provider, ada, forms[how] ?? {})
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
      if (how === 'requested') {
        world.check(
          'DEC-38',
          isLinked === !isKnown,
          'a requested link is missing, or took another user’s account',
        )
        world.check('DEC-38', isRefusal(reply) === isKnown, 'an account of another user was not refused')
        return world.reach('linked')
      }
      world.check('DEC-38', !isLinked, `the account was linked to the signed-in user (${how})`)
      const email = member((await browser.readSession()).json, 'user', 'email')
      world.check(
        'DEC-38',
        email === ada.address[provider],
        `the browser is now signed in as ${String(email)}`,
      )
      world.reach('switched')
      if (isPlanted) world.reach(how)
    },
  }),

  property({
    proves: ['AL-10'],
    name: 'links only for the user, browser and identity that started the sign-in',
    story:
      'An attacker’s unfinished sign-in is completed in a victim’s session, and links the attacker’s account.',
    advice: 'Seal the signed-in user into the check at the start, and compare at the end.',
    setups: stored(),
    runs: 50,
    input: fc.record({
      provider: remote,
      how: fc.constantFrom(
        'another user',
        'a user who signs in later',
        'another browser',
        'another identity',
      ),
    }),
    async run(world, { provider, how }) {
      const { ada, bob, eve } = world.people
      const browser = world.browser('ada')
      if (how !== 'a user who signs in later') await browser.signIn('mail', ada)
      const url = await startAt(world, browser, provider)
      const arrival = await consentTo(world, provider, url, subjectOf(eve, provider))
      // The account is Eve's, and must not be linked to any other session.
      let victimName = 'ada'
      if (how === 'another user' || how === 'a user who signs in later') {
        victimName = 'bob'
        if (how === 'another user') await browser.signOut()
        world.prove(browser, bob, 'mail')
        world.prove(browser, eve, provider)
        await browser.followLink(await browser.requestLink(bob.address.mail))
        world.assume((await browser.whoAmI()) === 'bob', 'bob cannot sign in')
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
      world.check('AL-10', who !== victimName, `eve’s account signs in as ${victimName} (${how})`)
    },
  }),
]
