import { secret } from '../targets/configure.ts'
import type { Scene } from './scene.ts'
import type { Origin, Terms } from './terms.ts'
import type { Truth } from './truth.ts'

/** Seconds of the actions that let time pass: longer than a check value, than a link, and than a session. */
export const pauses = { short: 20 * 60, day: 25 * 3600, month: 31 * 86_400 } as const

/** A state as text in which random values have names and times are relative, so that equal states have equal texts. */
export interface Description {
  readonly text: string
  /** The origins of the random values in it. */
  readonly origins: ReadonlyMap<string, Origin>
}

/** Compact serialisations: of JWE with five parts, and of JWS with three. */
const compact = /eyJ[\w-]*\.[\w-]*\.[\w-]+(?:\.([\w-]+)\.[\w-]+)?/
/** Dates, seconds since 1970 (in decimal or base 36), milliseconds, and time steps of one-time passwords. */
const moment =
  /\d{4}-\d\d-\d\dT[\d:.]+Z|(?<![\w+/-])(?:[1-9]\d{9}(?:\d{3})?|6[3-9]\d{6}|[vw][\da-z]{5})(?![\w+/=-])/
const wholeMoment = new RegExp(`^(?:${moment.source})$`)
/** The moment at which a provider opened a session, in the id of its row. */
const momentOfRow = /^(op)([vw][\da-z]{5})$/
const word = /[\w+/-]{6,}={0,2}/
const pattern = new RegExp(`${compact.source}|${moment.source}|${word.source}`, 'g')

/**
 * Describes everything that determines the behaviour of the application: rows, cookies, and the knowledge of the
 * people.
 */
export function describeState({ world, browsers, revocations, truth }: Scene, terms: Terms): Description {
  const origins = new Map<string, Origin>()
  const now = world.clock.now()
  /**
   * The moments before which tokens may have ended. They are in the records of second factors and in lists of
   * revocations.
   */
  const ends = new Set<number>()
  const noteEnds = (rows: readonly object[]) => list(rows, (time) => time <= now && ends.add(time))
  const resolve = (text: string, depth = 0, note?: (time: number) => unknown): string =>
    text.replaceAll(secret, ' (secret) ').replace(pattern, (found, ciphertext: string | undefined) => {
      if (found.startsWith('eyJ')) return resolveCompact(found, ciphertext, depth, note)
      if (wholeMoment.test(found)) {
        // A time step of eight digits is that of a code.
        if (found.length !== 8) note?.(readTime(found))
        return describeTime(readTime(found), now)
      }
      const origin = lookUp(found)
      if (!origin)
        return found.replace(
          momentOfRow,
          (_, name: string, time: string) => name + describeTime(readTime(time), now),
        )
      if (origin.kind === 'hash' && depth < 6) return `#(${resolve(origin.of, depth + 1)})`
      return `«${origin.kind === 'drawn' ? origin.atom : found}»`
    })
  const codes = listCodes(truth)
  const lookUp = (text: string): Origin | undefined => {
    const origin = terms.find(text) ?? (codes.has(text) ? { kind: 'drawn', atom: text } : undefined)
    if (origin) origins.set(text, origin)
    return origin
  }
  const resolveCompact = (
    found: string,
    ciphertext: string | undefined,
    depth: number,
    note: ((time: number) => unknown) | undefined,
  ): string => {
    if (ciphertext === undefined) {
      const [, payload = ''] = found.split('.')
      return `signed(${resolve(withoutTimes(Buffer.from(payload, 'base64url').toString()), depth + 1)})`
    }
    const origin = lookUp(ciphertext)
    if (origin?.kind !== 'sealed') return `«${found}»`
    const [, issued] = /"iat":(\d{10})/.exec(origin.holds) ?? []
    const age = issued === undefined || note ? '' : ` ‹${Number(issued) * 1000}›`
    return `sealed(${resolve(withoutTimes(origin.holds), depth + 1, note)}${age})`
  }
  const list = (rows: readonly object[], note?: (time: number) => unknown) =>
    rows
      .map((row) => resolve(JSON.stringify(row), 0, note))
      .toSorted((a, b) => compare(withoutNames(a), withoutNames(b)))
      .join('\n')

  const { users, accounts, sessions, links, credentials, passwords, factors, records } = world.rows
  const alive = <T extends { readonly expires: Date }>(rows: readonly T[]) =>
    rows.filter(({ expires }) => expires.getTime() > now)
  const parts = [
    ...[users, accounts, alive(sessions), alive(links)].map((rows) => list(rows)),
    ...[credentials.map(({ credentialPublicKey: _, ...row }) => row), passwords].map((rows) => list(rows)),
    ...[factors, records].map(noteEnds),
    noteEnds([...revocations].filter(([, { expires }]) => expires > now)),
    ...[...browsers].map(
      ([name, browser]) => `${name}: ${resolve(showCookies(Object.entries(browser.cookies())))}`,
    ),
    resolve(JSON.stringify(truth, leaveOutJars)),
  ]
  return { text: showEnded(nameAtoms(parts.join('\n\n')), ends), origins }
}

