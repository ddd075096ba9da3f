import { everyOf } from '../../arbitraries/every-of.ts'
import type { Fault } from '../../world/idp/faults.ts'
import type { RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { activeText, findActive } from '../support/active-content.ts'
import { remotes, withParameters } from '../support/consent.ts'
import { targetNames } from '../support/outside-targets.ts'
import { callbackOf, describedBy, followOnce, withQuery } from '../support/described.ts'

const script = { observed: 'a script' } as const

/** What a page may show of a user, with the fault that makes it active. */
const claims = {
  name: 'name-with-markup',
  address: 'address-with-markup',
  picture: 'links-with-script',
} as const satisfies Record<string, Fault>

/** Pages that may show a user. */
const userPages = ['/', '/profile', '/account', '/settings'] as const

/** Parameters that pages show: in a message, a search field or a hidden field. */
const shownNames: readonly string[] = [
  'error error_description error_uri message msg reason status notice flash alert next returnTo',
  'return_to redirect redirect_uri callbackUrl continue url from back q query search name user',
  'username email login login_hint title lang locale state code iss provider session_state scope',
  'hint theme client app',
].flatMap((line) => line.split(' '))

/** How many parameters fit into a request: servers refuse a URL of more than 8,000 characters. */
const most = 35

const names = [...new Set([...shownNames, ...targetNames])]

/** Queries with the text in each parameter. */
const queries = Array.from({ length: Math.ceil(names.length / most) }, (_, at) =>
  Object.fromEntries(names.slice(at * most, (at + 1) * most).map((name) => [name, activeText])),
)

export const describedMarkupProperties: readonly Property[] = [
  property({
    proves: ['IL-05'],
    name: 'shows no parameter of a request as markup, as the target of a link or outside its attribute',
    story: 'A link to the real site runs a script of an attacker in it, with the session of the visitor.',
    advice: 'Escape every value that a page shows, with a template language that does so by itself.',
    needs: ['description'],
    severity: 'session',
    runs: 6,
    ...everyOf({ provider: remotes, by: ['a visitor', 'a user'] }),
    async run(world, { provider, by }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      if (by === 'a user') await browser.signIn(provider, ada)
      const arrival = await world.browser('eve').visit(provider, world.people.eve)
      const { withoutProof, sessionRequest } = describedBy(world)
      const failed = await findFailure(world, provider)
      const paths = [
        ...(failed ? [failed] : []),
        withoutProof('signIn', provider).path,
        sessionRequest.path,
        callbackOf(world, arrival),
        `${describedBy(world).root}/`,
        `${describedBy(world).root}/login`,
        `${describedBy(world).root}/error`,
      ]
      for (const path of new Set(paths))
        for (const query of queries) {
          const says = 'opens a link with a text in its parameters'
          const first = await browser.send(withQuery(path, query), { says })
          for (const reply of [first, ...(await followOnce(world, browser, first))]) {
            const as = findActive(reply)
            const what = `${new URL(path, world.origin).pathname} shows a parameter as ${as}`
            world.check('IL-05', as === undefined, what, script)
          }
        }
      const missing = await browser.send(
        `${describedBy(world).root}/no-such-page/${encodeURIComponent(activeText)}`,
        {
          says: 'opens a page that does not exist',
        },
      )
      const as = findActive(missing)
      world.check('IL-05', as === undefined, `the page for an unknown path shows it as ${as}`, script)
      await world.browser('ada').signIn(provider, ada)
      world.reach(by)
    },
  }),

  property({
    proves: ['IL-05'],
    name: 'shows no name, address or link of a user as markup',
    story:
      'An attacker registers a name with a script at a provider, and it runs in every page that shows it.',
    advice: 'Escape every value that a page shows, and accept only https URLs as pictures and links.',
    needs: ['description'],
    severity: 'session',
    runs: 6,
    ...everyOf({ provider: remotes, claim: Object.keys(claims) as (keyof typeof claims)[] }),
    async run(world, { provider, claim }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      world.prove(browser, ada, provider)
      const arrival = await browser.visit(provider, ada)
      world.idps[provider].misbehave(claims[claim])
      const first = await browser.arrive(arrival)
      const { path } = describedBy(world).sessionRequest
      const replies = [
        ...(await followOnce(world, browser, first)),
        await browser.send(path, { says: 'opens the page that shows who is signed in' }),
      ]
      for (const page of userPages)
        replies.push(
          await browser.send(`${describedBy(world).root}${page}`, { says: 'opens a page of a user' }),
        )
      world.idps[provider].misbehave()
      for (const reply of [first, ...replies]) {
        const as = findActive(reply)
        world.check('IL-05', as === undefined, `a page shows the ${claim} of the user as ${as}`, script)
      }
      await world.browser('bob').signIn(provider, world.people.bob)
      world.reach(claim)
    },
  }),

  property({
    proves: ['IL-05'],
    name: 'shows no address that a visitor enters as markup',
    story: 'A form on another page runs a script in the page that says where a mail was sent.',
    advice: 'Escape every value that a page shows, with a template language that does so by itself.',
    needs: ['description'],
    setups: { database: { providers: ['mail'] } },
    severity: 'session',
    runs: 1,
    async run(world) {
      const { ada } = world.people
      const browser = world.browser('eve')
      const { path, sending } = await describedBy(world).mailRequest(browser, `${activeText}@mail.example`)
      const first = await browser.send(path, {
        ...sending,
        says: 'requests a link for an address with markup',
      })
      for (const reply of [first, ...(await followOnce(world, browser, first))]) {
        const as = findActive(reply)
        world.check('IL-05', as === undefined, `the page after a mail shows the address as ${as}`, script)
      }
      const honest = world.browser('ada')
      await honest.followLink(await honest.requestLink(ada.address.mail))
      world.assume((await honest.whoAmI()) === ada.name, 'a link signs nobody in')
    },
  }),
]

/** Returns the path of the page that shows a failed sign-in, if it is a separate one. Anybody can link to it. */
async function findFailure(world: World, provider: RemoteName): Promise<string | undefined> {
  const browser = world.browser('eve')
  const arrival = await browser.visit(provider, world.people.eve)
  const { location } = await browser.arrive(
    withParameters(arrival, (response) => {
      response.delete('code')
      response.set('error', 'access_denied')
    }),
  )
  return location?.origin === world.origin ? location.pathname : undefined
}
