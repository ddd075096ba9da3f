import fc from 'fast-check'
import type { Browser } from '../../world/browser.ts'
import { rejecting, throwing } from '../../world/fault-plan.ts'
import type { World } from '../../world/world.ts'
import { openRace } from '../../world/race.ts'
import { property, type Property } from '../property.ts'
import { faultOf } from '../support/faults.ts'
import { enter, setPassword } from '../support/passwords.ts'
import { enrol, enterCode, hasFactor, period, withFactor, wrongCode } from '../support/second-factor.ts'
import { orElse, prepareSignIn, type SignInMethod } from '../support/sign-in-methods.ts'

const password = 'a password that is long enough'
const member = 'member@mail.example'

/** Signs in as the same user by a method. */
async function signIn(world: World, browser: Browser, method: SignInMethod | 'password'): Promise<void> {
  if (method === 'password') await enter(world, browser, member, password)
  else await (await prepareSignIn(world, browser, orElse(world, method)))()
}

const methods = fc.constantFrom('alpha', 'plain', 'mail', 'form', 'password')

/** A user who signed in and enrolled an app, and further browsers that have passed the first factor. */
async function enrolled(world: World, method: SignInMethod | 'password', count: number) {
  const owner = world.browser('ada')
  if (method === 'password') await setPassword(world, member, password)
  await signIn(world, owner, method)
  world.assume((await owner.whoAmI()) !== undefined, 'nobody is signed in')
  const app = await enrol(world, owner)
  const browsers = []
  for (let each = 0; each < count; each++) {
    const browser = world.browser()
    await signIn(world, browser, method)
    browsers.push(browser)
  }
  return { owner, app, browsers }
}

const isIn = async (browser: Browser) => (await browser.whoAmI()) !== undefined

/** Ways to write a code, on paper and on keyboards. */
const spellings: readonly ((code: string) => string)[] = [
  (code) => `${code.slice(0, 3)}-${code.slice(3)}`,
  (code) => ` ${code.slice(0, 3)} ${code.slice(3)}\t`,
  (code) => `\u200f${code}\u200e`,
  (code) => code.toUpperCase(),
  (code) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit))),
  (code) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x09e6 + Number(digit))),
]

/** Any character. `fc.string` with such characters fills a map of all of them when it is called. */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point))

/** Text that is no code, of the length of one or of any. */
const otherTexts = fc.oneof(
  fc.array(character, { minLength: 6, maxLength: 6 }).map((characters) => characters.join('')),
  fc.constantFrom(
    '__proto__',
    'toString',
    '12345\u00e9',
    '\ud835\udfd81234',
    '\ud80012345',
    '1'.repeat(5000),
    `1${'\u0301'.repeat(5)}`,
  ),
)

