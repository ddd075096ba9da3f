import fc from 'fast-check'
import { property, type Property } from './property.ts'
import {
  heldBy,
  isSignedIn,
  issuedBy,
  plant,
  readWith,
  refuses,
  sessionName,
  sessionOf,
} from './support/sessions.ts'

const doors = fc.constantFrom('alpha', 'beta', 'plain', 'mail')

export const sessionIssueProperties: readonly Property[] = [
  property({
    proves: ['SE-01'],
    name: 'every authentication issues a session token that nobody has seen before',
    story:
      'An attacker plants a session cookie of theirs in the victim’s browser, which a sign-in then makes valuable.',
    advice: 'Make a new session token whenever somebody proves who they are, whatever the browser holds.',
    setups: { database: {}, jwt: { strategy: 'jwt', config: { adapter: true } } },
    runs: 40,
    reaches: { 'signed in again': 4, 'signed in over a planted cookie': 6 },
    input: fc.record({
      steps: fc.array(fc.tuple(doors, fc.boolean()), { minLength: 1, maxLength: 4 }),
      planted: fc.option(fc.oneof(fc.uuid(), fc.constant('of another'), fc.base64String({ minLength: 16 }))),
    }),
    async run(world, { steps, planted }) {
      const { ada, eve } = world.people
      const browser = world.browser('ada')
      const other = world.browser('eve')
      const seen = new Set<string>()
      if (planted !== null) {
        await other.signIn('alpha', eve)
        const name = sessionName(world, other)
        const cookies =
          planted === 'of another' ? sessionOf(other.cookies()) : { [name]: planted.replaceAll('=', '') }
        // With the other's own session this would be a link to the other's account, which is another matter.
        if (planted === 'of another') await other.signOut()
        world.demand(!isSignedIn(await readWith(world, cookies)), 'what is planted is a session')
        plant(browser, cookies)
        for (const value of Object.values(cookies)) seen.add(value)
        seen.add(heldBy(browser))
      }
      for (const [n, [door, leaves]] of steps.entries()) {
        const wasIn = n > 0 && isSignedIn(await browser.readSession())
        seen.add(heldBy(browser))
        for (const value of Object.values(sessionOf(browser.cookies()))) seen.add(value)
        const reply =
          door === 'mail'
            ? await browser.followLink(await browser.askLink(ada.address.mail))
            : await browser.arrive(await browser.visit(door, ada))
        if (refuses(reply)) continue
        world.demand((await browser.whoAmI()) === ada.name, 'nobody is signed in after a sign-in')
        const issued = issuedBy(reply)
        world.hold(
          'SE-01',
          issued.length > 0,
          `a sign-in at ${door} issued no session token, the old one was upgraded`,
        )
        for (const { value } of issued)
          world.hold(
            'SE-01',
            !seen.has(value),
            `a sign-in at ${door} issued a session token that was there before`,
          )
        if (wasIn) world.reach('signed in again')
        else if (planted !== null && n === 0) world.reach('signed in over a planted cookie')
        for (const { value } of issued) seen.add(value)
        if (leaves) await browser.signOut()
      }
    },
  }),

  property({
    proves: ['SE-02'],
    name: 'the session that a browser held is revoked when it gets another one',
    story: 'A thief of a cookie keeps a session that its owner believes to have replaced.',
    advice: 'Delete the row of the session that the request carried, once the new one is stored.',
    runs: 40,
    input: fc.record({ first: doors, second: doors, sameAgain: fc.boolean() }),
    async run(world, { first, second, sameAgain }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(first, ada)
      const [saved, old] = [browser.save(), heldBy(browser)]
      await browser.signIn(sameAgain ? first : second, ada)
      const next = browser.save()
      world.demand(heldBy(browser) !== old, 'no new session was issued')
      browser.restore(saved)
      world.hold(
        'SE-02',
        !isSignedIn(await browser.readSession()),
        'the session from before the sign-in is still good',
      )
      browser.restore(next)
      world.demand(isSignedIn(await browser.readSession()), 'the new session is none')
    },
  }),
]
