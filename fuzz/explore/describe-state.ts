import { secret } from '../targets/configure.ts'
import type { Scene } from './scene.ts'
import type { Origin, Terms } from './terms.ts'

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
/** Dates; seconds since 1970, also in base 36, or milliseconds; and time steps of one-time passwords. */
const moment = /\d{4}-\d\d-\d\dT[\d:.]+Z|\b[1-9]\d{9}(?:\d{3})?\b|\b6[3-9]\d{6}\b|\b[vw][\da-z]{5}\b/
const wholeMoment = new RegExp(`^(?:${moment.source})$`)
const word = /[\w+/-]{6,}={0,2}/
const pattern = new RegExp(`${compact.source}|${moment.source}|${word.source}`, 'g')

/** Describes everything that decides what the application will do: rows, cookies, and what people know. */
export function describeState({ world, browsers, revocations, truth }: Scene, terms: Terms): Description {
  const origins = new Map<string, Origin>()
  const now = world.clock.now()
  const resolve = (text: string, depth = 0): string =>
    text.replaceAll(secret, ' (secret) ').replace(pattern, (found, ciphertext: string | undefined) => {
      if (found.startsWith('eyJ')) return resolveCompact(found, ciphertext, depth)
      if (wholeMoment.test(found)) return describeTime(found, now)
      const origin = lookUp(found)
      if (!origin) return found
      if (origin.kind === 'hash' && depth < 6) return `#(${resolve(origin.of, depth + 1)})`
      return `«${found}»`
    })
  const lookUp = (text: string) => {
    const origin = terms.find(text)
    if (origin) origins.set(text, origin)
    return origin
  }
  const resolveCompact = (found: string, ciphertext: string | undefined, depth: number): string => {
    if (ciphertext === undefined) {
      const [, payload = ''] = found.split('.')
      return `signed(${resolve(withoutTimes(Buffer.from(payload, 'base64url').toString()), depth + 1)})`
    }
    const origin = lookUp(ciphertext)
    if (origin?.kind !== 'sealed') return `«${found}»`
    return `sealed(${resolve(withoutTimes(origin.holds), depth + 1)})`
  }
  const list = (rows: readonly object[]) =>
    rows
      .map((row) => resolve(JSON.stringify(row)))
      .toSorted((a, b) => compare(withoutNames(a), withoutNames(b)))
      .join('\n')

  const { users, accounts, sessions, links, credentials, passwords, factors, records } = world.rows
  const alive = <T extends { readonly expires: Date }>(rows: readonly T[]) =>
    rows.filter(({ expires }) => expires.getTime() > now)
  const parts = [
    ...[users, accounts, alive(sessions), alive(links)].map(list),
    ...[credentials.map(({ credentialPublicKey: _, ...row }) => row), passwords, factors, records].map(list),
    list([...revocations].filter(([, { expires }]) => expires > now)),
    ...[...browsers].map(
      ([name, browser]) => `${name}: ${resolve(showCookies(Object.entries(browser.cookies())))}`,
    ),
    resolve(JSON.stringify(truth, leaveOutJars)),
  ]
  return { text: nameAtoms(parts.join('\n\n')), origins }
}

/** A saved jar is described by its cookies. */
function leaveOutJars(key: string, value: unknown): unknown {
  if (key !== 'jar') return value
  const { cookies } = value as {
    readonly cookies: readonly { readonly key?: string; readonly value?: string }[]
  }
  return showCookies(cookies.map((cookie) => [cookie.key ?? '', cookie.value ?? '']))
}

function showCookies(cookies: readonly (readonly [name: string, value: string])[]): string {
  return cookies.map(([name, value]) => `${name}=${decodeURIComponent(value)}`).join('; ')
}

/** Leaves out when a token was issued: its `exp` and its other claims decide what it does. */
function withoutTimes(json: string): string {
  return json.replace(/"(?:iat|nbf|at_hash)":(?:\d+|"[^"]*"),?/g, '')
}

/** Says in which of the three pauses a moment will be over, or how long ago it was. */
function describeTime(text: string, now: number): string {
  const time = text.endsWith('Z') ? Date.parse(text) : readNumber(text)
  const left = (time - now) / 1000
  const [name] = Object.entries(pauses).find(([, seconds]) => Math.abs(left) <= seconds) ?? ['longer']
  return left > 0 ? `<in ${name}>` : `<${Math.abs(left) <= 900 ? 'now' : name} ago>`
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

/** Names each random value by the order of first appearance. */
function nameAtoms(text: string): string {
  const names = new Map<string, number>()
  return text.replaceAll(/«([^»]*)»/g, (_, atom: string) => {
    const name = names.get(atom) ?? names.size
    names.set(atom, name)
    return `«${name}»`
  })
}
