import fc from 'fast-check'
import { member } from '../../world/reply.ts'
import { sessionCookie } from '../../monitors/monitor.ts'
import { bothStrategies, property, type Property } from '../property.ts'
import { headerOf, isSignedIn, readWith, sessionName } from '../support/sessions.ts'
import { loaded, load } from '../support/padding.ts'

export const cookieNameProperties: readonly Property[] = [
  property({
    proves: ['CK-06'],
    name: 'ignores cookies whose names only start with the name of the session cookie',
    story: 'A sibling site, or a library with a similar name, signs everyone in or out.',
    advice: 'Match exact names: the plain name, and name.0 up to the first missing chunk.',
    setups: { ...bothStrategies, 'in many cookies': loaded },
    runs: 60,
    input: fc.record({
      ending: fc.oneof(
        fc.constantFrom(
          'x',
          '-x',
          '.evil',
          '.99',
          '-old',
          '_',
          '.0x',
          '.x0',
          '.-1',
          '.00',
          '.1e0',
          '.+1',
          '0',
          '.10',
          '.0.0',
          '.',
        ),
        fc.stringMatching(/^[a-z_-][a-z0-9._-]{0,8}$/),
      ),
      value: fc.constantFrom('evil', 'own', 'other'),
      isFirst: fc.boolean(),
      length: fc.constantFrom(0, 9000),
    }),
    async run(world, { ending, value, isFirst, length }) {
      const { ada, eve } = world.people
      const [browser, other] = [world.browser('ada'), world.browser('eve')]
      await browser.signIn('alpha', ada)
      await other.signIn('alpha', eve)
      if (length > 0) await load(world, browser, length)
      const before = await browser.readSession()
      const name = sessionName(world, browser)
      const values = {
        evil: 'evil',
        own: browser.cookies()[name] ?? 'x',
        other: other.cookies()[name] ?? 'x',
      }
      const added = [`${name}${ending}`, values[value]] as const
      const own = Object.entries(browser.cookies())
      const cookie = headerOf(isFirst ? [added, ...own] : [...own, added])
      const reply = await browser.send(`${world.basePath}/session`, {
        headers: { cookie },
        says: 'reads the session',
      })
      world.check(
        'CK-06',
        JSON.stringify(member(reply.json, 'user')) === JSON.stringify(member(before.json, 'user')),
        `a cookie named ${added[0]} makes the session ${reply.text.slice(0, 200)}`,
        { observed: member(reply.json, 'user') === undefined ? 'a sign-out' : 'a session' },
      )
      world.check(
        'CK-06',
        member(reply.json, 'padding') === member(before.json, 'padding'),
        `a cookie named ${added[0]} changes the session`,
      )
      const isChunk = /^\.\d+$/.test(ending)
      const isTouched = !isChunk && reply.cookies.some(({ key }) => key === added[0])
      world.check('CK-06', !isTouched, `a foreign cookie named ${added[0]} is changed`)
    },
  }),

  property({
    proves: ['CK-11'],
    name: 'ignores cookies whose names only decode to a prefixed name',
    story:
      'A sibling site sets a cookie without the browser’s prefix checks, and it passes for a prefixed one.',
    advice: 'Compare raw names. Decode only values.',
    needs: ['https'],
    setups: bothStrategies,
    runs: 80,
    input: fc.record({
      which: fc.constantFrom('session', 'csrf'),
      how: fc.constantFrom(
        'encoded',
        'encoded once more',
        'small',
        'capitals',
        'bare',
        'one underscore',
        'nameless',
        'quoted',
        'swapped prefix',
        'after the right one',
      ),
      letters: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 5 }),
    }),
    async run(world, { which, how, letters }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn('alpha', ada)
      const csrfToken = await browser.csrfToken()
      const all = browser.cookies()
      const wanted = Object.keys(all).filter((name) =>
        which === 'session' ? sessionCookie.test(name) : name.endsWith('csrf-token'),
      )
      const [name = ''] = wanted
      world.assume(name.startsWith('__'), 'the cookie has no prefix')
      const encode = (text: string) =>
        [...text]
          .map((letter, at) =>
            letters.some((each) => each % text.length === at)
              ? `%${letter.charCodeAt(0).toString(16)}`
              : letter,
          )
          .join('')
      const forged = {
        encoded: encode(name),
        'encoded once more': encode(name).replaceAll('%', '%25'),
        small: name.replace(/^__\w+-/, (prefix) => prefix.toLowerCase()),
        capitals: name.replace(/^__\w+-/, (prefix) => prefix.toUpperCase()),
        bare: name.replace(/^__\w+-/, ''),
        'one underscore': name.slice(1),
        nameless: `=${name}`,
        quoted: `"${name}"`,
        'after the right one': name,
        'swapped prefix': name.startsWith('__Host-')
          ? name.replace('__Host-', '__Secure-')
          : name.replace('__Secure-', '__Host-'),
      }[how]
      const made = Object.entries(all).map(([key, value]) => [key === name ? forged : key, value] as const)
      if (how === 'after the right one') {
        const other = world.browser('eve')
        await other.signIn('alpha', world.people.eve)
        const reply = await readWith(world, [
          ...Object.entries(all),
          [name, other.cookies()[name] ?? 'x'] as const,
        ])
        const who = member(reply.json, 'user', 'email')
        world.check(
          'CK-11',
          who !== world.people.eve.address.alpha,
          'a cookie added at the end overrides the first one',
        )
        return
      }
      const headers = { cookie: headerOf(made) }
      if (which === 'session') {
        const reply = await world.send(new Request(world.url('session'), { headers }))
        world.check(
          'CK-11',
          !isSignedIn(reply),
          `a cookie called ${forged} is accepted as the session cookie`,
        )
      } else {
        await world.send(
          new Request(world.url('signout'), {
            method: 'POST',
            headers,
            body: new URLSearchParams({ csrfToken }),
          }),
        )
        world.check(
          'CK-11',
          (await browser.whoAmI()) === 'ada',
          `a cookie called ${forged} is accepted as the CSRF cookie`,
        )
      }
      world.check(
        'CK-11',
        isSignedIn(await browser.readSession()),
        'the browser is not signed in with its own cookies',
      )
    },
  }),
]
