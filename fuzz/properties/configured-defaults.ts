import fc from 'fast-check'
import type { Setup } from '../targets/setup.ts'
import { member, type Reply } from '../world/reply.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { isSignedIn, issuedBy } from './support/sessions.ts'
import { needs, simple, open } from './support/configured.ts'

/** What is dangerous, and has to be said. */
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
    name: 'what is dangerous is said once',
    story: 'A switch that somebody set for a test goes into production, and nobody is told.',
    advice: 'Warn by a code of its own when a configuration is read first.',
    needs,
    runs: 30,
    input: fc.record({
      danger: fc.constantFrom(...Object.keys(dangers)),
      rounds: fc.integer({ min: 1, max: 4 }),
    }),
    async run(base, { danger, rounds }) {
      const warnings = async (setup: Setup) => {
        const world = await open(base, setup)
        if (world instanceof Error) return undefined
        const browser = world.browser('ada')
        for (let round = 0; round < rounds; round++) {
          for (const path of ['session', 'providers', 'signin'])
            await browser.send(`${world.basePath}/${path}`)
          for (const name of ['alpha', 'plain'] as const) {
            const { location } = await browser.start(name)
            // A provider that is refused needs no warning.
            if (location?.origin === world.origin && danger.includes('TLS')) return undefined
          }
        }
        return world.told.warnings.map(String)
      }
      const usual = (await warnings(simple)) ?? []
      const told = await warnings(dangers[danger] ?? simple)
      if (told === undefined) return
      const codes = told.filter((code) => !usual.includes(code))
      base.hold('CF-04', codes.length > 0, `nothing is said of ${danger}`)
      base.hold('CF-04', new Set(codes).size === codes.length, `of ${danger} it is said ${codes.join(', ')}`)
      base.reach(danger)
    },
  }),

  property({
    proves: ['CF-05'],
    name: 'what is not configured is as the specification has it',
    story: 'A default that is laxer than the manual says makes every application laxer that relies on it.',
    advice: 'Keep the defaults in one table, and hold it against the specification.',
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
      world.hold('CF-05', csrf.status === 200, `the base path is not /auth by default: ${csrf.status}`)
      await holdPlain(world)
      const started = await browser.start('plain')
      const query = started.location?.searchParams
      const hasPkce = query?.get('code_challenge_method') === 'S256' && query.has('code_challenge')
      world.hold('CF-05', hasPkce, 'a sign-in has no PKCE by default')
      const reply = await browser.arrive(await browser.visit('alpha', ada))
      const [cookie] = issuedBy(reply)
      world.demand(cookie !== undefined, 'nobody is signed in')
      const now = world.clock.now()
      world.hold(
        'CF-05',
        world.rows.sessions.length === Number(isStored),
        `${isStored ? 'with' : 'without'} an adapter, ${world.rows.sessions.length} sessions are stored`,
      )
      world.hold(
        'CF-05',
        isStored || cookie?.value.split('.').length === 5,
        'a token is not encrypted by default',
      )
      holdFlags(world, [...started.cookies, ...reply.cookies])
      const life =
        cookie?.maxAge ??
        (cookie?.expires instanceof Date ? (cookie.expires.getTime() - now) / 1000 : undefined)
      world.hold('CF-05', life === 2_592_000, `the session cookie lives for ${String(life)} s`)
      world.pass(at)
      const read = await browser.readSession()
      if (at >= 2_592_000) {
        world.hold('CF-05', !isSignedIn(read), `after ${at} s there is still a session`)
        world.reach('at its end')
      } else {
        world.hold('CF-05', isSignedIn(read), `after ${at} s there is no session any more`)
        const isDue = at >= 86_400
        const end = isStored
          ? world.rows.sessions[0]?.expires.getTime()
          : Number(new Date(String(member(read.json, 'expires'))))
        const wanted = isStored && !isDue ? now + 2_592_000_000 : world.clock.now() + 2_592_000_000
        world.hold(
          'CF-05',
          end === wanted,
          `a session of ${at} s now ends in ${((end ?? 0) - world.clock.now()) / 1000} s`,
        )
        world.reach(isDue ? 'when it is due' : 'before it is due')
      }
      if (!isStored) return
      const reader = world.browser('ada')
      const mail = await reader.askLink(ada.address.mail)
      world.pass(linkAge)
      await reader.followLink(mail)
      const isIn = isSignedIn(await reader.readSession())
      world.hold(
        'CF-05',
        isIn === linkAge < 86_400,
        `a link of ${linkAge} s ${isIn ? 'opens' : 'opens nothing'}`,
      )
    },
  }),
]

/** Holds that cookies are as they can be without TLS. */
async function holdPlain(world: World): Promise<void> {
  const { cookies } = await world.send(new Request(world.url('csrf').replace('https:', 'http:')))
  for (const { key, secure } of cookies)
    world.hold('CF-05', !secure && !key.startsWith('__'), `without TLS ${key} has Secure ${secure}`)
}

/** The flags that each cookie of the library has by default, over https. */
function holdFlags(world: World, cookies: Reply['cookies']): void {
  for (const { key, value, httpOnly, secure, sameSite, path, domain } of cookies) {
    if (value === '') continue
    const says = `${key} has HttpOnly ${httpOnly}, Secure ${secure}, SameSite ${String(sameSite)}, Path ${String(path)}, Domain ${String(domain)}`
    const isUsual = httpOnly && secure && sameSite?.toLowerCase() === 'lax' && path === '/' && domain === null
    world.hold('CF-05', isUsual && /^__(?:Secure|Host)-/.test(key), says)
  }
}
