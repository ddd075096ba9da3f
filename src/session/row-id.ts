/**
 * The codec of the id of a session row. It is the text that `session.generateSessionToken` returned, followed by notes about
 * the session, because every store keeps the id and no client can change it. `spec/sources.md` has the grammar, in "Note: Ids
 * of session rows".
 */
import { type CookieScope, defaultScope, isSameScope, nameScope } from '../cookies/scope.ts'
import type { Authentication } from '../types/authentication.ts'

/** The notes in the id of a session row. A note without information is absent. */
export interface RowNotes {
  /** The scope of the cookie, unless it is the default. */
  readonly scope?: CookieScope | undefined
  readonly authentication?: Authentication | undefined
  readonly opening?: RowOpening | undefined
  /** The idle lifetime that the application chose, in seconds. */
  readonly maxAge?: number | undefined
  /** When the user signed in, in seconds since 1970, if sessions have an absolute end. */
  readonly since?: number | undefined
}

/** The session at an OpenID provider. The id contains the start of both keys. */
export interface RowOpening {
  readonly account: string
  readonly part: string
  /** Seconds since 1970. */
  readonly issuedAt: number
}

/** Characters of each key: enough to tell apart the sessions of one user. */
const keyLength = 16
/** Characters with the scope, which leave room for the other notes in a column of 255. */
const scopedLength = 160

/** Adds the notes to a generated id. Leaves out a scope that the id could not contain. */
export function nameRow(
  generated: string,
  { scope, authentication, opening, maxAge, since }: RowNotes,
): string {
  const scoped = scope ? nameRowScope(generated, scope) : generated
  return [
    scoped,
    authentication && writeAuthentication(authentication),
    opening && `.op${opening.issuedAt.toString(36)}.${shorten(opening.account)}.${shorten(opening.part)}`,
    maxAge === undefined ? '' : `.max${maxAge}`,
    since === undefined ? '' : `.at${since}`,
  ].join('')
}

/** Returns the start of a key, as the id contains it. */
export function shorten(key: string): string {
  return key.slice(0, keyLength)
}

function nameRowScope(generated: string, scope: CookieScope): string {
  const { domain = '', path = '/', partitioned } = scope
  if (nameScope(scope) === defaultScope) return generated
  const named = `${generated}.in~${domain}~${path}~${partitioned ? 'p' : ''}`
  const isReadable = named.length <= scopedLength && isSameScope(parseRow(named).scope ?? {}, scope)
  return isReadable ? named : generated
}

function writeAuthentication({ amr = [], auth_time = 0 }: Authentication): string {
  return `.amr-${amr.join('-')}.${auth_time.toString(36)}`
}

/** In a database that ignores case, the id in a cookie may differ from that of the row in case. */
const grammar = new RegExp(
  [
    String.raw`(?:\.in~(?<domain>[\w.-]*)~(?<path>/[^~;,\s]*)~(?<partitioned>p?))?`,
    String.raw`(?:\.amr-(?<amr>[a-z-]*)\.(?<time>[\da-z]+))?`,
    String.raw`(?:\.op(?<issuedAt>[\da-z]+)\.(?<account>[\w-]{16})\.(?<part>[\w-]{16}))?`,
    String.raw`(?:\.max(?<maxAge>\d+))?`,
    String.raw`(?:\.at(?<since>\d+))?$`,
  ].join(''),
  'i',
)

/** Reads the notes in the id of a session row. Text of any other form has none. */
export function parseRow(sessionToken: string): RowNotes {
  const found: Readonly<Record<string, string | undefined>> = grammar.exec(sessionToken)?.groups ?? {}
  const { domain, path, partitioned, amr, time = '', issuedAt = '', account, part, maxAge, since } = found
  return {
    scope: path ? { domain: domain || undefined, path, partitioned: partitioned !== '' } : undefined,
    authentication: amr
      ? { amr: amr.toLowerCase().split('-'), auth_time: Number.parseInt(time, 36) }
      : undefined,
    opening: account && part ? { account, part, issuedAt: Number.parseInt(issuedAt, 36) } : undefined,
    maxAge: maxAge === undefined ? undefined : Number(maxAge),
    since: since === undefined ? undefined : Number(since),
  }
}
