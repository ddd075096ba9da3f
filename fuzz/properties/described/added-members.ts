import { eachOf, everyOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import type { Browser, Sending } from '../../world/browser.ts'
import type { RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { findAdded, privilegeNames, privileges } from '../support/added-members.ts'
import { consentTo, remotes, subjectOf, withParameters } from '../support/consent.ts'
import { describedBy, readIdsOf, readTexts, readUser, startWith, withQuery } from '../support/described.ts'

/** Where a request can name a right. */
const places = ['the start', 'the response of the provider', 'the query', 'cookies', 'headers'] as const
type Place = (typeof places)[number]

/** Where applications change a profile, other than where they show it. */
const profilePaths = [
  '/profile',
  '/account',
  '/settings',
  '/user',
  '/me',
  '/api/me',
  '/api/user',
  '/api/profile',
  '/api/account',
] as const

/** Names of the member that identifies a user. */
const userNames = ['email', 'mail', 'user', 'username', 'user_id', 'userId', 'id', 'uid', 'sub', 'login']

/** Ways to send the members of a profile. */
const ways = [
  { method: 'POST', as: 'form' },
  { method: 'POST', as: 'json' },
  { method: 'PUT', as: 'json' },
  { method: 'PATCH', as: 'json' },
] as const

export const addedMemberProperties: readonly Property[] = [
  property({
    proves: ['SE-26'],
    name: 'takes no right of a user from a parameter, a cookie or a header',
    story: 'A user adds `role=admin` to a URL, and is an administrator.',
    advice: 'Copy members by name, and take the rights of a user from your own records alone.',
    severity: 'session',
    needs: ['description'],
    runs: 9,
    ...everyOf({ provider: remotes, value: privileges }),
    async run(world, { provider, value }) {
      const usual = await readAfter(world, provider, value, [])
      const find = async (where: readonly Place[]) =>
        findAdded(value, await readAfter(world, provider, value, where), usual)
      const path = await find(places)
      let only = 'the request'
      if (path !== undefined)
        for (const place of places) if ((await find([place])) !== undefined) only = place
      const says = `the value ${value} in ${only}, under names such as “role”, is the ${path} of the session`
      world.check('SE-26', path === undefined, says, { observed: 'a session' })
      world.reach(value)
    },
  }),

  property({
    proves: ['SE-26'],
    name: 'takes neither the user nor a right from a request that changes a profile',
    story: 'A user sends a form with the address of another user, or with `role=admin`, and is that user.',
    advice: 'Copy from a form only the members that users may change, and confirm each new address by mail.',
    severity: 'takeover',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada, eve } = world.people
      const ids = await readIdsOf(world, ada, provider)
      const usual = await readAfter(world, provider, '', [])
      for (const value of [ada.address[provider], ...ids.slice(0, 1)]) {
        const tried = await change(world, provider, value, listChanges(world))
        const { shown, right } = await observe(world, tried, usual)
        const isTaken = shown === ada.address[provider]
        if (!isTaken && right === undefined) continue
        for (const request of listChanges(world)) {
          const browser = await change(world, provider, value, [request])
          const seen = await observe(world, browser, usual)
          const how = `${request.method} ${request.path} with`
          const says = `${how} ${value} makes the application answer ${eve.name} as ${ada.name}`
          const texts = await readTexts(world, browser)
          const isSame = ids.length === 0 || ids.some((each) => texts.includes(each))
          const meaning = { observed: isSame ? 'another user' : 'a missing protection' } as const
          world.check('SE-26', seen.shown !== ada.address[provider], says, meaning)
          const gained = `${how} “admin” makes it the ${seen.right} of the session`
          world.check('SE-26', seen.right === undefined, gained, { observed: 'a session' })
        }
        const together = `requests that change a profile to ${value} change the user of the session`
        world.check('SE-26', false, together, { observed: 'a missing protection' })
      }
      const isIn = await world.browser('ada').signIn(provider, ada)
      world.check('SE-26', isIn.failure === undefined, 'nobody can sign in after changes of a profile')
    },
  }),
]

