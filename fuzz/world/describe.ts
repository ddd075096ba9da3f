import { isCleared, type Reply } from './reply.ts'

interface Described {
  readonly by: string
  readonly says?: string | undefined
  readonly request: Request
  readonly reply: Reply
  readonly cookie: string
  /** What the request carries that an ordinary one does not. */
  readonly unusual?: readonly string[]
}

/** Describes a request and its response in one readable line. */
export function describeExchange({ by, says, request, reply, cookie, unusual = [] }: Described): string {
  const { pathname, search } = new URL(request.url)
  const carried = cookie === '' ? ' without cookies' : ''
  const added = unusual.length > 0 ? ` with ${unusual.join(', ')}` : ''
  const act = says ? `${by} ${says}` : `${by} sends a request`
  return `${act}: ${request.method} ${pathname}${search}${carried}${added} → ${describeReply(reply)}`
}

function describeReply({ status, location, cookies, failure, json, text }: Reply): string {
  if (failure !== undefined) return `no response (${failure})`
  const now = Date.now()
  const set = cookies.filter((cookie) => !isCleared(cookie, now)).map(({ key }) => key)
  const cleared = cookies.filter((cookie) => isCleared(cookie, now)).map(({ key }) => key)
  return [
    String(status),
    location && `to ${location.href}`,
    json !== undefined && shorten(text),
    set.length > 0 && `sets ${set.join(', ')}`,
    cleared.length > 0 && `clears ${cleared.join(', ')}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
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