export const factorCodeProperties: readonly Property[] = [
  property({
    proves: ['SF-21'],
    name: 'reads a code as people write it, and takes other text for a wrong one',
    story:
      'A user with an Arabic keyboard gets a server error, and one who copies the groups of a code is refused.',
    advice:
      'Fold digits, white space and dashes in one function before you compare a code, and limit its length.',
    setups: withFactor,
    runs: 30,
    input: fc.record({ write: fc.constantFrom(...spellings), text: otherTexts, isRecovery: fc.boolean() }),
    async run(world, { write, text, isRecovery }) {
      const { app, browsers } = await enrolled(world, 'alpha', 2)
      const [browser = world.browser(), other = world.browser()] = browsers
      const { location, status } = await enterCode(world, other, text)
      const isFault = status >= 500 || String(location).includes('error=Configuration')
      world.check('SF-21', !isFault, `${JSON.stringify(text)} is a fault: ${status} ${location}`)
      world.check('SF-21', !(await isIn(other)), `${JSON.stringify(text)} signs in`)
      const code = isRecovery ? (app.recovery[0] ?? '') : app.code()
      await enterCode(world, browser, write(code))
      world.check('SF-21', await isIn(browser), `${JSON.stringify(write(code))} signs nobody in`)
    },
  }),

  property({
    proves: ['SF-01', 'SF-03', 'SF-07', 'EVT-012'],
    name: 'asks for the second factor after every way to sign in',
    story: 'An attacker with a stolen password or mailbox signs in by a way that skips the second factor.',
    advice: 'Check the second factor where sessions are issued, and nowhere else.',
    setups: withFactor,
    runs: 40,
    input: fc.record({ method: methods, by: fc.integer({ min: 1, max: 999_999 }) }),
    async run(world, { method, by }) {
      const { app, browsers } = await enrolled(world, method, 1)
      const [browser = world.browser()] = browsers
      const told = world.recorded.events.filter(({ event }) => event === 'updateSecondFactor')
      world.check('EVT-012', told.length === 1, `the enrolment calls updateSecondFactor ${told.length} times`)
      const isSecret = app.recovery.some((code) => JSON.stringify(told).includes(code))
      world.check('EVT-012', !isSecret, 'the event contains a recovery code')
      const sessions = world.rows.sessions.length
      world.check('SF-01', !(await isIn(browser)), `${method} signs in without the second factor`)
      const other = world.browser('eve')
      await signIn(world, other, method)
      world.check(
        'SF-01',
        world.rows.sessions.length === sessions,
        `${method} stores a session before the code`,
      )
      const guess = wrongCode(app.code(), by)
      const isCode = [-1, 0, 1].some((later) => app.code(later) === guess)
      if (!isCode) {
        await enterCode(world, browser, guess)
        world.check('SF-03', !(await isIn(browser)), 'a wrong code signs in')
      }
      await enterCode(world, browser, app.code())
      world.check('SF-03', await isIn(browser), 'a right code signs nobody in')
      world.check('SF-07', await hasFactor(browser), 'the session has no mfa in amr')
    },
  }),

  property({
    proves: ['SF-05', 'SF-06', 'SU-16'],
    name: 'accepts each code and each recovery code once',
    story: 'Someone reads a code over the shoulder of a user, and signs in with it.',
    advice:
      'Store the time step of the last code and remove used recovery codes, by comparing and replacing.',
    setups: withFactor,
    runs: 40,
    reaches: { 'a code': 4, 'a recovery code': 4, 'at once': 4 },
    input: fc.record({
      method: methods,
      kind: fc.constantFrom('a code', 'a recovery code'),
      later: fc.nat({ max: 1 }),
      atOnce: fc.boolean(),
      scheduler: fc.scheduler(),
    }),
    async run(world, { method, kind, later, atOnce, scheduler }) {
      const { app, browsers } = await enrolled(world, method, 2)
      const [first = world.browser(), second = world.browser()] = browsers
      const code = kind === 'a code' ? app.code() : (app.recovery[0] ?? '')
      const row = kind === 'a code' ? 'SF-05' : 'SF-06'
      world.reach(kind)
      if (atOnce) {
        const race = openRace(scheduler)
        if (world.features.has('faults')) world.enter(race)
        await race.run([first, second].map((browser) => () => enterCode(world, browser, code)))
        const count = [await isIn(first), await isIn(second)].filter(Boolean).length
        world.check(row, count === 1, `${kind} that is entered twice at once signs ${count} browsers in`)
        world.reach('at once')
        return
      }
      await enterCode(world, first, code)
      world.check(row, await isIn(first), `${kind} signs nobody in`)
      world.clock.advance(later * period)
      await enterCode(world, second, code)
      world.check(row, !(await isIn(second)), `${kind} works twice`)
      world.check('SU-16', !(await isIn(second)), `${kind} works twice`)
    },
  }),

  property({
    proves: ['FI-09', 'SF-05', 'SF-06'],
    name: 'accepts a code of the second factor once more if its sign-in failed on the server',
    story: 'The database fails for a moment, and the user has lost a recovery code and must sign in again.',
    advice:
      'Keep the sign-in that waits for a code until there is a session, and restore the factor by comparing and replacing when a later step fails.',
    needs: ['setup', 'faults', 'store'],
    setups: withFactor,
    runs: 40,
    reaches: { 'a code': 4, 'a recovery code': 4 },
    input: fc.record({
      method: methods,
      kind: fc.constantFrom('a code', 'a recovery code'),
      isLate: fc.boolean(),
      fault: faultOf(throwing, rejecting),
    }),
    async run(world, { method, kind, isLate, fault }) {
      const { app, browsers } = await enrolled(world, method, 2)
      const [browser = world.browser(), other = world.browser()] = browsers
      const code = kind === 'a code' ? app.code() : (app.recovery[0] ?? '')
      // After the factor is written, the user is read, and then a row is stored if sessions are rows.
      const at = isLate && world.rows.sessions.length > 0 ? 3 : 2
      world.plan.arm('store', at, fault)
      await enterCode(world, browser, code)
      const calls = [...world.plan.calls]
      world.plan.arm('none')
      const used = calls.indexOf('store.setFactor')
      world.assume(used !== -1 && used < at && calls.length > at && !(await isIn(browser)), 'nothing failed')
      world.reach(kind)
      await enterCode(world, browser, code)
      world.check('FI-09', await isIn(browser), `${kind} is lost after ${calls[at] ?? ''} failed`)
      await enterCode(world, other, code)
      const row = kind === 'a code' ? 'SF-05' : 'SF-06'
      world.check(row, !(await isIn(other)), `${kind} signs in twice after a fault`)
    },
  }),

  property({
    proves: ['SF-13'],
    name: 'lets a user enrol an app only soon after a sign-in',
    story: 'Someone finds an unlocked browser, enrols an own app, and locks the owner out.',
    advice: 'Compare the time of the authentication, not that of the last request.',
    needs: ['clock'],
    setups: withFactor,
    runs: 20,
    reaches: { soon: 2, late: 4 },
    input: fc.record({
      method: methods,
      minutes: fc.constantFrom(0, 10, 14, 16, 60, 600),
      reads: fc.boolean(),
    }),
    async run(world, { method, minutes, reads }) {
      const browser = world.browser('ada')
      if (method === 'password') await setPassword(world, member, password)
      await signIn(world, browser, method)
      world.advance(minutes * 30)
      if (reads) await browser.readSession()
      world.advance(minutes * 30)
      world.assume(await isIn(browser), 'nobody is signed in')
      const page = await browser.send(`${world.basePath}/factor-enrolment`, {
        says: 'opens the page that enrols an app',
      })
      const isShown = page.text.includes('otpauth:')
      world.reach(minutes < 15 ? 'soon' : 'late')
      if (minutes < 15) return world.assume(isShown, 'nobody can enrol an app')
      world.check('SF-13', !isShown, `an app can be enrolled ${minutes} minutes after the sign-in`)
    },
  }),

  property({
    proves: ['SF-11'],
    name: 'compares no more codes of a user after several wrong ones',
    story: 'An attacker who knows the password tries codes until one is right.',
    advice: 'Count wrong codes with the second factor of the user, not with the browser.',
    setups: withFactor,
    runs: 20,
    input: fc.record({
      method: methods,
      seed: fc.integer({ min: 1, max: 900_000 }),
      perBrowser: fc.integer({ min: 1, max: 5 }),
    }),
    async run(world, { method, seed, perBrowser }) {
      const { app, browsers } = await enrolled(world, method, 5)
      let guesses = 0
      for (let by = seed; guesses < 5; by++) {
        const guess = wrongCode(app.code(), by)
        if ([-1, 0, 1].some((later) => app.code(later) === guess)) continue
        const browser = browsers[Math.floor(guesses++ / perBrowser)]
        if (browser) await enterCode(world, browser, guess)
      }
      const [browser = world.browser()] = browsers.slice(-1)
      await enterCode(world, browser, app.code())
      world.check('SF-11', !(await isIn(browser)), 'a code is compared after five wrong ones')
      await enterCode(world, browser, app.recovery[0] ?? '')
      world.check('SF-11', await isIn(browser), 'a recovery code does not work while codes are refused')
    },
  }),

  property({
    proves: ['SF-08', 'SF-02', 'SF-13'],
    name: 'gives the second factor only to the browser in which the code was entered',
    story:
      'An attacker who copied a cookie before the code was entered gets a session with the second factor.',
    advice: 'Issue a new session after the code, and bind the sign-in that waits for it to its browser.',
    setups: withFactor,
    runs: 40,
    reaches: { 'a pending sign-in': 4, 'a remembered browser': 4 },
    input: fc.record({
      method: methods,
      copied: fc.constantFrom('a pending sign-in', 'a remembered browser'),
    }),
    async run(world, { method, copied }) {
      const { app, browsers } = await enrolled(world, method, 1)
      const [browser = world.browser()] = browsers
      const thief = world.browser('eve')
      if (copied === 'a pending sign-in') {
        const own = await thief.csrfToken()
        for (const [name, value] of Object.entries(browser.cookies()))
          if (!name.includes('csrf')) thief.setCookie(`${name}=${value}; Path=/; Secure`)
        world.assume(own !== '', 'there is no CSRF token')
        await enterCode(world, thief, app.code())
        world.reach(copied)
        world.check('SF-02', !(await isIn(thief)), 'another browser continues the sign-in')
        return
      }
      await enterCode(world, browser, app.code(), { remember: 'true' })
      await browser.signOut()
      await signIn(world, browser, method)
      world.assume(await isIn(browser), 'the browser is not remembered')
      world.reach(copied)
      world.check('SF-07', !(await hasFactor(browser)), 'a remembered browser has mfa')
      const page = await browser.send(`${world.basePath}/factor-enrolment`, {
        says: 'opens the page that enrols an app',
      })
      world.check('SF-13', !page.text.includes('otpauth:'), 'the second factor can be replaced without it')
      const earlier = browser.save()
      world.clock.advance(period)
      await enterCode(world, browser, app.code())
      world.check('SF-08', await hasFactor(browser), 'a code does not give the session mfa')
      browser.restore(earlier)
      world.check('SF-08', !(await hasFactor(browser)), 'a copy of the earlier session has mfa')
    },
  }),
]
