import { everyOf } from '../../arbitraries/every-of.ts'
import { issuers } from '../../targets/configure.ts'
import type { Setup } from '../../targets/setup.ts'
import { Absent } from '../../world/breach.ts'
import type { World } from '../../world/world.ts'
import type { Reply } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { consentTo, remotes, startAt, subjectOf } from '../support/consent.ts'
import { guess } from '../support/guesses.ts'

/** An application that sends the token request itself. */
const sendsItself: Setup = {
  provider: {
    plain: {
      checks: ['pkce', 'state'],
      token: {
        url: `${issuers.plain}/token`,
        async request({ params }: { readonly params: URLSearchParams }) {
          const credentials = btoa('client-at-plain:secret-at-plain-0123456789')
          const headers = { authorization: `Basic ${credentials}`, 'x-sent-by': 'the application' }
          const body = new URLSearchParams(params)
          const response = await fetch(`${issuers.plain}/token`, { method: 'POST', headers, body })
          return { tokens: await response.json() }
        },
      },
    },
  },
}

export const verifierProperties: readonly Property[] = [
  property({
    proves: ['TX-08'],
    name: 'uses a new PKCE challenge per sign-in, and keeps the verifier secret until the token request',
    story: 'Anyone who reads a verifier in a log, a URL or a cookie can use a stolen code.',
    advice: 'Generate 32 random bytes for each transaction, seal the verifier, and keep it out of the logs.',
    portable: true,
    runs: 40,
    ...everyOf({
      provider: remotes,
      times: [2, 3],
      fault: [undefined, 'token:500', 'token:html', 'token:network-error', 'access-denied'],
    }),
    async run(world, { provider, times, fault }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      const seen: Reply[] = []
      const challenges = new Set<string>()
      const from = world.clock.now()
      const words: string[] = []
      for (let n = 0; n < times; n++) {
        const started = await browser.start(provider)
        const { location } = started
        const challenge = location?.searchParams.get('code_challenge') ?? undefined
        if (!location || challenge === undefined)
          throw new Absent(`a sign-in at ${provider} sends no code challenge`)
        world.check('TX-08', !challenges.has(challenge), 'two sign-ins have the same challenge', weak)
        challenges.add(challenge)
        words.push(...['state', 'nonce'].flatMap((name) => location.searchParams.get(name) ?? []))
        const method = location.searchParams.get('code_challenge_method')
        world.check('TX-08', method === 'S256', `the challenge method is ${method}`, weak)
        const arrival = await consentTo(world, provider, location, subjectOf(ada, provider))
        world.prove(browser, ada, provider)
        // The last sign-in fails, so that errors are checked as well.
        if (fault && n === times - 1) world.idps[provider].misbehave(fault)
        seen.push(started, await browser.arrive(arrival))
        world.idps[provider].misbehave()
      }
      const requests = world.idps[provider].requestsTo('token')
      world.assume(requests.length > 0, 'no token request was sent')
      for (const { parameters } of requests)
        await checkVerifier(world, parameters.get('code_verifier') ?? '', challenges, seen)
      const made = guess(requests[0]?.parameters.get('code_verifier') ?? '', {
        from,
        until: world.clock.now(),
        words,
      })
      world.check('TX-08', made === undefined, `a verifier is made of ${made}`, weak)
      world.reach(fault ?? 'no fault')
    },
  }),

  property({
    proves: ['DEC-10a', 'TX-08'],
    name: 'gives the code verifier to an application that sends the token request itself',
    story: 'A provider that needs a custom token request works only without PKCE.',
    advice: 'Call `token.request`, with all parameters of the request except those of the client.',
    severity: 'hardening',
    needs: ['setup'],
    setups: { 'token.request': sendsItself },
    runs: 2,
    async run(world) {
      const { plain } = world.idps
      const browser = world.browser('ada')
      const url = await startAt(world, browser, 'plain')
      world.prove(browser, world.people.ada, 'plain')
      await browser.arrive(await consentTo(world, 'plain', url, subjectOf(world.people.ada, 'plain')))
      const [request] = plain.requestsTo('token')
      world.check('DEC-10a', request?.headers.has('x-sent-by') === true, '`token.request` is not called')
      const verifier = request?.parameters.get('code_verifier') ?? ''
      const isRight = (await challengeFor(verifier)) === url.searchParams.get('code_challenge')
      world.check('TX-08', isRight, `the token request has the verifier "${verifier}"`)
      world.check('DEC-10a', (await browser.whoAmI()) === 'ada', 'nobody can sign in')
    },
  }),
]

/** Returns the S256 challenge of a verifier (RFC 7636 4.2). */
async function challengeFor(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return Buffer.from(digest).toString('base64url')
}

const weak = { observed: 'a missing protection' } as const
const leaked = { observed: 'a secret' } as const

/** Separates the cookies that scripts cannot read from the others. */
function partition(lines: readonly string[]): readonly [readonly string[], readonly string[]] {
  const isHidden = (line: string) => /;\s*httponly/i.test(line)
  return [lines.filter(isHidden), lines.filter((line) => !isHidden(line))]
}

/** Checks that a verifier is valid, and appears nowhere else. */
async function checkVerifier(
  world: World,
  verifier: string,
  challenges: ReadonlySet<string>,
  seen: readonly Reply[],
): Promise<void> {
  world.check(
    'TX-08',
    challenges.has(await challengeFor(verifier)),
    'a token request has a verifier that matches no challenge',
    weak,
  )
  world.check(
    'TX-08',
    /^[\w.~-]{43,128}$/.test(verifier),
    `a verifier is ${verifier.length} characters long`,
    weak,
  )
  // 32 random bytes in any common encoding almost never have fewer.
  world.check(
    'TX-08',
    new Set(verifier).size >= 10,
    `a verifier has only ${new Set(verifier).size} different characters`,
    weak,
  )
  for (const { headers, text } of seen) {
    const [hidden, cookies] = partition(headers.getSetCookie())
    const shown = readable([text, headers.get('location') ?? '', ...cookies].join(' '))
    world.check('TX-08', !shown.includes(verifier), 'a verifier is in a page, a URL or a cookie of scripts', {
      observed: 'a secret',
    })
    const isHeld = readable(hidden.join(' ')).includes(verifier)
    world.check('TX-08', !isHeld, 'a verifier is in an HttpOnly cookie, which does not encrypt it', {
      observed: 'a broken rule',
    })
  }
  const urls = Object.values(world.idps).flatMap(({ log }) => log.map(({ url }) => url))
  world.check('TX-08', !urls.some((url) => url.includes(verifier)), 'a verifier is in a URL', leaked)
  if (!world.features.has('hooks')) return
  // IL-03 covers debug output.
  const { errors, warnings } = world.recorded
  const logged = JSON.stringify(warnings) + errors.map(describe).join(' ')
  world.check('TX-08', !logged.includes(verifier), 'a verifier was logged', leaked)
}

/** Returns a text, and its parts decoded as base64 and percent-encoding. */
function readable(text: string): string {
  const parts = text.match(/[\w+/%.~-]{40,}/g) ?? []
  const decoded = parts.flatMap((part) =>
    part.split('.').map((piece) => Buffer.from(piece, 'base64').toString('latin1')),
  )
  return [text, ...decoded].join(' ')
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? ''
  const inner = Object.values(Object(error.cause)).map(describe).join(' ')
  return `${error.message} ${error.stack ?? ''} ${describe(error.cause)} ${inner}`
}
