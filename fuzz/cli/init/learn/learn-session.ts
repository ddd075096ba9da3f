import type { Browser } from '../../../world/browser.ts'
import { ownerOf } from '../../../world/people.ts'
import type { World } from '../../../world/world.ts'
import { readActions } from './read-actions.ts'
import { open, type Seen } from './visit.ts'

/** The page or API that shows who is signed in. */
export interface ShownSession {
  /** The path, without the base path. */
  readonly path: string
  /** The member of its JSON, or its text around `{user}`. */
  readonly user: string
}

/** Where applications show who is signed in. */
const places = [
  '/me',
  '/api/me',
  '/session',
  '/api/session',
  '/user',
  '/api/user',
  '/profile',
  '/whoami',
  '/userinfo',
  '/account',
  '/dashboard',
  '/auth/session',
  '/api/auth/session',
  '/api/auth/get-session',
  '/auth/me',
]

/** Finds the page or API that shows the address, the name or the subject of the user, and nothing without a session. */
export async function learnSession(
  world: World,
  browser: Browser,
  landing: Seen,
): Promise<ShownSession | undefined> {
  const linked = readActions(landing.reply.text, landing.url)
    .filter(
      ({ method, says, url }) => method === 'GET' && !/log.?out|sign.?out/i.test(`${says} ${url.pathname}`),
    )
    .map(({ url }) => url.pathname)
  const own = [landing.url.pathname, `${world.basePath}/`, ...linked].filter((path) =>
    path.startsWith(world.basePath),
  )
  const paths = new Set([...places, ...own.map((path) => path.slice(world.basePath.length))])
  let onPage: ShownSession | undefined
  for (const path of paths) {
    const { reply, url } = await open(world, browser, `${world.basePath}${path}`)
    if (reply.status !== 200 || url.pathname !== `${world.basePath}${path}`) continue
    const member = findMember(reply.json)
    if (member !== undefined) return { path, user: member }
    const text = findText(reply.text)
    if (text !== undefined && reply.json === undefined) onPage ??= { path, user: text }
  }
  return onPage
}

/** Returns the path of the member with the user, an address if there is one. */
function findMember(json: unknown): string | undefined {
  const leaves = listLeaves(json)
  const find = (test: (value: string) => boolean) => leaves.find(([, value]) => test(value))?.[0]
  return (
    find((value) => ownerOf(value) !== undefined) ??
    find((value) => /^ada-at-\w+$/.test(value)) ??
    find((value) => value === 'ada')
  )
}

function listLeaves(
  value: unknown,
  path: readonly string[] = [],
): readonly (readonly [path: string, value: string])[] {
  if (typeof value === 'string') return [[path.join('.'), value]]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, each]) =>
    name.includes('.') ? [] : listLeaves(each, [...path, name]),
  )
}

/** Returns the text of a page around the user: `Hello, <b>{user}</b>`. */
function findText(page: string): string | undefined {
  const found = /ada(?:@\w+\.example|-at-(?:alpha|beta|plain))/.exec(page)
  if (!found) return undefined
  const line = page.slice(Math.max(0, found.index - 60), found.index)
  const [before = ''] = /(?:[^<>\n]*<[^<>\n]*>)?[^<>\n]*$/.exec(line) ?? []
  const rest = page.slice(found.index + found[0].length)
  const [after = ''] = /^(?:<\/\w+>|[^<>\s]{0,3})/.exec(rest) ?? []
  return before.trim() === '' ? undefined : `${before.trimStart()}{user}${after}`
}

/** Finds the cookie without which nobody is signed in. @returns its name, without a prefix, and its value */
export async function learnCookie(
  browser: Browser,
  isSignedIn: () => Promise<boolean>,
): Promise<{ readonly name: string; readonly value: string } | undefined> {
  const saved = browser.save()
  for (const [key, value] of Object.entries(browser.cookies())) {
    browser.restore(saved)
    browser.dropCookie(key)
    if (key in browser.cookies() || (await isSignedIn())) continue
    browser.restore(saved)
    return { name: key.replace(/^__(?:Host|Secure)-/, '').replace(/\.0$/, ''), value }
  }
  browser.restore(saved)
  return undefined
}
