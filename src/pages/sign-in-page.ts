import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { readImage } from '../theme-value.ts'
import type { CredentialInput } from '../types/provider.ts'
import { version } from '../version.ts'
import { findSignInText } from './error-text.ts'
import type { PageProvider, SignInPage } from './page.ts'
import { type Content, createHiddenFields } from './shell.ts'

/** Attributes that a configured field may set on its input. They cannot run or load anything. */
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
function readField(name: string, given: CredentialInput | null): Attributes & { readonly type: string } {
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

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** Creates the sign-in page: a button for each OAuth provider and a form for each other one, in configured order. */
export function createSignInPage(page: SignInPage): Content {
  const text = findSignInText(page.error)
  const shown = page.providers.filter(isShown)
  const script = findScript(page)
  // The id must be unique on the page, so the other forms' buttons include the provider id.
  const main = shown.find((provider) => ['email', 'credentials', 'password'].includes(provider.kind))
  return {
    title: 'Sign In',
    className: 'signin',
    heading: 'Sign in',
    children: [
      text !== undefined && h('div', { class: 'error', role: 'alert' }, h('p', {}, text)),
      ...shown.flatMap((provider, position) => [
        isApart(provider, shown[position - 1]) && h('hr', {}),
        h('div', { class: 'provider' }, [
          createForm[provider.kind]({
            page,
            provider,
            position,
            buttonId: provider === main ? 'submitButton' : `submitButton-${provider.id}`,
          }),
        ]),
      ]),
      script !== undefined && h('script', { src: script, defer: true }),
    ],
  }
}

/** Returns the URL of the page's script, if one of its forms needs it. */
export function findScript({ providers, base }: SignInPage): string | undefined {
  const isNeeded = providers.some((provider) => isShown(provider) && provider.ceremony)
  return isNeeded ? `${base}/webauthn-options?v=${version}` : undefined
}

/** Returns the brand colours of the providers, by their position on the page. */
export function listBrands(page: SignInPage): (string | undefined)[] {
  return page.providers.filter(isShown).map(({ style }) => style?.brandColor ?? style?.bg)
}

function isShown({ kind, credentials, formFields }: PageProvider): boolean {
  if (kind === 'credentials' || kind === 'password') return credentials !== undefined
  return kind === 'webauthn' ? formFields !== undefined : true
}

/** Consecutive buttons are grouped; a form is separated from the element before it. */
function isApart(provider: PageProvider, previous: PageProvider | undefined): boolean {
  return previous !== undefined && (provider.kind !== 'oauth' || previous.kind !== 'oauth')
}

interface FormParts {
  readonly page: SignInPage
  readonly provider: PageProvider
  readonly position: number
  readonly buttonId: string
}

const createForm: Readonly<Record<PageProvider['kind'], (parts: FormParts) => ComponentChild>> = {
  oauth: ({ page, provider, position }) =>
    h('form', { action: `${page.base}/signin/${provider.id}`, method: 'POST' }, [
      createHidden(page),
      h('button', { type: 'submit', class: `button brand-${position}` }, [
        createMark(provider),
        h('span', {}, `Sign in with ${provider.name}`),
      ]),
    ]),
  email: ({ page, provider, buttonId }) =>
    h('form', { action: `${page.base}/signin/${provider.id}`, method: 'POST' }, [
      createHidden(page),
      createInput(provider, 'email', {
        label: 'Email',
        type: 'email',
        placeholder: 'email@example.com',
        required: true,
        ...(page.email !== undefined && { value: page.email }),
      }),
      createSubmit(provider, buttonId),
    ]),
  credentials: createCredentialsForm,
  password: (parts) => [
    createCredentialsForm(parts),
    h(
      'p',
      {},
      h(
        'a',
        { class: 'site', href: `${parts.page.base}/password/${parts.provider.id}` },
        'Set or reset your password',
      ),
    ),
  ],
  webauthn: ({ page, provider, buttonId }) =>
    h(
      'form',
      {
        action: `${page.base}/callback/${provider.id}`,
        method: 'POST',
        id: `${provider.id}-form`,
        ...describe(provider, page),
      },
      [createHidden(page), createInputs(provider, provider.formFields), createCeremonies(provider, buttonId)],
    ),
}

function createCredentialsForm({ page, provider, buttonId }: FormParts): ComponentChild {
  return h('form', { action: `${page.base}/callback/${provider.id}`, method: 'POST' }, [
    createHidden(page),
    createInputs(provider, provider.credentials),
    createSubmit(provider, buttonId),
  ])
}

/** Returns the attributes by which the script recognises its forms. */
function describe({ id, ceremony }: PageProvider, { base }: SignInPage) {
  return {
    'data-options-url': ceremony && `${base}/webauthn-options/${id}`,
    'data-conditional': ceremony?.conditional ? '' : undefined,
  }
}

function createHidden({ csrfToken, callbackUrl }: SignInPage): ComponentChildren {
  return createHiddenFields({ csrfToken, callbackUrl })
}

function createInputs(
  provider: PageProvider,
  fields: Readonly<Record<string, CredentialInput>> | undefined,
): ComponentChildren {
  return Object.entries(fields ?? {}).map(([name, field]) => createInput(provider, name, field))
}

/** Creates an input and its label. Other people's style sheets and tests rely on the id. */
function createInput(provider: PageProvider, name: string, field: CredentialInput | null): ComponentChildren {
  const id = `input-${name}-for-${provider.id}-provider`
  const attributes = readField(name, field)
  const marker = provider.kind === 'webauthn' ? { 'data-form-field': true } : {}
  return [
    attributes.type !== 'hidden' &&
      h('label', { class: 'section-header', for: id }, isPlain(field?.label) ? field.label : name),
    h('input', { ...attributes, ...marker, id }),
  ]
}

function createSubmit({ name }: PageProvider, id: string): ComponentChild {
  return h('button', { id, type: 'submit' }, `Sign in with ${name}`)
}

/** Creates the buttons of a passkey form, whose values the script reads. Only registration requires the fields. */
function createCeremonies(provider: PageProvider, id: string): ComponentChildren {
  const { name, ceremony } = provider
  if (!ceremony?.twoButtons) return createSubmit(provider, id)
  return [
    h('button', { id, type: 'submit', value: 'authenticate', formNoValidate: true }, `Sign in with ${name}`),
    h('button', { id: `${id}-register`, type: 'submit', value: 'register' }, `Register with ${name}`),
  ]
}

/** Creates the logo if it needs no other host, otherwise the first letter of the name: no trademark, no request. */
function createMark({ name, style }: PageProvider): ComponentChild {
  const logo = readImage(style?.logo)
  if (logo !== undefined) {
    return h('img', { class: 'mark', src: logo, alt: '', width: 24, height: 24, loading: 'lazy' })
  }
  const [letter = ''] = name.trim().toUpperCase()
  return h('svg', { class: 'mark', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' }, [
    h('rect', { width: 24, height: 24, rx: 6 }),
    h('text', { x: 12, y: 17 }, letter),
  ])
}
