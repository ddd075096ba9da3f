import type { RemoteName } from './people.ts'

/** A request to a provider, with shortened secrets, and its response. */
export interface Visit {
  readonly kind: 'request'
  /** Milliseconds since 1970. */
  readonly at: number
  readonly provider: RemoteName
  readonly method: string
  readonly path: string
  /** The client's authentication, and the parameters of the query and the form. */
  readonly parameters: readonly Pair[]
  readonly status: number
  /** Where the response redirects, or why the provider refused the request. */
  readonly says: string
}

/** A mail, with all its links. */
export interface Letter {
  readonly kind: 'mail'
  /** Milliseconds since 1970. */
  readonly at: number
  readonly to: readonly string[]
  readonly subject: string
  readonly links: readonly string[]
}

export type Entry = Visit | Letter
type Pair = readonly [name: string, value: string]

/** Records an application's requests and mails, for a developer to read. */
export interface Journal {
  /** The last entries, in order. */
  readonly entries: readonly Entry[]
  readonly noteRequest: (
    provider: RemoteName,
    request: Request,
    body: string,
    response: Response,
  ) => Promise<void>
  readonly noteMail: (mail: Pick<Letter, 'to' | 'subject' | 'links'>) => void
}

/** Maximum number of entries. */
const maxEntries = 500
/** Maximum characters of a value. */
const maxLength = 200

const secrets = /^(?:code|state|nonce|request_uri|.*(?:token|secret|verifier|challenge|assertion))$/

/** Opens an empty journal. */
export function openJournal(now: () => number = Date.now): Journal {
  const entries: Entry[] = []
  const add = (entry: Entry) => {
    entries.push(entry)
    if (entries.length > maxEntries) entries.shift()
  }
  return {
    entries,
    async noteRequest(provider, request, body, response) {
      const { pathname, searchParams } = new URL(request.url)
      const parameters = [
        ...readAuthorization(request.headers.get('authorization')),
        ...shortenAll(searchParams),
        ...shortenAll(new URLSearchParams(body)),
      ]
      const { method } = request
      const { status } = response
      const says = await describeResponse(response)
      add({ kind: 'request', at: now(), provider, method, path: cut(pathname), parameters, status, says })
    },
    noteMail: (mail) => add({ kind: 'mail', at: now(), ...mail }),
  }
}

function readAuthorization(header: string | null): Pair[] {
  if (header === null) return []
  const [scheme = '', credentials = ''] = header.split(' ')
  const [id, secret] = scheme === 'Basic' ? Buffer.from(credentials, 'base64').toString().split(':') : []
  if (id === undefined || secret === undefined)
    return [['authorization', `${cut(scheme)} ${shorten(credentials)}`]]
  return [['authorization', `Basic ${cut(id)}:${shorten(secret)}`]]
}

function shortenAll(parameters: URLSearchParams): Pair[] {
  return [...parameters].map(([name, value]) => [cut(name), secrets.test(name) ? shorten(value) : cut(value)])
}

async function describeResponse(response: Response): Promise<string> {
  const { status, headers } = response
  const location = headers.get('location')
  if (location !== null && URL.canParse(location)) {
    const { origin, pathname, searchParams } = new URL(location)
    const sent = shortenAll(searchParams).map((pair) => pair.join('='))
    return `redirects to ${cut(`${origin}${pathname}`)} with ${sent.join(', ')}`
  }
  if (status < 400) return ''
  const text = await response.clone().text()
  if (!headers.get('content-type')?.includes('json')) return cut(text)
  const { error, error_description: description } = JSON.parse(text) as Record<string, string>
  return cut([error, description].filter(Boolean).join(': '))
}

/** Shortens a secret to its first characters, at most half of it. */
function shorten(secret: string): string {
  return secret === '' ? '' : `${secret.slice(0, Math.min(6, secret.length / 2))}…`
}

function cut(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
