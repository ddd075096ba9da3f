import { type ComponentChild, type ComponentChildren, h } from 'preact'
import type { CredentialInput } from '../types/provider.ts'
import { findSignInText } from './error-text.ts'
import { readField } from './field.ts'
import { createHiddenFields } from './hidden-fields.ts'
import type { PageProvider, SignInPage } from './page.ts'
import type { Content } from './shell.ts'
import { readImage } from '../markup/theme-value.ts'

/** The sign-in page: a button for each OAuth provider, a form for each of the others, in configured order. */
export function createSignInPage(page: SignInPage): Content {
  const text = findSignInText(page.error)
  const shown = page.providers.filter(isShown)
  const script = findScript(page)
  // One element of that id a page; further forms are told apart by their provider.
  const main = shown.find((provider) => provider.kind === 'email' || provider.kind === 'credentials')
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

/** URL of the script that the page loads, if one of its forms needs it. */
export function findScript({ providers, script }: SignInPage): string | undefined {
  return providers.some((provider) => isShown(provider) && provider.ceremony) ? script : undefined
}

/** Colours of the providers' marks, by their position on the page. */
export function listBrands(page: SignInPage): (string | undefined)[] {
  return page.providers.filter(isShown).map(({ style }) => style?.brandColor ?? style?.bg)
}

function isShown({ kind, credentials, formFields }: PageProvider): boolean {
  if (kind === 'credentials') return credentials !== undefined
  return kind === 'webauthn' ? formFields !== undefined : true
}

/** Buttons stand together; a form stands apart from what comes before. */
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
    h('form', { action: provider.signinUrl, method: 'POST' }, [
      createHidden(page),
      h('button', { type: 'submit', class: `button brand-${position}` }, [
        createMark(provider),
        h('span', {}, `Sign in with ${provider.name}`),
      ]),
    ]),
  email: ({ page, provider, buttonId }) =>
    h('form', { action: provider.signinUrl, method: 'POST' }, [
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
  credentials: ({ page, provider, buttonId }) =>
    h('form', { action: provider.callbackUrl, method: 'POST' }, [
      createHidden(page),
      createInputs(provider, provider.credentials),
      createSubmit(provider, buttonId),
    ]),
  webauthn: ({ page, provider, buttonId }) =>
    h(
      'form',
      { action: provider.callbackUrl, method: 'POST', id: `${provider.id}-form`, ...describe(provider) },
      [createHidden(page), createInputs(provider, provider.formFields), createCeremonies(provider, buttonId)],
    ),
}

/** By these the script knows its forms. */
function describe({ ceremony }: PageProvider) {
  return {
    'data-options-url': ceremony?.optionsUrl,
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

/** An input and its label. The id is the one that style sheets and tests of others know. */
function createInput(provider: PageProvider, name: string, field: CredentialInput): ComponentChildren {
  const id = `input-${name}-for-${provider.id}-provider`
  const attributes = readField(name, field)
  const marker = provider.kind === 'webauthn' ? { 'data-form-field': true } : {}
  return [
    attributes.type !== 'hidden' && h('label', { class: 'section-header', for: id }, field.label ?? name),
    h('input', { ...attributes, ...marker, id }),
  ]
}

function createSubmit({ name }: PageProvider, id: string): ComponentChild {
  return h('button', { id, type: 'submit' }, `Sign in with ${name}`)
}

/** The buttons of a passkey form; their values are for the script. Only who registers has to say who they are. */
function createCeremonies(provider: PageProvider, id: string): ComponentChildren {
  const { name, ceremony } = provider
  if (!ceremony?.twoButtons) return createSubmit(provider, id)
  return [
    h('button', { id, type: 'submit', value: 'authenticate', formNoValidate: true }, `Sign in with ${name}`),
    h('button', { id: `${id}-register`, type: 'submit', value: 'register' }, `Register with ${name}`),
  ]
}

/** A logo that needs no other host, else the first letter of the name: nobody's trademark, and no request. */
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
