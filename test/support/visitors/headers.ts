import { valuesOf, type Received } from './exchange.ts'
import type { Exchange } from './ledger.ts'
import { markPattern, parseSetCookie } from './visitor.ts'

/** Headers of the connection, and the length of the body. */
const ignored = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding'])

/** Headers whose values depend on the time or the body. */
const varying = new Set(['age', 'date', 'etag'])

/**
 * Returns the cookies that a response sets twice. Cookies with different domains, paths or partitions are different
 * cookies.
 */
export function findRepeatedCookies(received: Received): string[] {
  const cookies = valuesOf(received, 'set-cookie').map((line) => parseSetCookie(line))
  const identities = cookies.map(({ name, attributes }) =>
    [name, ...(attributes.match(/\b(?:domain|path)=[^;]*|\bpartitioned\b/gi) ?? [])].join('; ').toLowerCase(),
  )
  return cookies
    .filter((_, index) => identities.indexOf(identities[index] ?? '') !== index)
    .map(({ name }) => `sets ${name} twice`)
}

/** Compares the headers of each response with those of the first response to the same request. */
export function createHeaderCheck(): (exchange: Exchange) => string[] {
  const first = new Map<string, { readonly label: string; readonly lines: readonly string[] }>()
  return ({ kind, cookieNames, label, received }) => {
    const key = [kind.name, ...cookieNames].join(' ')
    const lines = describe(received)
    const before = first.get(key)
    if (!before) {
      first.set(key, { label, lines })
      return []
    }
    const added = lines.filter((line, index) => count(lines, line, index) > count(before.lines, line))
    const missing = before.lines.filter(
      (line, index) => count(before.lines, line, index) > count(lines, line),
    )
    return [
      ...added.map((line) => `has a header that ${before.label} does not have: ${line}`),
      ...missing.map((line) => `lacks a header of ${before.label}: ${line}`),
    ]
  }
}

/** Counts how often a line occurs up to and including an index. */
function count(lines: readonly string[], line: string, last = lines.length): number {
  return lines.filter((each, index) => each === line && index <= last).length
}

/** Describes a response by its status and its headers, without the parts that vary. */
function describe({ status, headers }: Received): string[] {
  const lines = headers
    .filter(([name]) => !ignored.has(name))
    .map(([name, value]) => `${name}: ${varying.has(name) ? '…' : constantPart(name, value)}`)
  return [`status ${status}`, ...lines]
}

function constantPart(name: string, value: string): string {
  if (name !== 'set-cookie') return value.replace(markPattern, '…').replace(/[\w.-]{32,}/g, '…')
  const cookie = parseSetCookie(value)
  const attributes = cookie.attributes.replace(/Expires=[^;]*/, 'Expires=…')
  return `${cookie.name}=${cookie.value === '' ? '' : '…'}; ${attributes}`
}
