import { everyOf, eachOf } from '../../arbitraries/every-of.ts'
import { Absent } from '../../world/breach.ts'
import type { Browser } from '../../world/browser.ts'
import type { Person, RemoteName } from '../../world/people.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { consentTo, remotes, subjectOf, withParameters } from '../support/consent.ts'
import { fabricate, forge, isReadable, type Rewrite } from '../support/cookie-forgeries.ts'
import { describedBy, readIdsOfAda, readUser, startWith } from '../support/described.ts'

const another = { observed: 'another user' } as const

/** Names under which applications read a user from a request, in careless code, in debug code or from a form. */
const userNames: readonly string[] = [
  'user username user_name userid userId user_id uid id sub subject email mail login name account',
  'as su impersonate identity principal me profile login_hint preferred_username',
  '_switch_user switch_user act_as run_as on_behalf_of debug_user test_user dev_user',
].flatMap((line) => line.split(' '))

/** Names under which applications read a session id from a request. */
const sessionNames: readonly string[] = [
  'sid session sessionid session_id sessionId session_token token auth auth_token access_token',
  'jsessionid JSESSIONID PHPSESSID connect.sid key t s',
].flatMap((line) => line.split(' '))

const unforgeable =
  'Sign or encrypt what a cookie contains with a random secret, and verify it before you read it; or keep only a random id in it.'

