import type { RemoteName } from '../../../world/people.ts'
import type { World } from '../../../world/world.ts'
import { readActions, type Action } from './read-actions.ts'
import { act, consent, open, providerOf, type Seen } from './visit.ts'

/** A way to start a sign-in, and the provider to which it leads. */
export interface SignIn {
  readonly provider: RemoteName
  readonly action: Action
  /** The page with the form. */
  readonly page: string
  readonly callback: URL
}

/** Pages on which applications offer to sign in. */
const pages = [
  '/',
  '/login',
  '/signin',
  '/sign-in',
  '/auth/login',
  '/auth/signin',
  '/account/login',
  '/accounts/login/',
  '/users/sign_in',
]

/** Paths that start a sign-in without a page. */
const starts = [
  '/login/alpha',
  '/auth/alpha',
  '/auth/signin/alpha',
  '/oauth2/authorization/alpha',
  '/accounts/oidc/alpha/login/',
]

const isSignIn = /log.?in|sign.?in|enter|auth|sso|oidc|continue|connect|alpha|beta|plain/i
const isOther = /log.?out|sign.?out|sign.?up|regist|delete|forgot|reset/i

/** Maximum number of links and buttons to try. */
const maxActions = 40

/** Finds the links and buttons that lead to the oracle's providers. */
export async function learnSignIn(world: World): Promise<readonly SignIn[]> {
  const found: SignIn[] = []
  const tried = new Set<string>()
  const note = (action: Action, page: string, { reply }: Seen) => {
    const provider = providerOf(world, reply)
    const callback = reply.location?.searchParams.get('redirect_uri') ?? ''
    if (!provider || !URL.canParse(callback)) return
    if (found.some((each) => each.provider === provider)) return
    found.push({ provider, action, page, callback: new URL(callback) })
  }
  const visit = async (path: string) => {
    const browser = world.browser()
    const seen = await open(world, browser, `${world.basePath}${path}`)
    const url = new URL(`${world.basePath}${path}`, world.origin)
    note({ says: path, method: 'GET', url, fields: {}, hidden: [] }, path, seen)
    if (seen.reply.status !== 200) return
    const saved = browser.save()
    const actions = readActions(seen.reply.text, seen.url)
      .filter(({ says, url: { pathname } }) => !isOther.test(`${says} ${pathname}`))
      // Other forms ask the visitor for something, such as an address or a password.
      .filter(({ fields, hidden }) =>
        Object.keys(fields).every((name) => hidden.includes(name) || fields[name] !== ''),
      )
      .toSorted((a, b) => Number(looksLikeSignIn(b)) - Number(looksLikeSignIn(a)))
    for (const action of actions) {
      const key = JSON.stringify([
        action.method,
        action.url.href,
        Object.entries(action.fields).filter(([name]) => !action.hidden.includes(name)),
      ])
      if (tried.has(key) || tried.size >= maxActions) continue
      tried.add(key)
      browser.restore(saved)
      note(action, seen.url.pathname, await act(world, browser, action))
    }
  }
  for (const path of pages) {
    await visit(path)
    if (found.length > 1) break
  }
  if (found.length === 0) for (const path of starts) await visit(path)
  return found
}

function looksLikeSignIn({ says, url, fields }: Action): boolean {
  return isSignIn.test(`${says} ${url.pathname} ${Object.values(fields).join(' ')}`)
}

/** The names by which applications take the page to return to. */
const returnNames = [
  'next',
  'returnTo',
  'return_to',
  'returnUrl',
  'redirect',
  'redirectTo',
  'redirect_to',
  'redirect_uri',
  'callbackUrl',
  'callbackURL',
  'continue',
  'back',
  'target',
  'from',
  'goto',
  'rd',
  'return',
  'destination',
  'origin',
]

/** Pages to return to. Applications may accept plain words only. */
const targets = ['/welcome', '/there'] as const

/**
 * Finds the parameter that chooses the page after a sign-in.
 *
 * @param landing the path of the page without it
 * @returns its name, and its value in a description
 */
export async function learnReturn(
  world: World,
  signIn: SignIn,
  landing: string,
): Promise<readonly [name: string, value: string] | undefined> {
  const wanted = landing === targets[0] ? targets[1] : targets[0]
  for (const [value, placeholder] of [
    [wanted, '{returnTo}'],
    [`${world.origin}${wanted}`, '{origin}{returnTo}'],
  ] as const) {
    // One sign-in with all names tells whether one of them works.
    if (!(await returnsWith(world, signIn, returnNames, value))) continue
    for (const name of returnNames)
      if (await returnsWith(world, signIn, [name], value)) return [name, placeholder]
  }
  return undefined
}

async function returnsWith(
  world: World,
  signIn: SignIn,
  names: readonly string[],
  value: string,
): Promise<boolean> {
  const browser = world.browser()
  const { action } = await renew(world, browser, signIn)
  const fields = { ...action.fields, ...Object.fromEntries(names.map((name) => [name, value])) }
  const seen = await consent(world, browser, await act(world, browser, { ...action, fields }))
  return seen?.url.pathname === new URL(value, world.origin).pathname
}

/** Reads the form of a sign-in again, because its CSRF token belongs to a browser. */
export async function renew(
  world: World,
  browser: ReturnType<World['browser']>,
  signIn: SignIn,
): Promise<{ readonly action: Action; readonly csrf: string | undefined }> {
  const { action, page } = signIn
  if (action.method === 'GET') return { action, csrf: undefined }
  const { reply, url } = await open(world, browser, page)
  const same = readActions(reply.text, url).find(
    (each) => each.method === action.method && each.url.href === action.url.href && each.says === action.says,
  )
  if (!same) return { action, csrf: undefined }
  const csrf = same.hidden.find((name) => same.fields[name] !== action.fields[name])
  return { action: same, csrf }
}
