import { hash, timingSafeEqual } from 'node:crypto'
import * as app from '../application.ts'

/** A request that breaks a limit. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A request, read within the limits that the library documents. */
export interface Visit {
  readonly request: Request
  readonly query: URLSearchParams
  readonly cookies: ReadonlyMap<string, string>
  readonly form: Readonly<Record<string, string>>
}

const limits = {
  url: 16 * 1024,
  cookieHeader: 64 * 1024,
  cookie: 4096,
  callbackUrl: 2048,
  body: 100 * 1024,
  parts: 500,
  bodyPieces: 250,
  response: 256 * 1024,
  responsePieces: 4096,
  /** Milliseconds. */
  provider: 10_000,
  step: 30_000,
} as const

/** @throws Refused */
export async function readVisit(request: Request): Promise<Visit> {
  const start = request.url.indexOf('?')
  const search = start < 0 ? '' : request.url.slice(start + 1)
  if (request.url.length - app.origin.length > limits.url || countParts(search, '&') > limits.parts)
    throw new Refused(400, 'long URL')
  const cookies = readCookies(request.headers.get('cookie') ?? '')
  const form = request.method === 'POST' ? readForm(await readBody(request)) : noFields
  return { request, query: new URLSearchParams(search), cookies, form }
}

/** Keeps the first cookie of a name. @throws Refused */
function readCookies(header: string): ReadonlyMap<string, string> {
  if (header.length > limits.cookieHeader || countParts(header, ';') > limits.parts)
    throw new Refused(431, 'many cookies')
  const cookies = new Map<string, string>()
  for (const part of header.split(';')) {
    const equals = part.indexOf('=')
    const name = part.slice(0, Math.max(equals, 0)).trim()
    if (name !== '' && !cookies.has(name)) cookies.set(name, part.slice(equals + 1).trim())
  }
  return cookies
}

/** Reads a body without holding more than the limit in memory, and without waiting forever. @throws Refused */
async function readBody({ headers, body }: Request): Promise<string> {
  if (Number(headers.get('content-length')) > limits.body) throw new Refused(413, 'large body')
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (!body || type !== 'application/x-www-form-urlencoded') return ''
  return readStream(body, limits.step, { size: limits.body, pieces: limits.bodyPieces })
}

/** Reads text in UTF-8 within a deadline. @throws Refused */
async function readStream(
  body: ReadableStream<Uint8Array>,
  milliseconds: number,
  { size, pieces }: { readonly size: number; readonly pieces: number },
): Promise<string> {
  const reader = body.getReader()
  const stop = () => void reader.cancel().catch(() => {})
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    stop()
  }, milliseconds)
  const chunks: Uint8Array[] = []
  let left = size
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      left -= next.value.length
      if (left < 0 || chunks.push(next.value) > pieces) {
        stop()
        throw new Refused(413, 'large body')
      }
    }
  } finally {
    clearTimeout(timer)
  }
  if (isLate) throw new Refused(400, 'late body')
  return utf8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
}

/** Reads a form. A repeated field counts as missing. @throws Refused */
function readForm(text: string): Readonly<Record<string, string>> {
  if (countParts(text, '&') > limits.parts) throw new Refused(413, 'many fields')
  const fields = Object.create(null) as Record<string, string>
  const repeated: string[] = []
  try {
    for (const pair of text.split('&')) {
      const equals = pair.indexOf('=')
      const name = decodeField(equals < 0 ? pair : pair.slice(0, equals))
      if (name in fields) repeated.push(name)
      fields[name] = equals < 0 ? '' : decodeField(pair.slice(equals + 1))
    }
  } catch {
    throw new Refused(400, 'malformed form')
  }
  for (const name of repeated) delete fields[name]
  return fields
}

function decodeField(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

const noFields: Readonly<Record<string, string>> = Object.freeze({})
const utf8 = new TextDecoder('utf-8', { fatal: true })

function countParts(text: string, separator: string): number {
  let parts = 1
  for (
    let at = text.indexOf(separator);
    at >= 0 && parts <= limits.parts;
    at = text.indexOf(separator, at + 1)
  )
    parts++
  return parts
}

/** Returns a parameter of the query. @throws Refused when it is repeated */
export function readOnce({ query }: Visit, name: string): string {
  const [value = '', ...more] = query.getAll(name)
  if (more.length > 0) throw new Refused(400, `duplicate parameter: ${name}`)
  return value
}

/** Bounds the time of the application's own functions and of its store. */
export function inTime<T>(work: T | PromiseLike<T>): T | PromiseLike<T> {
  if (!(work instanceof Promise)) return work
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('too slow')), limits.step)
    const settle =
      <A>(end: (value: A) => void) =>
      (value: A) => {
        clearTimeout(timer)
        end(value)
      }
    work.then(settle(resolve), settle(reject))
  })
}

/**
 * Fetches a JSON object from the provider: no redirect, within a deadline, and no larger or deeper than the limits.
 *
 * @throws when the response is anything else
 */
export async function fetchJson(url: string, init: RequestInit): Promise<Readonly<Record<string, unknown>>> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), limits.provider)
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: abort.signal })
    const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
    if (response.status !== 200 || type !== 'application/json' || !response.body) throw new Error('not JSON')
    const bounds = { size: limits.response, pieces: limits.responsePieces }
    const text = await readStream(response.body, limits.provider, bounds)
    demandFlat(text)
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object')
    return value as Record<string, unknown>
  } finally {
    clearTimeout(timer)
  }
}

/** Counts brackets, commas and colons outside strings, before the text is parsed. */
export function demandFlat(json: string): void {
  let [depth, values, members] = [0, 0, 0]
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case 0x22: // "
        for (at++; at < json.length && json.charCodeAt(at) !== 0x22; at++)
          if (json.charCodeAt(at) === 0x5c) at++
        break
      case 0x5b: // [
      case 0x7b: // {
        depth++
        values++
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      case 0x2c: // ,
        values++
        break
      case 0x3a: // :
        members++
        break
      default:
    }
    if (depth > 64 || values > 20_000 || members > 2000) throw new Error('too much JSON')
  }
}

/** Compares the token in the form with the one in the signed cookie. @throws Refused */
export function demandCsrf({ cookies, form }: Visit): void {
  const held = decodeURIComponent(cookies.get(app.cookies.csrf) ?? '')
  const [, token = '', given = ''] = /^([0-9a-f]{64})\|([0-9a-f]{64})$/.exec(held) ?? []
  if (!isSame(hash('sha256', token + app.secret), given) || !isSame(token, form['csrfToken'] ?? ''))
    throw new Refused(403, 'wrong CSRF token')
}

/** Compares in constant time. */
export function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

/** Characters that browsers drop or replace and other parsers do not. */
// oxlint-disable-next-line no-control-regex
const ambiguous = /[\u0000-\u001f\u007f]|^[^?#]*\\/

/** Returns the target after a sign-in: a URL of this site, or its origin. */
export function readTarget({ form, cookies }: Visit): string {
  const asked = form['callbackUrl'] ?? decodeURIComponent(cookies.get(app.cookies.callbackUrl) ?? '')
  if (asked.length > limits.callbackUrl || ambiguous.test(asked) || !/^(?:\/|https?:\/\/)/i.test(asked))
    return app.origin
  const url = URL.parse(asked, app.origin)
  if (url?.origin !== app.origin || url.username !== '' || url.password !== '') return app.origin
  return url.href === `${asked}/` ? asked : url.href
}

/** @throws when a browser would not store the cookie */
export function demandFitting(line: string): string {
  if (line.length > limits.cookie) throw new Error('long cookie')
  return line
}