/** A saved jar is described by its cookies. */
function leaveOutJars(key: string, value: unknown): unknown {
  if (key !== 'jar') return value
  const { cookies } = value as {
    readonly cookies: readonly { readonly key?: string; readonly value?: string }[]
  }
  return showCookies(cookies.map((cookie) => [cookie.key ?? '', cookie.value ?? '']))
}

/** A value that is divided into several cookies counts as one cookie, and an empty cookie counts as none. */
function showCookies(cookies: readonly (readonly [name: string, value: string])[]): string {
  const whole = new Map<string, string>()
  for (const [name, value] of cookies.toSorted(([a], [b]) => compare(a, b))) {
    const [, base = name] = /^(.+)\.\d+$/.exec(name) ?? []
    whole.set(base, (whole.get(base) ?? '') + decodeURIComponent(value))
  }
  return [...whole]
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
}

/** Codes are derived from random values, which their digits do not show. */
function listCodes({ users, mails }: Truth): ReadonlySet<string> {
  const apps = Object.values(users).flatMap(({ app, formerApp }) => [app?.lastCode, formerApp?.lastCode])
  return new Set([...mails.map(({ token }) => token), ...apps].filter((code) => code !== undefined))
}

/** Says whether something ended after a token was issued, because this determines whether the token still works. */
function showEnded(text: string, ends: ReadonlySet<number>): string {
  const last = Math.max(0, ...ends)
  return text.replaceAll(/‹(\d+)›/g, (_, issued: string) => (last >= Number(issued) ? 'before an end' : ''))
}

/** Omits the time at which a token was issued, because `exp` and the other claims determine its effect. */
function withoutTimes(json: string): string {
  return json.replace(/"(?:iat|nbf|at_hash)":(?:\d+|"[^"]*"),?/g, '')
}

/** Says during which of the three pauses a moment will pass, or how long ago it was. */
function describeTime(time: number, now: number): string {
  const left = (time - now) / 1000
  // Several pauses in a row can pass only a moment that is near.
  if (left > 0 && left <= 5 * pauses.short) return `<in ${Math.ceil(left / pauses.short)} short>`
  const [name] = Object.entries(pauses).find(([, seconds]) => Math.abs(left) <= seconds) ?? ['longer']
  return left > 0 ? `<in ${name}>` : `<${Math.abs(left) <= 900 ? 'now' : name} ago>`
}

function readTime(text: string): number {
  return text.endsWith('Z') ? Date.parse(text) : readNumber(text)
}

/** Returns the milliseconds of a number by its length: seconds in base 36, time steps, seconds or milliseconds. */
function readNumber(text: string): number {
  if (text.length === 6) return Number.parseInt(text, 36) * 1000
  if (text.length === 8) return Number(text) * 30_000
  return text.length === 10 ? Number(text) * 1000 : Number(text)
}

const withoutNames = (text: string) => text.replaceAll(/«[^»]*»/g, '«»')

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Names random values in the order in which they first appear. */
function nameAtoms(text: string): string {
  const names = new Map<string, number>()
  return text.replaceAll(/«([^»]*)»/g, (_, atom: string) => {
    const name = names.get(atom) ?? names.size
    names.set(atom, name)
    return `«${name}»`
  })
}