export const forgedSessionProperties: readonly Property[] = [
  property({
    proves: ['SE-26'],
    name: 'signs nobody in with a cookie that it did not issue',
    story: 'An attacker edits a cookie of a session that they opened, and is another user.',
    advice: unforgeable,
    severity: 'takeover',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada, eve } = world.people
      const attacker = world.browser('eve')
      await attacker.signIn(provider, eve)
      const held = Object.entries(attacker.cookies())
      const rewrite = rewriteFor(eve, ada, provider)
      const fabricated = fabricate(ada.address[provider], ada.name, `${ada.name}-at-${provider}`)
      for (const [name, value] of held)
        for (const { how, value: forged } of [...forge(value, rewrite), ...fabricated])
          for (const jar of [
            held.map(([each, kept]) => [each, each === name ? forged : kept]),
            [[name, forged]],
          ]) {
            const browser = world.browser('eve')
            world.prove(browser, ada, provider)
            world.prove(browser, eve, provider)
            const headers = { cookie: jar.map((pair) => pair.join('=')).join('; ') }
            const shown = await readUser(world, browser, { headers, says: `sends a cookie ${name} ${how}` })
            const says = `a cookie ${name} ${how} signs in ${ada.name}`
            world.check('SE-26', shown !== ada.address[provider], says, another)
          }
      await world.browser('ada').signIn(provider, ada)
    },
  }),

  property({
    proves: ['SE-26'],
    name: 'keeps a secret in the session cookie',
    story: 'A session cookie contains nothing but the name or the number of a user, and anyone can write it.',
    advice: unforgeable,
    severity: 'takeover',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(provider, ada)
      const value = describedBy(world).sessionCookie(browser.cookies())
      if (value === '')
        throw new Absent('a signed-in browser does not have the session cookie of the description')
      const says = 'the session cookie is a text that anyone can read and write, without a signature'
      world.check('SE-26', !isReadable(value), says, another)
    },
  }),

  property({
    proves: ['SE-26'],
    name: 'takes the user from no parameter and no cookie that names one',
    story: 'An attacker adds the address of a victim to a URL, or sets a cookie with it, and is the victim.',
    advice:
      'Take the user from the session alone, and from the verified response of the provider at a sign-in.',
    severity: 'takeover',
    needs: ['description'],
    runs: 9,
    ...everyOf({ provider: remotes, by: ['the query', 'cookies', 'the response of the provider'] }),
    async run(world, { provider, by }) {
      const { ada, eve } = world.people
      const ids = await readIdsOfAda(world, provider)
      for (const value of [...namesOf(ada, provider), ...ids.slice(0, 2)]) {
        const query = Object.fromEntries(userNames.map((name) => [name, value]))
        const browser = world.browser('eve')
        world.prove(browser, ada, provider)
        const arrival = await browser.visit(provider, eve)
        const isResponse = by === 'the response of the provider'
        // Apple returns the name of a user like this.
        const apple = { user: JSON.stringify({ name: ada.name, email: ada.address[provider] }) }
        const added = { ...query, ...apple, user_info: apple.user, profile: apple.user, claims: apple.user }
        await browser.arrive(
          isResponse
            ? withParameters(arrival, (parameters) => {
                for (const [name, text] of Object.entries(added))
                  if (!parameters.has(name)) parameters.set(name, text)
              })
            : arrival,
        )
        const shown = await readWith(world, browser, by, query, `reads the session, with ${value} in ${by}`)
        const isAda = shown === ada.address[provider]
        const isRead = by === 'the query' || by === 'cookies'
        const name =
          isAda && isRead ? await findName(world, browser, by, value, ada.address[provider]) : undefined
        world.check('SE-26', !isAda, describeTaken(world, by, name, value), another)
      }
      const stranger = await readStranger(world, provider, by)
      const says = `${by} with the address of ${ada.name} signs in a stranger`
      world.check('SE-26', stranger === undefined, says, another)
      await world.browser('ada').signIn(provider, ada)
      world.reach(by)
    },
  }),

  property({
    proves: ['SE-26'],
    name: 'takes the user from no parameter of the request that starts a sign-in',
    story:
      'An attacker adds the address of a victim to the form that starts a sign-in, and is signed in as the victim after returning from the provider.',
    advice:
      'Keep parameters of a sign-in request, such as OmniAuth’s `omniauth.params`, apart from the profile of the provider, and merge neither into the other.',
    severity: 'takeover',
    needs: ['description'],
    runs: 3,
    ...eachOf(remotes),
    async run(world, provider) {
      const { ada, eve } = world.people
      const ids = await readIdsOfAda(world, provider)
      for (const value of [...namesOf(ada, provider), ...ids.slice(0, 2)]) {
        const isAda = async (names: readonly string[]) => {
          const added = Object.fromEntries(names.map((name) => [name, value]))
          return (await signInWith(world, provider, added, value)) === ada.address[provider]
        }
        const isTaken = await isAda(userNames)
        const name = isTaken ? await narrow(userNames, isAda) : ''
        const alone = isTaken && (await isAda([name]))
        const what = alone ? `${name}=${value}` : `${JSON.stringify(value)} as the user`
        const says = `a sign-in that ${eve.name} starts with ${what} makes the application answer as ${ada.name}`
        world.check('SE-26', !isTaken, says, another)
      }
      await world.browser('ada').signIn(provider, ada)
    },
  }),

  property({
    proves: ['SE-26'],
    name: 'takes the session from no URL',
    story:
      'A session id in a URL is in histories, logs and Referer headers, and a link with that of an attacker signs a victim in as them.',
    advice: 'Read the session id from its cookie alone.',
    needs: ['description'],
    runs: 6,
    ...everyOf({ provider: remotes, by: ['the query', 'the path'] }),
    async run(world, { provider, by }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      await browser.signIn(provider, ada)
      const cookies = browser.cookies()
      const value = describedBy(world).sessionCookie(cookies)
      if (value === '')
        throw new Absent('a signed-in browser does not have the session cookie of the description')
      const own = Object.keys(cookies).filter(
        (name) => describedBy(world).sessionCookie({ [name]: value }) !== '',
      )
      const names = [...new Set([...own, ...sessionNames])]
      for (const text of new Set([decodeIf(value), idIn(decodeIf(value))])) {
        const other = world.browser('eve')
        world.prove(other, ada, provider)
        const says = `opens a URL with the session of ${ada.name} in ${by}`
        const shown =
          by === 'the query'
            ? await readUser(world, other, {
                query: Object.fromEntries(names.map((name) => [name, text])),
                says,
              })
            : await readUser(world, other, {
                suffix: names.map((name) => `;${name}=${encodeURIComponent(text)}`).join(''),
                says,
              })
        const message = `a session id in ${by} of a URL signs in ${ada.name}`
        world.check('SE-26', shown !== ada.address[provider], message, { observed: 'a session' })
        const next = await other.whoAmI()
        world.check('SE-26', next !== ada.name, `${message}, and stays in a cookie`, {
          observed: 'a session',
        })
      }
      world.reach(by)
    },
  }),
]

/**
 * Signs Eve in, with further parameters in the request that starts the sign-in.
 *
 * @returns the user whom the session shows
 */
