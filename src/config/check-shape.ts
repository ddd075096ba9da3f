import { type AuthError, InvalidConfig } from '../errors/classes.ts'
import { raw, skipCSRFCheck } from '../types/symbols.ts'
import type { AuthConfig } from '../types/config.ts'
import type { PageLocale } from '../types/page-texts.ts'

/** Describes the type of a value without revealing its content. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (value === '') return 'an empty string'
  return typeof value === 'undefined' ? 'undefined' : `a value of type ${typeof value}`
}

/** Describes a valid value in words, and tests for it. */
interface Rule {
  readonly takes: string
  readonly accepts: (value: unknown) => boolean
}

const object: Rule = {
  takes: 'an object',
  accepts: (value) => typeof value === 'object' && !Array.isArray(value),
}
const hook: Rule = { takes: 'a function', accepts: (value) => typeof value === 'function' }
const flag: Rule = { takes: 'true or false', accepts: (value) => typeof value === 'boolean' }
const flagOrDate: Rule = {
  takes: 'true, false or a valid Date',
  accepts: (value) =>
    typeof value === 'boolean' || (value instanceof Date && Number.isFinite(value.getTime())),
}
const text: Rule = { takes: 'a string', accepts: (value) => typeof value === 'string' }
const filledText: Rule = {
  takes: 'a non-empty string',
  accepts: (value) => typeof value === 'string' && value !== '',
}
const list: Rule = { takes: 'an array', accepts: Array.isArray }
const origins: Rule = {
  takes: 'an array of origins, such as "https://preview.example.com", or a function',
  accepts: (value) => typeof value === 'function' || (Array.isArray(value) && value.every(isOrigin)),
}
const strategy: Rule = {
  takes: '"jwt" or "database"',
  accepts: (value) => value === 'jwt' || value === 'database',
}
const revocations: Rule = {
  takes: 'an object with the functions `find` and `add`',
  accepts: (value) => ['find', 'add'].every((name) => typeof Object(value)[name] === 'function'),
}
const linking: Rule = {
  takes: '"session" or "explicit"',
  accepts: (value) => value === 'session' || value === 'explicit',
}
const locales = Object.keys({ en: true, de: true, ar: true } satisfies Record<PageLocale, true>)
const locale: Rule = {
  takes: '"en", "de" or "ar"',
  accepts: (value) => locales.some((known) => known === value),
}
const basePath: Rule = { takes: 'a path that starts with a slash', accepts: isPath }
const page: Rule = { takes: 'a path, or an http or https URL', accepts: isPage }

/** Options whose members all have the same type. */
const groups: readonly (readonly [path: string, rule: Rule])[] = [
  ['callbacks', hook],
  ['events', hook],
  ['pages', page],
  ['texts', object],
  ...locales.map((known) => [`texts.${known}`, text] as const),
  ['theme', text],
]

const fields: readonly (readonly [path: string, rule: Rule])[] = [
  ['providers', list],
  ['accountLinking', linking],
  ['basePath', basePath],
  ['locale', locale],
  ['session', object],
  ['session.strategy', strategy],
  ['session.generateSessionToken', hook],
  ['session.signInMaxAge', hook],
  ['session.describe', hook],
  ['jwt', object],
  ['jwt.audience', filledText],
  ['jwt.acceptLegacyTokens', flagOrDate],
  ['jwt.encode', hook],
  ['jwt.decode', hook],
  ['jwt.isRevoked', hook],
  ['jwt.revocations', revocations],
  ['cookies', object],
  ['emailChange', object],
  ['sendNotice', hook],
  ['experimental', object],
  ['experimental.enableWebAuthn', flag],
  ['logger', object],
  ['logger.error', hook],
  ['logger.warn', hook],
  ['logger.debug', hook],
  ['adapter', object],
  ['debug', flag],
  ['useSecureCookies', flag],
  ['parallelSignIns', flag],
  ['accountPage', flag],
  ['redirectProxyUrl', text],
  ['redirectProxy', object],
  ['redirectProxy.allow', origins],
  ['skipCSRFCheck', only(skipCSRFCheck, 'skipCSRFCheck')],
  ['raw', only(raw, 'raw')],
]

/** Checks the type of every option. Undefined and null count as not set. */
export function checkShape(config: AuthConfig): AuthError | undefined {
  for (const [path, rule] of fields) {
    const fault = judge(path, valueAt(config, path), rule)
    if (fault) return fault
  }
  for (const [group, rule] of groups) {
    const members = valueAt(config, group)
    const fault = judge(group, members, object)
    if (fault) return fault
    for (const [name, member] of Object.entries(members ?? {})) {
      const memberFault = judge(`${group}.${name}`, member, rule)
      if (memberFault) return memberFault
    }
  }
  return undefined
}

function judge(path: string, value: unknown, { takes, accepts }: Rule): AuthError | undefined {
  if (value === undefined || value === null || accepts(value)) return undefined
  return new InvalidConfig(`\`${path}\` must be ${takes}, got ${describe(value)}`)
}

function valueAt(config: object, path: string): unknown {
  let value: unknown = config
  for (const name of path.split('.'))
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return value
}

/** Accepts only the symbol. Any other value, such as `true`, would look like "on" but have no effect. */
function only(symbol: symbol, name: string): Rule {
  return { takes: `the symbol \`${name}\` exported by this library`, accepts: (value) => value === symbol }
}

/** The path must be spelt as in URLs, because it is compared with the paths of requests. */
function isPath(path: unknown): boolean {
  if (typeof path !== 'string' || !path.startsWith('/')) return false
  const here = 'https://same-origin.invalid'
  return URL.canParse(path, here) && new URL(path, here).pathname === path
}

/** The origin must be spelt as a URL parser writes it, because it is compared. A trailing slash is allowed. */
function isOrigin(origin: unknown): boolean {
  if (typeof origin !== 'string' || !/^https?:/.test(origin) || !URL.canParse(origin)) return false
  return new URL(origin).origin === origin.replace(/\/$/, '')
}

function isPage(target: unknown): boolean {
  if (typeof target !== 'string') return false
  return /^\/(?![/\\])/.test(target) || (/^https?:\/\//.test(target) && URL.canParse(target))
}
