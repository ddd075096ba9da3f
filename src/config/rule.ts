import { findFault } from '../types/symbols.ts'

/** Describes the type of a value without revealing its content. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (value === '') return 'an empty string'
  return typeof value === 'undefined' ? 'undefined' : `a value of type ${typeof value}`
}

/** Describes a valid value in words, and tests for it. */
export interface Rule {
  readonly takes: string
  readonly accepts: (value: unknown) => boolean
  /** Describes an invalid value. @default its type */
  readonly describe?: (value: unknown) => string
}

export const object: Rule = {
  takes: 'an object',
  accepts: (value) => typeof value === 'object' && !Array.isArray(value),
}

export const hook: Rule = { takes: 'a function', accepts: (value) => typeof value === 'function' }

export const flag: Rule = { takes: 'true or false', accepts: (value) => typeof value === 'boolean' }

export const flagOrDate: Rule = {
  takes: 'true, false or a valid Date',
  accepts: (value) =>
    typeof value === 'boolean' || (value instanceof Date && Number.isFinite(value.getTime())),
}

export const text: Rule = { takes: 'a string', accepts: (value) => typeof value === 'string' }

export const filledText: Rule = {
  takes: 'a non-empty string',
  accepts: (value) => typeof value === 'string' && value !== '',
}

/** Accepts what `defineFeature` has returned. */
export const feature: Rule = {
  takes: 'the result of `defineFeature` of `authmachine/extend`',
  accepts: (value) => typeof Object(value)[findFault] === 'function',
}

export const list: Rule = { takes: 'an array', accepts: Array.isArray }

/** A hundred years in seconds (decision 24). */
export const longestAge = 100 * 365.25 * 86_400

export const lifetime: Rule = {
  takes: 'a positive number of seconds, at most 100 years',
  accepts: (age) => Number.isFinite(age) && Number(age) > 0 && Number(age) <= longestAge,
  describe: describeNumber,
}

export const interval: Rule = {
  takes: 'a number of seconds, 0 or more',
  accepts: (age) => Number.isFinite(age) && Number(age) >= 0,
  describe: describeNumber,
}

function describeNumber(value: unknown): string {
  return typeof value === 'number' ? `\`${value}\`` : describe(value)
}

export const origins: Rule = {
  takes: 'an array of origins, such as "https://preview.example.com", or a function',
  accepts: (value) => typeof value === 'function' || (Array.isArray(value) && value.every(isOrigin)),
}

/** The origin must be spelt as a URL parser writes it, because it is compared as text. A trailing slash is allowed. */
function isOrigin(origin: unknown): boolean {
  if (typeof origin !== 'string' || !/^https?:/.test(origin) || !URL.canParse(origin)) return false
  return new URL(origin).origin === origin.replace(/\/$/, '')
}

export const basePath: Rule = { takes: 'a path that starts with a slash', accepts: isPath }

/** The path must be spelt as in URLs, because it is compared with the paths of requests. */
function isPath(path: unknown): boolean {
  if (typeof path !== 'string' || !path.startsWith('/')) return false
  const here = 'https://same-origin.invalid'
  return URL.canParse(path, here) && new URL(path, here).pathname === path
}

export const page: Rule = { takes: 'a path, or an http or https URL', accepts: isPage }

function isPage(target: unknown): boolean {
  if (typeof target !== 'string') return false
  return /^\/(?![/\\])/.test(target) || (/^https?:\/\//.test(target) && URL.canParse(target))
}

/** Accepts an object with these functions. */
export function objectWith(...names: readonly string[]): Rule {
  return {
    takes: `an object with the functions ${names.map((name) => `\`${name}\``).join(' and ')}`,
    accepts: (value) => names.every((name) => holdsFunction(value, name)),
    describe: (value) => {
      const missing = names.filter((name) => !holdsFunction(value, name)).map((name) => `\`${name}\``)
      return typeof value === 'object' ? `one without ${missing.join(' and ')}` : describe(value)
    },
  }
}

function holdsFunction(value: unknown, name: string): boolean {
  return typeof Object(value)[name] === 'function'
}

/** Accepts these words. */
export function oneOf(...words: readonly string[]): Rule {
  const quoted = words.map((word) => `"${word}"`)
  return {
    takes: [quoted.slice(0, -1).join(', '), quoted.at(-1)].join(' or '),
    accepts: (value) => words.some((word) => word === value),
  }
}

/** Accepts only the symbol. Any other value, such as `true`, would seem to turn the option on, but have no effect. */
export function only(symbol: symbol, name: string): Rule {
  return { takes: `the symbol \`${name}\` exported by this library`, accepts: (value) => value === symbol }
}
