import { placeholders, type Description } from './description.ts'
import { presets } from './presets.ts'

/** Checks a value at a place of the description. @throws {Error} with the expected and the actual value */
type Rule = (value: unknown, at: string) => void

const known = Object.keys(placeholders)

function refuse(at: string, expected: string, got: unknown): never {
  throw new Error(
    `${at === '' ? '' : `${at}: `}expected ${expected}, got ${got === undefined ? 'nothing' : JSON.stringify(got)}`,
  )
}

const text: Rule = (value, at) => {
  if (typeof value !== 'string' || value === '') refuse(at, 'a text', value)
  const strange = value.match(/\{\w+\}/g)?.find((each) => !known.includes(each) && each !== '{user}')
  if (strange !== undefined) refuse(at, `only the placeholders ${known.join(', ')}`, strange)
}

const path: Rule = (value, at) => {
  text(value, at)
  if (!String(value).startsWith('/')) refuse(at, 'a path that begins with "/"', value)
}

const yesOrNo: Rule = (value, at) => {
  if (typeof value !== 'boolean') refuse(at, 'true or false', value)
}

const oneOf =
  (...words: readonly string[]): Rule =>
  (value, at) => {
    if (!words.includes(value as string)) refuse(at, words.map((word) => `"${word}"`).join(' or '), value)
  }

const texts: Rule = (value, at) => {
  if (!isObject(value)) refuse(at, 'an object with texts', value)
  for (const [name, each] of Object.entries(value)) text(each, `${at}.${name}`)
}

/** An object with these members, those with `!` are required. */
const members =
  (rules: Readonly<Record<string, Rule>>): Rule =>
  (value, at) => {
    if (!isObject(value)) refuse(at, 'an object', value)
    const names = Object.keys(rules).map((name) => name.replace('!', ''))
    const strange = Object.keys(value).find((name) => !names.includes(name))
    if (strange !== undefined) refuse(at, `only the members ${names.join(', ')}`, strange)
    for (const [name, rule] of Object.entries(rules)) {
      const key = name.replace('!', '')
      const given = value[key]
      if (given !== undefined || name !== key) rule(given, at === '' ? key : `${at}.${key}`)
    }
  }

const requestRules = {
  method: oneOf('GET', 'POST'),
  'url!': path,
  fields: texts,
  json: texts,
  redirect: text,
}

const request: Rule = (value, at) => {
  members(requestRules)(value, at)
  checkBody(value, at)
}

function checkBody(value: unknown, at: string): void {
  const { method, fields, json } = Object(value) as Record<string, unknown>
  if (fields !== undefined && json !== undefined) refuse(at, 'either fields or json', ['fields', 'json'])
  if (method === 'GET' && json !== undefined) refuse(at, 'the method POST for json', method)
}

const session: Rule = (value, at) => {
  members({ 'url!': path, user: text, text, stateless: yesOrNo })(value, at)
  const { user, text: shown } = value as Record<string, unknown>
  if ((user === undefined) === (shown === undefined))
    refuse(at, 'either "user", the member of a JSON response, or "text", such as "Hello {user}"', value)
  if (shown !== undefined && !JSON.stringify(shown).includes('{user}'))
    refuse(`${at}.text`, 'a text with {user}', shown)
}

const mail: Rule = (value, at) => {
  members({ ...requestRules, 'link!': path })(value, at)
  checkBody(value, at)
  if (!JSON.stringify(value).includes('{address}')) refuse(at, 'a field or member with {address}', value)
}

const csrf: Rule = (value, at) => {
  if (value === 'none') return
  if (!isObject(value)) refuse(at, '"none" or an object', value)
  members({ from: path, json: text, cookie: text, field: text, header: text })(value, at)
  const { from, cookie, field, header } = value
  if ((from === undefined) === (cookie === undefined))
    refuse(at, 'either "from", a page with the token, or "cookie"', value)
  if ((field === undefined) === (header === undefined))
    refuse(at, 'either "field" or "header", which returns the token', value)
}

const description = members({
  providers: members({ alpha: text, beta: text, plain: text }),
  'signIn!': request,
  callback: path,
  'session!': session,
  signOut: request,
  mail,
  csrf,
  cookies: members({ session: text }),
  log: text,
})

/**
 * Reads a description, and completes it from its preset.
 *
 * @returns nothing for the preset `authjs`, whose routes need no description; it can have a `log`
 * @throws {Error} if it is invalid, with the expected and the actual value
 */
export function readDescription(value: unknown): Description | undefined {
  if (!isObject(value)) refuse('the description', 'an object', value)
  const { preset: name, $schema: _, ...own } = value
  if (name !== undefined) oneOf(...Object.keys(presets))(name, 'preset')
  const preset = presets[(name ?? 'authjs') as keyof typeof presets]
  if (name === 'authjs') {
    const { log, ...others } = own
    if (log !== undefined) text(log, 'log')
    const [strange] = Object.keys(others)
    if (strange !== undefined) refuse('the description', 'only "log" beside the preset "authjs"', strange)
    return undefined
  }
  const whole = { ...preset, ...own }
  return checkDescription(whole) ? whole : undefined
}

/** @throws {Error} if it is invalid */
function checkDescription(value: object): value is Description {
  description(value, '')
  return true
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
