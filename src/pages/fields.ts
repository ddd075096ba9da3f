import type { CredentialInput } from '../types/provider.ts'

/** Attributes that a configured field may set on its input. They cannot run or load anything. */
const allowed: ReadonlySet<string> = new Set([
  'autocapitalize',
  'autocomplete',
  'autofocus',
  'checked',
  'disabled',
  'inputmode',
  'max',
  'maxlength',
  'min',
  'minlength',
  'pattern',
  'placeholder',
  'readonly',
  'required',
  'size',
  'spellcheck',
  'step',
  'title',
  'value',
])

const types: ReadonlySet<string> = new Set(
  'checkbox color date datetime-local email hidden month number password range search tel text time url week'.split(
    ' ',
  ),
)

/** Autocomplete tokens for browsers and password managers, by field name or type. */
const autocomplete: ReadonlyMap<string, string> = new Map([
  ['username', 'username'],
  ['login', 'username'],
  ['email', 'email'],
  ['tel', 'tel'],
  ['otp', 'one-time-code'],
  ['code', 'one-time-code'],
  ['password', 'current-password'],
])

type Attributes = Record<string, string | number | boolean>

/**
 * Returns the input's attributes for a configured field: harmless attributes only, a valid input type (default `text`), and a
 * guess at `autocomplete` if the field has none. Names may be in HTML or JSX spelling.
 */
export function readField(
  name: string,
  given: CredentialInput | null,
): Attributes & { readonly type: string } {
  const field = given ?? {}
  const type = field.type !== undefined && types.has(field.type) ? field.type : 'text'
  const guess = autocomplete.get(name.toLowerCase()) ?? autocomplete.get(type)
  const attributes: Attributes = guess === undefined ? {} : { autocomplete: guess }
  for (const [key, value] of Object.entries(field)) {
    const attribute = key.toLowerCase()
    if (allowed.has(attribute) && isPlain(value)) attributes[attribute] = value
  }
  return { ...attributes, name, type }
}

export function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** Fields that identify a user and are not secret. */
const identifying = /\b(?:username|email|tel)\b/

/** Returns the name of the field that identifies the user. It is kept after a wrong password. */
export function findNameField(
  fields: Readonly<Record<string, CredentialInput>> | undefined,
): string | undefined {
  return Object.entries(fields ?? {}).find(([name, field]) => {
    const { type, autocomplete: hint } = readField(name, field)
    return nameTypes.has(type) && identifying.test(String(hint))
  })?.[0]
}

const nameTypes: ReadonlySet<string> = new Set(['email', 'tel', 'text'])