async function signInWith(
  world: World,
  provider: RemoteName,
  added: Readonly<Record<string, string>>,
  value: string,
): Promise<unknown> {
  const { ada, eve } = world.people
  const browser = world.browser('eve')
  for (const person of [ada, eve]) world.prove(browser, person, provider)
  const url = await startWith(world, browser, provider, added, `starts a sign-in as ${value}`)
  // An application that refuses the request may have kept the parameters.
  await browser.arrive(
    url
      ? await consentTo(world, provider, url, subjectOf(eve, provider))
      : await browser.visit(provider, eve),
  )
  const shown = await readUser(world, browser, { says: 'reads the session' })
  world.assume(shown !== undefined, `${eve.name} is not signed in after a start as ${value}`)
  return shown
}

/** Returns a name with which alone the condition holds, if there is one. */
async function narrow(
  names: readonly string[],
  holds: (names: readonly string[]) => Promise<boolean>,
): Promise<string> {
  let left = names
  while (left.length > 1) {
    const half = left.slice(0, Math.ceil(left.length / 2))
    left = (await holds(half)) ? half : left.slice(half.length)
  }
  return left[0] ?? ''
}

/** Returns the user whom a request of a browser without a session shows, if it names one. */
async function readStranger(world: World, provider: RemoteName, by: string): Promise<unknown> {
  const { ada } = world.people
  const pairs = userNames.map((name) => [name, ada.address[provider]] as const)
  const browser = world.browser('eve')
  world.prove(browser, ada, provider)
  const says = 'reads the session without one'
  if (by === 'the query') return readUser(world, browser, { query: Object.fromEntries(pairs), says })
  if (by !== 'cookies') return undefined
  const cookie = pairs.map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join('; ')
  return readUser(world, browser, { headers: { cookie }, says })
}

/** Reads the session with values added to the query or to the cookies. */
function readWith(
  world: World,
  browser: Browser,
  by: string,
  added: Readonly<Record<string, string>>,
  says: string,
): Promise<unknown> {
  const cookies = Object.entries({ ...added, ...browser.cookies() })
  const cookie = cookies.map(([name, text]) => `${name}=${encodeIf(text)}`).join('; ')
  return readUser(world, browser, {
    ...(by === 'cookies' && { headers: { cookie } }),
    ...(by === 'the query' && { query: added }),
    says,
  })
}

/** Returns the one name with which the value makes the application answer as another user. */
async function findName(
  world: World,
  browser: Browser,
  by: 'the query' | 'cookies',
  value: string,
  address: string,
): Promise<string | undefined> {
  for (const name of userNames) {
    const says = `reads the session, with ${value} in ${by} as ${name} only`
    if ((await readWith(world, browser, by, { [name]: value }, says)) === address) return name
  }
  return undefined
}

function describeTaken(world: World, by: string, name: string | undefined, value: string): string {
  const { ada, eve } = world.people
  const answers = `makes the application answer ${eve.name} as ${ada.name}`
  const { path, sending } = describedBy(world).sessionRequest
  if (name === undefined) return `${by} with ${JSON.stringify(value)} as the user ${answers}`
  const added = `${by === 'cookies' ? 'the cookie ' : ''}${name}=${value}`
  return `adding ${added} to ${sending.method ?? 'GET'} ${path} ${answers}`
}

/** Returns the texts that name a person at a provider. */
function namesOf(person: Person, provider: RemoteName): readonly string[] {
  return [person.address[provider], `${person.name}-at-${provider}`, person.name]
}

/** Names one person where a text names another. */
function rewriteFor(from: Person, to: Person, provider: RemoteName): Rewrite {
  return (text) =>
    namesOf(from, provider).reduce(
      (changed, name, at) => changed.replaceAll(name, namesOf(to, provider)[at] ?? name),
      text,
    )
}

/** Returns the id in a signed cookie, as Express writes it: `s:id.signature`. */
function idIn(value: string): string {
  return value.replace(/^s:/, '').split('.')[0] ?? value
}

/** Encodes a text that a cookie cannot contain. */
function encodeIf(text: string): string {
  return /^[\w!#$%&'()*+./:<=>?@[\]^`{|}~-]*$/.test(text) ? text : encodeURIComponent(text)
}

function decodeIf(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
