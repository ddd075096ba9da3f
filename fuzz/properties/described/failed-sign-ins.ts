import { everyOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import type { Browser } from '../../world/browser.ts'
import type { Fault } from '../../world/idp/faults.ts'
import type { RemoteName } from '../../world/people.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentTo, remotes, startAt, subjectOf, withParameters } from '../support/consent.ts'
import { describedBy, startWith, withQuery } from '../support/described.ts'
import { checkElsewhere, checkEnd, checkHops, everyTarget, evil } from '../support/outside-targets.ts'

/** Why a sign-in fails: a fault of the provider, or a browser that has lost its cookies. */
const ends = {
  'the user declines': 'access-denied',
  'the token endpoint fails': 'token:500',
  'the state is wrong': 'state-wrong',
  'the cookies are lost': undefined,
} as const satisfies Record<string, Fault | undefined>
const endNames = Object.keys(ends) as (keyof typeof ends)[]

/** Targets that leave the application, if it does not compare them at all or only their first characters. */
const outside = ['https://evil.example/', '//evil.example/', '/\\evil.example/'] as const

const story =
  'Eve sends a link to the real site. The user cancels the sign-in, and lands on a copy of the site that asks for the password.'
const advice = 'Apply the same check to the target wherever you redirect: on error pages as after a sign-in.'

export const failedSignInProperties: readonly Property[] = [
  property({
    proves: ['RD-02'],
    name: 'never redirects outside the application after a sign-in that fails',
    story,
    advice,
    needs: ['description'],
    runs: 36,
    ...everyOf({ provider: remotes, end: endNames, target: outside }),
    async run(world, { provider, end, target }) {
      if (!describedBy(world).takesTarget('signIn'))
        throw new Absent('no request of the description has a {returnTo}')
      const browser = world.browser('ada')
      const started = await browser.start(provider, { callbackUrl: target })
      const { location: url } = started
      // The application may refuse the target at the start.
      if (url?.origin !== new URL(world.idps[provider].issuer).origin)
        return checkEnd(world, browser, target, started)
      const { reply, last } = await failAt(world, browser, { provider, end, url })
      await checkEnd(world, last, target, reply)
      world.reach(end)
    },
  }),

  property({
    proves: ['RD-01'],
    name: 'follows no target outside the application when a sign-in fails, or on the page that shows this',
    story,
    advice,
    needs: ['description'],
    runs: 12,
    ...everyOf({ provider: remotes, end: endNames }),
    async run(world, { provider, end }) {
      const browser = world.browser('ada')
      const says = `with parameters that name ${evil}`
      const started = await startWith(world, browser, provider, everyTarget, `starts a sign-in ${says}`)
      // The application may refuse such parameters at the start, and read them later.
      const url = started ?? (await startAt(world, browser, provider))
      const { reply, last } = await failAt(world, browser, { provider, end, url, query: everyTarget })
      await checkHops(world, last, `a sign-in ${says}, in which ${end},`, reply)
      world.reach(end)
      // Anybody can link to the page that shows the failure.
      const { location } = reply
      if (location?.origin !== world.origin) return
      const page = withQuery(location.pathname, {
        ...Object.fromEntries(location.searchParams),
        ...everyTarget,
      })
      const shown = await world.browser('ada').send(page, { says: `opens the page of the failure ${says}` })
      checkElsewhere(world, `the page ${location.pathname} ${says}`, shown)
    },
  }),
]

interface Failing {
  readonly provider: RemoteName
  readonly end: keyof typeof ends
  /** The authorization request. */
  readonly url: URL
  /** Further parameters of the response. */
  readonly query?: Readonly<Record<string, string>>
}

/** Lets a sign-in fail, and returns the response to the browser that comes back from the provider. */
async function failAt(
  world: World,
  browser: Browser,
  { provider, end, url, query = {} }: Failing,
): Promise<{ readonly reply: Reply; readonly last: Browser }> {
  const fault = ends[end]
  if (fault !== undefined) world.idps[provider].misbehave(fault)
  const arrival = await consentTo(world, provider, url, subjectOf(world.people.ada, provider))
  world.prove(browser, world.people.ada, provider)
  const last = fault === undefined ? world.browser('ada') : browser
  const changed = withParameters(arrival, (parameters) => {
    for (const [name, value] of Object.entries(query)) if (!parameters.has(name)) parameters.set(name, value)
  })
  const reply = await last.arrive(changed)
  world.idps[provider].misbehave()
  return { reply, last }
}
