import type { Described, Unsent } from '../../targets/target.ts'
import { Absent } from '../../world/breach.ts'
import type { Browser, Sending } from '../../world/browser.ts'
import type { Person, RemoteName } from '../../world/people.ts'
import { member, type Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { linesOf, readLine } from './set-cookie-lines.ts'

/** Texts that are shorter than this may be equal for everyone. */
const shortest = 8

/** How often a sign-in may redirect within the application before it reaches the provider. */
const maxHops = 3

/** Returns the description's functions. @throws {Absent} if the target is no running application */
export function describedBy({ described }: World): Described {
  if (!described) throw new Absent('the application has no description')
  return described
}

/** How a request for the session differs from that of a browser. */
export interface SessionReading {
  readonly headers?: Readonly<Record<string, string>>
  /** What follows the path, before a query: `;sid=1`. */
  readonly suffix?: string
  readonly query?: Readonly<Record<string, string>>
  readonly says: string
}

/** Returns the user that the response to a changed request for the session shows. */
export async function readUser(
  world: World,
  browser: Browser,
  { headers, suffix = '', query = {}, says }: SessionReading,
): Promise<unknown> {
  const { sessionRequest, reading } = describedBy(world)
  const { sending } = sessionRequest
  const path = withQuery(`${sessionRequest.path}${suffix}`, query)
  const reply = await browser.send(path, { ...sending, headers: { ...sending.headers, ...headers }, says })
  const user = member(reading.sessionOf(reply), 'user')
  return member(user, 'email') ?? member(user, 'name')
}

/** Adds parameters to a path. */
export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const added = new URLSearchParams(query).toString()
  return added === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${added}`
}

/**
 * Starts a sign-in with further parameters, in the query and in the form.
 *
 * @returns the URL at the provider to which it leads; undefined if the application refuses it
 */
export async function startWith(
  world: World,
  browser: Browser,
  provider: RemoteName,
  added: Readonly<Record<string, string>>,
  says: string,
): Promise<URL | undefined> {
  // A CSRF token may be valid for only one request.
  const prepare = () => describedBy(world).withProof(browser, 'signIn', provider)
  const inBoth = await prepare()
  const own = new URL(inBoth.path, world.origin).searchParams
  const query = Object.fromEntries(Object.entries(added).filter(([name]) => !own.has(name)))
  const send = ({ path, sending }: Unsent) => browser.send(withQuery(path, query), { ...sending, says })
  const first = await findProvider(world, browser, provider, await send(addFields(inBoth, added)))
  return first ?? findProvider(world, browser, provider, await send(await prepare()))
}

/** Adds members to the body of a request that has one. Its own members stay. */
function addFields({ path, sending }: Unsent, added: Readonly<Record<string, string>>): Unsent {
  const { form, json } = sending
  if (form)
    return { path, sending: { ...sending, form: { ...added, ...Object.fromEntries(entriesOf(form)) } } }
  const isObject = typeof json === 'object' && json !== null
  return { path, sending: isObject ? { ...sending, json: { ...added, ...json } } : sending }
}

const entriesOf = (form: NonNullable<Sending['form']>) =>
  form instanceof URLSearchParams ? [...form] : Object.entries(form)

/** Follows the redirects of a sign-in, or the URL in its response, to the provider. */
async function findProvider(
  world: World,
  browser: Browser,
  provider: RemoteName,
  reply: Reply,
): Promise<URL | undefined> {
  const { origin } = new URL(world.idps[provider].issuer)
  let { location } = reply
  for (let hop = 0; hop < maxHops && location?.origin === world.origin; hop++)
    location = (await browser.send(location.href, { says: 'follows the redirect' })).location
  const named = textsIn(reply.json).filter((text) => URL.canParse(text))
  return [...(location ? [location] : []), ...named.map((text) => new URL(text))].find(
    (url) => url.origin === origin,
  )
}

/** Returns the texts by which the session of Ada at a provider identifies her. */
export function readIdsOfAda(world: World, provider: RemoteName = 'alpha'): Promise<readonly string[]> {
  return readIdsOf(world, world.people.ada, provider)
}

/**
 * Returns the texts by which the session of a person at a provider identifies them: they are the same in two sessions of
 * theirs, but not in that of another user.
 */
export async function readIdsOf(
  world: World,
  person: Person,
  provider: RemoteName,
): Promise<readonly string[]> {
  const { ada, bob } = world.people
  const other = person.name === ada.name ? bob : ada
  const read = async (reader: Person) => {
    const browser = world.browser(reader.name)
    await browser.signIn(provider, reader)
    return readTexts(world, browser)
  }
  const [first, second, common] = [await read(person), await read(person), await read(other)]
  const shown: readonly string[] = [person.address[provider], person.name, `${person.name}-at-${provider}`]
  return first.filter((each) => second.includes(each) && !common.includes(each) && !shown.includes(each))
}

/** A time, such as that at which a session ends. Sessions of two users can end at the same time. */
const time = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})$/

/** Returns the longer texts in the JSON that shows who is signed in, other than times. */
export async function readTexts(world: World, browser: Browser): Promise<readonly string[]> {
  const { path, sending } = describedBy(world).sessionRequest
  const { json } = await browser.send(path, { ...sending, says: 'reads the session' })
  return textsIn(json).filter((text) => text.length >= shortest && !time.test(text))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Returns the lines that set the session cookie. @throws {Unreached} if there are none */
export function listSessionCookies(world: World) {
  const { sessionCookie } = describedBy(world)
  const set = linesOf(world)
    .map(({ line }) => readLine(line))
    .filter(({ name, value }) => value !== '' && sessionCookie({ [name]: value }) !== '')
  world.assume(set.length > 0, 'no response sets the session cookie of the description')
  return set
}

/** Follows a redirect within the application, once. */
export async function followOnce(
  world: World,
  browser: Browser,
  { location }: Reply,
): Promise<readonly Reply[]> {
  if (location?.origin !== world.origin) return []
  return [await browser.send(location.href, { says: 'follows the redirect' })]
}

/** Returns the path of the callback to which a provider redirected. */
export function callbackOf({ idps }: World, { provider }: { readonly provider: RemoteName }): string {
  const asked = idps[provider].requestsTo('authorize').at(-1)?.parameters.get('redirect_uri') ?? ''
  return URL.canParse(asked) ? new URL(asked).pathname : '/'
}
