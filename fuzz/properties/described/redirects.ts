import fc from 'fast-check'
import { everyOf } from '../../arbitraries/every-of.ts'
import { nastyUrl } from '../../arbitraries/nasty-urls.ts'
import { webUrl } from '../../arbitraries/web-url.ts'
import { Absent } from '../../world/breach.ts'
import type { Browser } from '../../world/browser.ts'
import type { RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentTo, remotes, subjectOf, withParameters } from '../support/consent.ts'
import { describedBy, withQuery } from '../support/described.ts'
import {
  checkElsewhere,
  checkEnd,
  checkHops,
  everyTarget,
  evil,
  outside,
} from '../support/outside-targets.ts'

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
    needs: ['custom-routes'],
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
    needs: ['custom-routes'],
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

  property({
    proves: ['RD-01'],
    name: 'follows no target outside the application in a parameter or header that nobody described',
    story: 'A link to the real site with one more parameter ends on an attacker’s page.',
    advice: 'Redirect only to pages of your own, whatever the request names.',
    needs: ['description'],
    runs: 6,
    ...everyOf({ provider: remotes, by: ['parameters', 'Referer'] }),
    async run(world, { provider, by }) {
      const { ada } = world.people
      const { withProof, sessionRequest } = describedBy(world)
      const query: Readonly<Record<string, string>> = by === 'parameters' ? everyTarget : {}
      const headers: Readonly<Record<string, string>> = by === 'Referer' ? { referer: evil } : {}
      const says = by === 'parameters' ? `with parameters that name ${evil}` : `with ${evil} as the Referer`
      const browser = world.browser('ada')
      const start = await withProof(browser, 'signIn', provider)
      const { path, sending } = start
      const sent = { ...sending, headers: { ...sending.headers, ...headers } }
      let first = await browser.send(withQuery(path, query), { ...sent, says: `starts a sign-in ${says}` })
      for (let hop = 0; hop < 3 && first.location?.origin === world.origin; hop++)
        first = await browser.send(first.location.href, { says: 'follows the redirect' })
      const isAsked = first.location?.origin === new URL(world.idps[provider].issuer).origin
      checkElsewhere(world, `the start of a sign-in ${says}`, isAsked ? undefined : first)
      if (isAsked && first.location) {
        const arrival = await consentTo(world, provider, first.location, subjectOf(ada, provider))
        world.prove(browser, ada, provider)
        const reply = await browser.arrive(
          withParameters(arrival, (parameters) => {
            for (const [name, value] of Object.entries(query))
              if (!parameters.has(name)) parameters.set(name, value)
          }),
        )
        await checkHops(world, browser, `a response ${says}`, reply)
      }
      const page = await browser.send(withQuery(sessionRequest.path, query), {
        headers,
        says: `opens a page ${says}`,
      })
      checkElsewhere(world, `a page ${says}`, page)
      await checkSignOut(world, browser, provider, { query, headers, says })
      await world.browser('ada').signIn(provider, ada)
      world.reach(by)
    },
  }),
]

/** Signs out with these parameters, if the application can sign out. */
async function checkSignOut(
  world: World,
  browser: Browser,
  provider: RemoteName,
  {
    query,
    headers,
    says,
  }: {
    readonly query: Readonly<Record<string, string>>
    readonly headers: Readonly<Record<string, string>>
    readonly says: string
  },
): Promise<void> {
  try {
    const { path, sending } = await describedBy(world).withProof(browser, 'signOut', provider)
    const sent = { ...sending, headers: { ...sending.headers, ...headers } }
    const reply = await browser.send(withQuery(path, query), { ...sent, says: `signs out ${says}` })
    await checkHops(world, browser, `a sign-out ${says}`, reply)
  } catch (error) {
    if (!(error instanceof Absent)) throw error
  }
}
