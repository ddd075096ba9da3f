import type { CredentialInput } from '../types/provider.ts'

/** Attributes that a configured field may set on its input, none of which runs or loads anything. */
const allowed = new Set([
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

const types = new Set(
  'checkbox color date datetime-local email hidden month number password range search tel text time url week'.split(
    ' ',
  ),
)

/** What browsers and password managers fill in, by the name of a field or its type. */
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
 * Attributes of the input for a configured field: those of a list known to be harmless, the type `text` unless it is one
 * of an input's, and a guess at `autocomplete` where none is given. Names may be written as in HTML or in JSX.
 */
export function readField(name: string, field: CredentialInput): Attributes & { readonly type: string } {
  const type = field.type !== undefined && types.has(field.type) ? field.type : 'text'
  const guess = autocomplete.get(name.toLowerCase()) ?? autocomplete.get(type)
  const given: Attributes = guess === undefined ? {} : { autocomplete: guess }
  for (const [key, value] of Object.entries(field)) {
    const attribute = key.toLowerCase()
    if (allowed.has(attribute) && isPlain(value)) given[attribute] = value
  }
  return { ...given, name, type }
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
