import { isCleared, member, type Reply } from './reply.ts'

interface Described {
  readonly by: string
  readonly says?: string | undefined
  readonly request: Request
  readonly reply: Reply
  readonly cookie: string
  /** The session that the response shows, in the format of Auth.js. */
  readonly session?: unknown
  /** The parts of the request that an ordinary browser would not send. */
  readonly unusual?: readonly string[]
}

/** Describes a request and its response in one readable line. */
export function describeExchange({
  by,
  says,
  request,
  reply,
  cookie,
  session,
  unusual = [],
}: Described): string {
  const { pathname, search } = new URL(request.url)
  const carried = cookie === '' ? ' without cookies' : ''
  const added = unusual.length > 0 ? ` with ${unusual.join(', ')}` : ''
  const act = says ? `${by} ${says}` : `${by} sends a request`
  return `${act}: ${request.method} ${pathname}${search}${carried}${added} → ${describeReply(reply, session)}`
}

function describeReply({ status, location, cookies, failure, json, text }: Reply, session: unknown): string {
  if (failure !== undefined) return `no response (${failure})`
  const now = Date.now()
  const set = cookies.filter((cookie) => !isCleared(cookie, now)).map(({ key }) => key)
  const cleared = cookies.filter((cookie) => isCleared(cookie, now)).map(({ key }) => key)
  return [
    String(status),
    location && `to ${location.href}`,
    json !== undefined && shorten(text, session, json),
    set.length > 0 && `sets ${set.join(', ')}`,
    cleared.length > 0 && `clears ${cleared.join(', ')}`,
  ]
    .filter(Boolean)
    .join(', ')
}

/**
 * Returns a short text unchanged. Of a long text, returns the user of the session that it contains, or else its
 * beginning.
 */
function shorten(text: string, session: unknown, json: unknown): string {
  if (text.length <= shownLength) return text
  const name = member(session, 'user', 'email') ?? member(session, 'user', 'name')
  const id = findUserId(json)
  if (typeof name === 'string')
    return `the session of ${name}${id === undefined ? '' : ` with the user id ${id}`}`
  // A part of a secret would not be recognised as one.
  return `${/^.*[,{[]/s.exec(text.slice(0, shownLength))?.[0] ?? ''}…`
}

/** Characters of a body that a step quotes. */
const shownLength = 160

function findUserId(value: unknown, name = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, each] of Object.entries(value)) {
    if (/^(?:user_?id|sub)$/i.test(key) || (key === 'id' && name === 'user')) return JSON.stringify(each)
    const found = findUserId(each, key)
    if (found !== undefined) return found
  }
  return undefined
}

/** Writes a request as a shell command. */
export function describeCommand(request: Request, body: string): string {
  const fields = readFields(request, body)
  const headers = [...request.headers]
    .filter(([name]) => !fields || name !== 'content-type')
    .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  const data = body === '' ? [] : [`--data-raw ${quote(body)}`]
  return [
    'curl -si',
    // Without this, curl expands brackets and braces to several URLs.
    /[[\]{}]/.test(request.url) && '--globoff',
    request.method !== 'GET' && `-X ${request.method}`,
    ...headers,
    ...(fields?.map((field) => `--data-urlencode ${quote(field)}`) ?? data),
    quote(request.url),
  ]
    .filter(Boolean)
    .join(' ')
}

/**
 * Returns the fields of a form as curl encodes them, so that a script can insert the values of a new run.
 *
 * @returns nothing if the body is not a form, or is one that no browser sends
 */
function readFields(request: Request, body: string): string[] | undefined {
  if (request.headers.get('content-type') !== 'application/x-www-form-urlencoded' || body === '')
    return undefined
  const fields = new URLSearchParams(body)
  const isUsual = String(fields) === body && !body.includes('%00')
  return isUsual ? [...fields].map(([name, value]) => `${encodeURIComponent(name)}=${value}`) : undefined
}

/** Quotes a word for a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
