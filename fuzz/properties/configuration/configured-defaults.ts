import fc from 'fast-check'
import type { Setup } from '../../targets/setup.ts'
import { member, type Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { isSignedIn, issuedBy } from '../support/sessions.ts'
import { makeProvider, needs, simple, open } from '../support/configured.ts'

/** Dangerous options, each of which must be warned about. */
const dangers: Readonly<Record<string, Setup>> = {
  'checks off': { ...simple, provider: { plain: { checks: ['none'] } } },
  'linking by address': { ...simple, provider: { alpha: { allowDangerousEmailAccountLinking: true } } },
  'linking by address at a provider without OpenID': {
    ...simple,
    provider: { plain: { allowDangerousEmailAccountLinking: true } },
  },
  'an issuer without TLS': {
    ...simple,
    provider: { alpha: { issuer: 'http://alpha.example', allowInsecureRequests: true } },
  },
  'endpoints without TLS': {
    ...simple,
    provider: { plain: { token: 'http://plain.example/token', allowInsecureRequests: true } },
  },
}

export const configuredDefaultProperties: readonly Property[] = [
  property({
    proves: ['CF-04'],
    name: 'warns once about each dangerous option',
    story: 'An option that was enabled for a test reaches production, and nobody notices.',
    advice: 'Log a warning with its own code when you first read the configuration.',
    needs,
    runs: 30,
    input: fc.record({
      danger: fc.constantFrom(...Object.keys(dangers)),
      rounds: fc.integer({ min: 1, max: 4 }),
      copies: fc.integer({ min: 1, max: 3 }),
    }),
    async run(base, { danger, rounds, copies }) {
      const warningsOf = async (setup: Setup) => {
        const world = await open(base, setup)
        if (world instanceof Error) return undefined
        const browser = world.browser('ada')
        for (let round = 0; round < rounds; round++) {
          for (const path of ['session', 'providers', 'signin'])
            await browser.send(`${world.basePath}/${path}`)
          for (const name of ['alpha', 'plain'] as const) {
            const { location } = await browser.start(name)
            // A refused provider needs no warning.
            if (location?.origin === world.origin && danger.includes('TLS')) return undefined
          }
        }
        return world.recorded.warnings.map(String)
      }
      // An integration creates the configuration for each request.
      const warnings = async (setup: Setup) => {
        const only = makeProvider()
        const logged: string[] = []
        for (let copy = 0; copy < copies; copy++) {
          const codes = await warningsOf({ ...setup, config: { providers: [only] } })
          if (!codes) return undefined
          logged.push(...codes)
        }
        return logged
      }
      const usual = (await warnings(simple)) ?? []
      const logged = await warnings(dangers[danger] ?? simple)
      if (logged === undefined) return
      const codes = logged.filter((code) => !usual.includes(code))
      base.check('CF-04', codes.length > 0, `there is no warning about ${danger}`)
      base.check(
        'CF-04',
        new Set(codes).size === codes.length,
        `for ${danger} the log has ${codes.join(', ')}`,
      )
      base.reach(danger)
    },
  }),

  property({
    proves: ['CF-05'],
    name: 'uses the specified default for every missing option',
    story: 'A default that is laxer than documented weakens every application that relies on it.',
    advice: 'Keep the defaults in one table, and test it against the specification.',
    needs: [...needs, 'store', 'clock'],
    setups: { database: {}, jwt: { strategy: 'jwt' } },
    runs: 24,
    reaches: { 'before it is due': 1, 'when it is due': 1 },
    input: fc.record({
      at: fc.constantFrom(0, 60, 86_399, 86_400, 86_401, 200_000, 2_591_999, 2_592_001),
      linkAge: fc.constantFrom(0, 86_399, 86_401),
    }),
    async run(base, { at, linkAge }) {
      const isStored = base.strategy === 'database'
      const undefinedOnes = {
        basePath: undefined,
        debug: undefined,
        cookies: undefined,
        useSecureCookies: undefined,
      }
      const world = await base.another(
        {
          strategy: base.strategy,
          providers: isStored ? ['alpha', 'plain', 'mail'] : ['alpha', 'plain'],
          ...(isStored && { provider: { mail: { maxAge: undefined } } }),
          config: { ...undefinedOnes, session: { strategy: undefined } },
        },
        'own',
      )
      const { ada } = world.people
      const browser = world.browser('ada')
      const csrf = await browser.send('/auth/csrf')
      world.check('CF-05', csrf.status === 200, `the base path is not /auth by default: ${csrf.status}`)
      await checkPlain(world)
      const started = await browser.start('plain')
      const query = started.location?.searchParams
      const hasPkce = query?.get('code_challenge_method') === 'S256' && query.has('code_challenge')
      world.check('CF-05', hasPkce, 'a sign-in has no PKCE by default')
      const reply = await browser.arrive(await browser.visit('alpha', ada))
      const [cookie] = issuedBy(reply)
      world.assume(cookie !== undefined, 'nobody is signed in')
      const now = world.clock.now()
      world.check(
        'CF-05',
        world.rows.sessions.length === Number(isStored),
        `${isStored ? 'with' : 'without'} an adapter, ${world.rows.sessions.length} sessions are stored`,
      )
      world.check(
        'CF-05',
        isStored || cookie?.value.split('.').length === 5,
        'a token is not encrypted by default',
      )
      checkFlags(world, [...started.cookies, ...reply.cookies])
      const life =
        cookie?.maxAge ??
        (cookie?.expires instanceof Date ? (cookie.expires.getTime() - now) / 1000 : undefined)
      world.check('CF-05', life === 2_592_000, `the session cookie lives for ${String(life)} s`)
      world.advance(at)
      const read = await browser.readSession()
      if (at >= 2_592_000) {
        world.check('CF-05', !isSignedIn(read), `after ${at} s there is still a session`)
        world.reach('after it expires')
      } else {
        world.check('CF-05', isSignedIn(read), `after ${at} s the session is gone`)
        const isDue = at >= 86_400
        const end = isStored
          ? world.rows.sessions[0]?.expires.getTime()
          : Number(new Date(String(member(read.json, 'expires'))))
        const wanted = isStored && !isDue ? now + 2_592_000_000 : world.clock.now() + 2_592_000_000
        world.check(
          'CF-05',
          end === wanted,
          `a session that is ${at} s old ends in ${((end ?? 0) - world.clock.now()) / 1000} s`,
        )
        world.reach(isDue ? 'when it is due' : 'before it is due')
      }
      if (!isStored) return
      const reader = world.browser('ada')
      const mail = await reader.requestLink(ada.address.mail)
      world.advance(linkAge)
      await reader.followLink(mail)
      const isIn = isSignedIn(await reader.readSession())
      world.check(
        'CF-05',
        isIn === linkAge < 86_400,
        `a link that is ${linkAge} s old ${isIn ? 'signs in' : 'signs nobody in'}`,
      )
    },
  }),
]

/** Checks the attributes of cookies without TLS. */
async function checkPlain(world: World): Promise<void> {
  const { cookies } = await world.send(new Request(world.url('csrf').replace('https:', 'http:')))
  for (const { key, secure } of cookies)
    world.check('CF-05', !secure && !key.startsWith('__'), `without TLS ${key} has Secure ${secure}`)
}

/** The default attributes of each cookie of the library, over https. */
function checkFlags(world: World, cookies: Reply['cookies']): void {
  for (const { key, value, httpOnly, secure, sameSite, path, domain } of cookies) {
    if (value === '') continue
    const says = `${key} has HttpOnly ${httpOnly}, Secure ${secure}, SameSite ${String(sameSite)}, Path ${String(path)}, Domain ${String(domain)}`
    const isUsual = httpOnly && secure && sameSite?.toLowerCase() === 'lax' && path === '/' && domain === null
    world.check('CF-05', isUsual && /^__(?:Secure|Host)-/.test(key), says)
  }
}
