import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import { property, type Property } from '../property.ts'
import { claimsFor, logoutNeeds, logoutSetups, postLogout } from '../support/provider-logouts.ts'
import { enrol, enterCode, hasFactor, withFactor } from '../support/second-factor.ts'
import { isSignedIn, update } from '../support/sessions.ts'
import { goTo, shownEnd } from '../support/session-times.ts'

/** Seconds. */
const lifetime = 7200
const limited = { 'second-factor': true, 'absolute-lifetime': lifetime } as const

const isIn = async (browser: Browser) => isSignedIn(await browser.readSession())

/** A code that is entered while signed in. */
export const stepUpProperties: readonly Property[] = [
  property({
    proves: ['SF-08', 'SE-08'],
    name: 'replaces the session after a code by one that ends at the same time, and ends the earlier one',
    story:
      'Eve has a copy of the session of Ada. Ada enters a code, and the copy remains valid, or no longer has an end.',
    advice:
      'Give the session another id, remove the earlier row, and copy its end and the time of its sign-in.',
    needs: ['setup', 'store', 'clock'],
    setups: {
      database: withFactor.database,
      'database with an absolute end': { ...withFactor.database, with: limited },
      'jwt with an absolute end': { ...withFactor.jwt, with: limited },
    },
    runs: 12,
    input: fc.record({ seconds: fc.integer({ min: 60, max: 800 }), times: fc.integer({ min: 1, max: 3 }) }),
    async run(world, { seconds, times }) {
      const browser = world.browser('ada')
      await browser.arrive(await browser.visit('alpha', world.people.ada))
      const app = await enrol(world, browser)
      const from = world.clock.now()
      const first = shownEnd((await browser.readSession()).json)
      for (let n = 0; n < times; n++) {
        world.advance(seconds)
        const end = shownEnd((await browser.readSession()).json)
        const earlier = browser.save()
        await enterCode(world, browser, app.code())
        const { json } = await browser.readSession()
        world.check('SF-08', await hasFactor(browser), 'a code gives the session no second factor')
        if (world.strategy !== 'database') continue
        const later = Math.round((shownEnd(json) - end) / 1000)
        world.check('SF-08', later === 0, `a session ends ${later} s later because a code was entered`)
        const renewed = browser.save()
        browser.restore(earlier)
        const says = 'a copy of the session from before a code is still a session'
        world.check('SF-08', !(await isIn(browser)), says, { observed: 'a session' })
        browser.restore(renewed)
      }
      const isLimited = first <= from + lifetime * 1000
      goTo(world, (isLimited ? from + lifetime * 1000 : first) + 60_000)
      const says = 'the session is still valid after its end, because a code was entered'
      world.check('SE-08', !(await isIn(browser)), says, { observed: 'a session' })
    },
  }),

  property({
    proves: ['BCL-03'],
    name: 'ends a session with the provider that opened it, also after codes',
    story:
      'Ada enters a code, later signs out at her provider, and her session at a shared computer remains valid.',
    advice: 'Copy the session at the provider into the session that replaces it after a code.',
    needs: [...logoutNeeds, 'store'],
    setups: {
      database: { ...logoutSetups.database, with: { ...logoutSetups.database.with, 'second-factor': true } },
      jwt: {
        ...logoutSetups.jwt,
        config: { adapter: true },
        with: { ...logoutSetups.jwt.with, 'second-factor': true },
      },
    },
    runs: 6,
    input: fc.record({ names: fc.constantFrom('sid', 'sub'), codes: fc.integer({ min: 0, max: 2 }) }),
    parts: [{ names: 'sid' }, { names: 'sub' }],
    async run(world, { names, codes }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      world.idps.alpha.addToClaims({ sid: 'phone' })
      await browser.arrive(await browser.visit('alpha', ada))
      const app = await enrol(world, browser)
      for (let n = 0; n < codes; n++) {
        world.advance(60)
        await enterCode(world, browser, app.code())
      }
      world.assume(await hasFactor(browser), 'the session has no second factor')
      world.advance(2)
      const claims = claimsFor(world, ada, names === 'sid' ? { sid: 'phone' } : {})
      await postLogout(world, await world.idps.alpha.sign(claims))
      const says = `after ${codes} codes and the enrolment, a logout at the provider leaves the session`
      world.check('BCL-03', !(await isIn(browser)), says, { observed: 'a session' })
    },
  }),

  property({
    proves: ['SF-07'],
    name: 'lets no callback and no client change how and when the user signed in',
    story:
      'A browser sends amr with an update of the session, the jwt callback copies it, and pages for users with a second factor open.',
    advice: 'Merge amr and auth_time into the claims after the jwt callback has returned.',
    severity: 'session',
    needs: ['setup', 'hooks', 'store', 'clock'],
    setups: { jwt: withFactor.jwt },
    runs: 9,
    parts: [{ at: 'sign-in' }, { at: 'read' }, { at: 'update' }],
    input: fc.record({
      at: fc.constantFrom('sign-in', 'read', 'update'),
      amr: fc.constantFrom<readonly string[]>(['pwd', 'otp', 'mfa'], ['mfa'], []),
      later: fc.integer({ min: 1, max: 86_400 }),
    }),
    async run(base, { at, amr, later }) {
      let forged: object | undefined
      const jwt = ({ token, session }: { token: object; session?: unknown }) => ({
        ...token,
        ...Object(session),
        ...forged,
      })
      const world = await base.another(
        { ...withFactor.jwt, config: { adapter: true, callbacks: { jwt } } },
        'own',
      )
      const browser = world.browser('ada')
      const time = Math.floor(world.clock.now() / 1000)
      const claims = { amr, auth_time: time + later }
      if (at === 'sign-in') forged = claims
      await browser.arrive(await browser.visit('alpha', world.people.ada))
      world.advance(600)
      if (at === 'read') forged = claims
      if (at === 'update') await update(world, browser, claims)
      await browser.readSession()
      forged = undefined
      const reply = await browser.readSession()
      world.assume(isSignedIn(reply), 'nobody is signed in')
      const { amr: shown, auth_time: shownTime } = Object(reply.json)
      const says = (name: string, value: unknown) =>
        `at ${at}, the ${name} of the session became ${JSON.stringify(value)}`
      world.check('SF-07', JSON.stringify(shown) === '["fed"]', says('amr', shown))
      world.check('SF-07', Math.abs(Number(shownTime) - time) <= 5, says('auth_time', shownTime))
    },
  }),
]
