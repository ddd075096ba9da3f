import fc from 'fast-check'
import { member } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { consentTo, subjectOf } from '../support/consent.ts'
import { all, checkNotBroken } from '../support/broken-targets.ts'

export const redirectCookiesProperties: readonly Property[] = [
  property({
    proves: ['RD-05'],
    name: 'lets a user sign in whatever the browser’s cookies contain',
    story: 'A sibling host, or an older version, leaves a cookie that turns every page into an error.',
    advice: 'Treat an unreadable cookie as missing, and clear it.',
    setups: all,
    runs: 60,
    reaches: { 'a target': 5, 'another cookie': 5 },
    input: fc.record({
      which: fc.nat(),
      isTarget: fc.boolean(),
      isPlantedLate: fc.boolean(),
      poison: fc.oneof(
        fc.constantFrom(
          'x',
          '%',
          '%E0%A4%A',
          'http://',
          'https://[',
          'javascript:alert(1)',
          'https://evil.example',
          '%00',
          'eyJhbGciOiJkaXIifQ....',
          '||',
          'null',
        ),
        fc.string({ unit: fc.constantFrom(...'abcXYZ019.-_~|:/?%[]{}'), minLength: 1, maxLength: 80 }),
        fc.constantFrom(1000, 3000).map((length) => 'a'.repeat(length)),
      ),
    }),
    async run(world, { which, isTarget, isPlantedLate, poison }) {
      const { ada } = world.people
      const scout = world.browser('ada')
      const started = await scout.start('alpha')
      await scout.signIn('alpha', ada)
      const names = [...new Set([...Object.keys(scout.cookies()), ...started.cookies.map(({ key }) => key)])]
      const targets = names.filter((name) => /callback-?url/i.test(name))
      const others = names.filter((name) => !targets.includes(name))
      const [list, situation] = isTarget ? [targets, 'a target'] : [others, 'another cookie']
      const name = list[which % list.length]
      world.assume(name !== undefined, 'the application sets no cookie of this kind')
      const browser = world.browser('ada')
      const plant = () => browser.setCookie(`${name}=${poison}; Path=/; Secure; HttpOnly`)
      const what = `with the cookie ${name}=${poison.slice(0, 40)}${poison.length > 40 ? '…' : ''}`
      plant()
      const session = await browser.readSession()
      checkNotBroken(world, 'RD-05', session, `${what}, GET ${world.basePath}/session`)
      world.check('RD-05', session.status === 200, `${what}, the session route returns ${session.status}`)
      plant()
      const { status, json } = await browser.send(`${world.basePath}/csrf`)
      const token = member(json, 'csrfToken')
      world.check('RD-05', status === 200 && typeof token === 'string', `${what}, there is no CSRF token`)
      plant()
      checkNotBroken(
        world,
        'RD-05',
        await browser.send(`${world.basePath}/signin`),
        `${what}, GET ${world.basePath}/signin`,
      )
      const trip = await browser.start('alpha')
      checkNotBroken(world, 'RD-05', trip, `${what}, the start of a sign-in`)
      const isAway = trip.location !== undefined && trip.location.origin !== world.origin
      world.check('RD-05', isAway, `${what}, a sign-in redirects to ${trip.location?.href ?? trip.status}`)
      if (!trip.location) return
      world.prove(browser, ada, 'alpha')
      // A readable target of another origin is validated again each time.
      if (isTarget && isPlantedLate && !/^https?:\/\/\w/.test(poison)) plant()
      await browser.arrive(await consentTo(world, 'alpha', trip.location, subjectOf(ada, 'alpha')))
      world.check('RD-05', (await browser.whoAmI()) === 'ada', `${what}, a sign-in fails`)
      const isKept = browser.cookies()[name ?? ''] === poison
      // A cookie that no step of a sign-in reads does no harm.
      world.check(
        'RD-05',
        !(isKept && isTarget && isBad(poison, world.origin)),
        `${what}, the browser still has the invalid cookie after the sign-in`,
      )
      world.reach(situation)
    },
  }),
]

/** Returns whether the application would never set a cookie with this value, such as one that cannot be decoded. */
function isBad(poison: string, origin: string): boolean {
  let text
  try {
    text = decodeURIComponent(poison)
  } catch {
    return true
  }
  return !URL.canParse(text, origin) || new URL(text, origin).origin !== origin
}
