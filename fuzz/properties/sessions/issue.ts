import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import {
  sessionTokenOf,
  isSignedIn,
  issuedBy,
  plant,
  readWith,
  refuses,
  sessionName,
  sessionOf,
} from '../support/sessions.ts'

const signInMethods = fc.constantFrom('alpha', 'beta', 'plain', 'mail')

export const sessionIssueProperties: readonly Property[] = [
  property({
    proves: ['SE-01'],
    name: 'issues a new session token at every sign-in',
    story:
      'An attacker plants a session cookie in the victim’s browser, and the victim’s sign-in authenticates it.',
    advice: 'Generate a new session token at every sign-in, whatever cookies the browser has.',
    setups: { database: {}, jwt: { strategy: 'jwt', config: { adapter: true } } },
    runs: 40,
    reaches: { 'signed in again': 4, 'signed in over a planted cookie': 6 },
    input: fc.record({
      steps: fc.array(fc.tuple(signInMethods, fc.boolean()), { minLength: 1, maxLength: 4 }),
      planted: fc.option(
        fc.oneof(fc.uuid(), fc.constant('another user’s'), fc.base64String({ minLength: 16 })),
      ),
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
          planted === 'another user’s' ? sessionOf(other.cookies()) : { [name]: planted.replaceAll('=', '') }
        // With another user's live session, this would link accounts, which other properties cover.
        if (planted === 'another user’s') await other.signOut()
        // A token session may outlive its sign-out.
        if (isSignedIn(await readWith(world, cookies))) return
        plant(browser, cookies)
        for (const value of Object.values(cookies)) seen.add(value)
        seen.add(sessionTokenOf(browser))
      }
      for (const [n, [method, leaves]] of steps.entries()) {
        const wasIn = n > 0 && isSignedIn(await browser.readSession())
        seen.add(sessionTokenOf(browser))
        for (const value of Object.values(sessionOf(browser.cookies()))) seen.add(value)
        const reply =
          method === 'mail'
            ? await browser.followLink(await browser.requestLink(ada.address.mail))
            : await browser.arrive(await browser.visit(method, ada))
        if (refuses(reply)) continue
        world.assume((await browser.whoAmI()) === ada.name, 'nobody is signed in after a sign-in')
        const issued = issuedBy(reply)
        world.check('SE-01', issued.length > 0, `a sign-in at ${method} issued no new session token`)
        for (const { value } of issued)
          world.check('SE-01', !seen.has(value), `a sign-in at ${method} issued an existing session token`)
        if (wasIn) world.reach('signed in again')
        else if (planted !== null && n === 0) world.reach('signed in over a planted cookie')
        for (const { value } of issued) seen.add(value)
        if (leaves) await browser.signOut()
      }
    },
  }),

  property({
    proves: ['SE-02'],
    name: 'revokes the browser’s old session when it gets a new one',
    story: 'An attacker with a stolen cookie keeps the session after its owner signs in again.',
    advice: 'Delete the session of the request once the new one is stored.',
    setups: {
      database: { strategy: 'database' },
      'jwt with revocations': {
        strategy: 'jwt',
        config: { adapter: true },
        with: { 'jwt-revocation': true },
      },
    },
    runs: 40,
    input: fc.record({ first: signInMethods, second: signInMethods, sameAgain: fc.boolean() }),
    async run(world, { first, second, sameAgain }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(first, ada)
      const [saved, old] = [browser.save(), sessionTokenOf(browser)]
      await browser.signIn(sameAgain ? first : second, ada)
      const next = browser.save()
      world.assume(sessionTokenOf(browser) !== old, 'no new session was issued')
      browser.restore(saved)
      world.check(
        'SE-02',
        !isSignedIn(await browser.readSession()),
        'the session from before the sign-in is still valid',
      )
      browser.restore(next)
      world.assume(isSignedIn(await browser.readSession()), 'the new session is invalid')
    },
  }),
]
