import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import { nastyUrl } from '../../arbitraries/nasty-urls.ts'
import { webUrl } from '../../arbitraries/web-url.ts'
import { Absent } from '../../world/breach.ts'
import type { Browser } from '../../world/browser.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentTo, remotes, subjectOf } from '../support/consent.ts'
import { describedBy } from '../support/described.ts'

/**
 * Targets that a careless check takes for a page of the application, or that leave it once they are decoded again;
 * `host` is its host.
 */
const outside: readonly string[] = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '\\\\evil.example/',
  '/\t/evil.example/',
  'https:evil.example',
  'https:/evil.example/',
  'http://host.evil.example/',
  'http://host@evil.example/',
  'http://evil.example/host',
  'javascript:alert(1)',
  '/%2Fevil.example/',
  '/%5Cevil.example/',
  '/%09/evil.example/',
  '%2F%2Fevil.example/',
  '/%252Fevil.example/',
]

const noTarget = 'no request of the description has a {returnTo}'

/** A page of the application. */
const honest = '/welcome'

export const describedRedirectProperties: readonly Property[] = [
  property({
    proves: ['RD-02'],
    name: 'never redirects outside the application after a sign-in',
    story: 'A link to the real sign-in page ends, after a genuine sign-in, on an attacker’s page.',
    advice:
      'Parse the target with a URL parser, compare its origin with your own, and redirect to the parsed URL.',
    needs: ['description'],
    runs: 40,
    reaches: { 'returned to an honest target': 5 },
    cases: everyOf({ provider: remotes, target: outside }).cases,
    input: fc.record({
      provider: fc.constantFrom(...remotes),
      target: fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...outside) }, nastyUrl, webUrl),
    }),
    async run(world, { provider, target }) {
      if (!describedBy(world).takesTarget('signIn')) throw new Absent(noTarget)
      const { ada } = world.people
      const callbackUrl = target.replace('host', new URL(world.origin).host)
      const visit = async (browser: Browser, wanted: string) => {
        const started = await browser.start(provider, { callbackUrl: wanted })
        // A refusal at the start returns nobody to the target.
        if (started.location?.origin !== new URL(world.idps[provider].issuer).origin) return started
        const arrival = await consentTo(world, provider, started.location, subjectOf(ada, provider))
        world.prove(browser, ada, provider)
        return browser.arrive(arrival)
      }
      // An application that ignores every target refuses none.
      const last = await visit(world.browser('ada'), honest)
      if (last.location?.pathname !== honest)
        throw new Absent(
          `a sign-in with the target ${honest} returns to ${last.location?.pathname ?? last.status}`,
        )
      world.reach('returned to an honest target')
      const browser = world.browser('ada')
      await checkEnd(world, browser, callbackUrl, await visit(browser, callbackUrl))
    },
  }),

  property({
    proves: ['RD-02'],
    name: 'never redirects outside the application after a sign-out',
    story: 'A link to the real sign-out ends on an attacker’s page, which asks the user to sign in again.',
    advice:
      'Parse the target with a URL parser, compare its origin with your own, and redirect to the parsed URL.',
    needs: ['description'],
    runs: 20,
    ...everyOf({ provider: remotes, target: outside }),
    async run(world, { provider, target }) {
      if (!describedBy(world).takesTarget('signOut')) throw new Absent(noTarget)
      const signOut = async (callbackUrl: string) => {
        const browser = world.browser('ada')
        await browser.signIn(provider, world.people.ada)
        return [browser, await browser.signOut({ callbackUrl })] as const
      }
      // An application that ignores every target refuses none.
      const [, last] = await signOut(honest)
      if (last.location?.pathname !== honest)
        throw new Absent(
          `a sign-out with the target ${honest} returns to ${last.location?.pathname ?? last.status}`,
        )
      const callbackUrl = target.replace('host', new URL(world.origin).host)
      const [browser, reply] = await signOut(callbackUrl)
      await checkEnd(world, browser, callbackUrl, reply)
    },
  }),
]

/** Follows the redirects within the application. */
async function checkEnd(world: World, browser: Browser, target: string, first: Reply): Promise<void> {
  let reply = first
  for (let hop = 0; hop < 3; hop++) {
    checkInside(world, target, reply)
    if (!reply.location) return
    reply = await browser.send(reply.location.href, { says: 'follows the redirect' })
  }
}

function checkInside(world: World, target: string, { location, headers }: Reply): void {
  const isInside = location === undefined || location.origin === world.origin
  const shown = headers.get('location') ?? ''
  world.check('RD-02', isInside, `${JSON.stringify(target)} redirected to ${JSON.stringify(shown)}`, {
    observed: 'a redirect',
  })
}
