import { eachOf, everyOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import type { Browser } from '../../world/browser.ts'
import type { RemoteName } from '../../world/people.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentTo, remotes, subjectOf } from '../support/consent.ts'
import { describedBy, startWith } from '../support/described.ts'
import { checkElsewhere, checkEnd, checkHops, everyTarget, evil } from '../support/outside-targets.ts'

/** Targets that leave the application, if it does not compare them at all or only in part. */
const targets = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  'http://host.evil.example/',
  'http://host@evil.example/',
  'javascript:alert(1)',
] as const

/** Paths that are the address of another host for a browser, once the application repeats them in a redirect. */
const paths = [
  '//evil.example',
  '//evil.example/',
  '//evil.example//',
  '//evil.example/%2e%2e',
  '//evil.example/%2e%2e/',
  '/\\evil.example/',
  '/%5Cevil.example/',
  '/%2Fevil.example/',
  '/.//evil.example/',
  '/;@evil.example/',
  '/%09/evil.example/',
] as const

const whens = ['starts a sign-in while signed in', 'signs out without a session'] as const

const story = 'A link to the real site ends on an attacker’s page, which asks for the password.'
const advice =
  'Apply one check to the target of every redirect, also where there is nothing left to do for a visitor.'

export const returnPageProperties: readonly Property[] = [
  property({
    proves: ['RD-02'],
    name: 'never redirects outside the application where a sign-in or a sign-out has nothing to do',
    story,
    advice,
    needs: ['description'],
    runs: 36,
    ...everyOf({ provider: remotes, when: whens, target: targets }),
    async run(world, { provider, when, target }) {
      const isSignIn = when === 'starts a sign-in while signed in'
      if (!describedBy(world).takesTarget(isSignIn ? 'signIn' : 'signOut'))
        throw new Absent('no request of the description has a {returnTo}')
      const browser = world.browser('ada')
      if (isSignIn) await browser.signIn(provider, world.people.ada)
      const callbackUrl = target.replace('host', new URL(world.origin).host)
      const reply = isSignIn
        ? await returnFrom(world, browser, provider, await browser.start(provider, { callbackUrl }))
        : await browser.signOut({ callbackUrl })
      await checkEnd(world, browser, callbackUrl, reply)
      if (!isSignIn) await world.browser('ada').signIn(provider, world.people.ada)
      world.reach(when)
    },
  }),

  property({
    proves: ['RD-01'],
    name: 'follows no target of a parameter where a sign-in or a sign-out has nothing to do',
    story,
    advice,
    needs: ['description'],
    runs: 6,
    ...everyOf({ provider: remotes, when: whens }),
    async run(world, { provider, when }) {
      const says = `with parameters that name ${evil}`
      const browser = world.browser('ada')
      if (when === 'starts a sign-in while signed in') {
        await browser.signIn(provider, world.people.ada)
        await startWith(world, browser, provider, everyTarget, `starts a sign-in ${says}`)
        for (const { request, reply } of world.replies)
          checkElsewhere(world, `a user opens ${new URL(request.url).pathname} ${says}, which`, reply)
      } else {
        const { path, sending } = await describedBy(world).withProof(browser, 'signOut', provider)
        const form =
          sending.form &&
          new URLSearchParams({ ...everyTarget, ...Object.fromEntries(new URLSearchParams(sending.form)) })
        const query = new URLSearchParams(everyTarget)
        for (const [name] of new URL(path, world.origin).searchParams) query.delete(name)
        const joined = `${path}${path.includes('?') ? '&' : '?'}${query}`
        const reply = await browser.send(joined, {
          ...sending,
          ...(form && { form }),
          says: `signs out ${says}`,
        })
        await checkHops(world, browser, `a sign-out without a session ${says}`, reply)
      }
      await world.browser('ada').signIn(provider, world.people.ada)
      world.reach(when)
    },
  }),

  property({
    proves: ['RD-01'],
    name: 'redirects no path outside the application',
    story,
    advice:
      'Collapse the slashes at the beginning of a path before you redirect to it, as with a slash at its end.',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const browser = world.browser('ada')
      for (const user of ['a visitor', 'a user']) {
        if (user === 'a user') await browser.signIn(provider, world.people.ada)
        for (const path of paths) {
          const reply = await browser.send(path, { says: 'opens a path with the name of another host' })
          checkElsewhere(world, `the path ${path}, opened by ${user},`, reply)
        }
      }
    },
  }),
]

/** Completes a sign-in if the response leads to the provider. */
async function returnFrom(
  world: World,
  browser: Browser,
  provider: RemoteName,
  started: Reply,
): Promise<Reply> {
  const { location } = started
  if (location?.origin !== new URL(world.idps[provider].issuer).origin) return started
  const { ada } = world.people
  const arrival = await consentTo(world, provider, location, subjectOf(ada, provider))
  world.prove(browser, ada, provider)
  return browser.arrive(arrival)
}