/** Signs Eve in with a right in these places. @returns the JSON that her session shows */
async function readAfter(
  world: World,
  provider: RemoteName,
  value: string,
  where: readonly Place[],
): Promise<unknown> {
  const { eve } = world.people
  const at = (place: Place) =>
    Object.fromEntries(where.includes(place) ? privilegeNames.map((name) => [name, value]) : [])
  const browser = world.browser('eve')
  const says = `starts a sign-in with the right ${value}`
  const isStart = where.includes('the start')
  const url = isStart ? await startWith(world, browser, provider, at('the start'), says) : undefined
  const arrival = url
    ? await consentTo(world, provider, url, subjectOf(eve, provider))
    : await browser.visit(provider, eve)
  world.prove(browser, eve, provider)
  await browser.arrive(
    withParameters(arrival, (parameters) => {
      for (const [name, text] of Object.entries(at('the response of the provider')))
        // The parameter of a response that names its scope is one of OAuth.
        if (!parameters.has(name) && name !== 'scope') parameters.set(name, text)
    }),
  )
  const jar = Object.entries({ ...at('cookies'), ...browser.cookies() })
  const headers = Object.entries(at('headers')).flatMap(([name, text]) => {
    const dashed = name.replaceAll('_', '-')
    return [`x-${dashed}`, `x-user-${dashed}`].map((each) => [each, text] as const)
  })
  return readJson(world, browser, at('the query'), {
    ...(where.includes('cookies') && { cookie: jar.map((pair) => pair.join('=')).join('; ') }),
    ...Object.fromEntries(headers),
  })
}

/** Returns the JSON that shows who is signed in. @throws {Absent} if the page is not JSON */
async function readJson(
  world: World,
  browser: Browser,
  query: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const { path, sending } = describedBy(world).sessionRequest
  const { json } = await browser.send(withQuery(path, query), {
    ...sending,
    headers: { ...sending.headers, ...headers },
    says: 'reads the session',
  })
  if (json === undefined) throw new Absent('the session is not shown as JSON')
  return json
}

interface Change {
  readonly method: string
  readonly path: string
  readonly as: 'form' | 'json'
}

/** Lists requests with which an application may change a profile. */
function listChanges(world: World): readonly Change[] {
  const { path } = describedBy(world).sessionRequest
  return [
    ...ways.map((way) => ({ ...way, path })),
    ...profilePaths.flatMap((each) =>
      ways.slice(0, 2).map((way) => ({ ...way, path: `${describedBy(world).root}${each}` })),
    ),
  ]
}

/** Signs Eve in, and sends requests that name another user and a right. */
async function change(
  world: World,
  provider: RemoteName,
  value: string,
  changes: readonly Change[],
): Promise<Browser> {
  const { ada, eve } = world.people
  const browser = world.browser('eve')
  await browser.signIn(provider, eve)
  world.prove(browser, ada, provider)
  const { headers, form, json } = await ownProof(world, browser, provider)
  const members = {
    ...Object.fromEntries(privilegeNames.map((name) => [name, 'admin'])),
    ...Object.fromEntries(userNames.map((name) => [name, value])),
  }
  for (const { path, method, as } of changes) {
    const own = as === 'form' ? { form: { ...members, ...fieldsOf(form) } } : undefined
    const body = own ?? { json: { ...members, ...fieldsOf(form), ...Object(json) } }
    await browser.send(path, { method, headers, ...body, says: `changes the profile to ${value}` })
  }
  return browser
}

/** Returns the sign-out of this browser, whose CSRF token other forms accept as well. */
async function ownProof(world: World, browser: Browser, provider: RemoteName): Promise<Sending> {
  try {
    return (await describedBy(world).withProof(browser, 'signOut', provider)).sending
  } catch (error) {
    if (error instanceof Absent) return {}
    throw error
  }
}

const fieldsOf = (form: Sending['form']) => Object.fromEntries(new URLSearchParams({ ...form }))

async function observe(world: World, browser: Browser, usual: unknown) {
  const shown = await readUser(world, browser, { says: 'reads the session' })
  return { shown, right: findAdded('admin', await readJson(world, browser), usual) }
}
