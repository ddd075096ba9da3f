import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { readImage } from '../text/theme-value.ts'
import type { LibraryTexts } from '../types/page-texts.ts'
import type { CredentialInput } from '../types/provider.ts'
import { findNameField, isPlain, readField } from './fields.ts'
import { fill } from './language.ts'
import type { Attributes, FormParts, PageProvider, SignInPage } from './page.ts'
import { elementsOf } from './part.ts'
import { createHiddenFields, createMessage } from './shell.ts'
import { createViewField } from './view-field.ts'

/** Creates the form of one provider, or of several that share it. */
export function createForm(parts: FormParts): ComponentChild {
  const { own, kind, links = [] } = parts.provider
  return [own ? own.create(parts) : creators[kind]?.(parts), elementsOf(links)]
}

const creators: Readonly<Partial<Record<PageProvider['kind'], (parts: FormParts) => ComponentChild>>> = {
  oauth: ({ page, texts, provider, position, isPrimary }) =>
    h('form', { action: `${page.base}/signin/${provider.id}`, method: 'POST' }, [
      createHidden(page),
      h('button', { type: 'submit', class: `button brand-${position}${isPrimary ? ' primary' : ''}` }, [
        createMark(provider),
        h('span', {}, labelOf(provider, texts)),
      ]),
    ]),
  email: createMailForm,
  credentials: createCredentialsForm,
  password: createCredentialsForm,
  feature: createFeatureForm,
}

/** Creates the form of a feature, which posts to a route of the feature. */
function createFeatureForm({ page, provider, buttonId, isPrimary }: FormParts): ComponentChild {
  const { action = provider.id, fields = [], button = provider.name } = provider.form ?? {}
  return h('form', { action: `${page.base}/${action}`, method: 'POST' }, [
    createHidden(page),
    fields.map((field) => createViewField(field, `input-${field.name}-for-${provider.id}-provider`)),
    createButton({ id: buttonId }, button, isPrimary),
  ])
}

/** Creates one form for all providers that need an address. Without a script, each button posts to its provider. */
function createMailForm(parts: FormParts): ComponentChild {
  const { page, texts, provider, others, guest, message, buttonId } = parts
  const shared = guest?.own?.share?.(parts)
  const field = {
    placeholder: 'email@example.com',
    ...shared?.field,
    label: texts.email,
    type: 'email',
    required: true,
    ...(page.email !== undefined && { value: page.email }),
  }
  return h('form', { action: `${page.base}/signin/${provider.id}`, method: 'POST', ...shared?.attributes }, [
    createHidden(page),
    createFormError(parts),
    createInput(provider, 'email', field, {
      ...markInvalid(message),
      ...(shared && { 'data-form-field': true }),
    }),
    createSubmit(parts),
    others.map((other) =>
      createButton({ id: `${buttonId}-${other.id}`, formaction: `${page.base}/signin/${other.id}` }, [
        labelOf(other, texts),
      ]),
    ),
    shared?.buttons,
  ])
}

function createCredentialsForm(parts: FormParts): ComponentChild {
  const { page, texts, provider, message } = parts
  const given = provider.credentials ?? {}
  const fields = provider.kind === 'password' ? translate(given, texts) : given
  const nameField = findNameField(fields)
  const kept = page.refusedBy === provider.id && page.name !== undefined ? nameField : undefined
  const names = Object.keys(fields)
  const next = kept === undefined ? undefined : names.find((name) => name !== kept)
  return h('form', { action: `${page.base}/callback/${provider.id}`, method: 'POST' }, [
    createHidden(page),
    createFormError(parts),
    names.map((name) =>
      createInput(provider, name, fields[name] ?? null, {
        ...markInvalid(message),
        ...(name === kept && { value: page.name }),
        ...(name === next && { autofocus: true }),
      }),
    ),
    createSubmit(parts),
  ])
}

function createFormError({ texts, message }: FormParts): ComponentChild {
  return message && createMessage(texts[message], { id: 'form-error' })
}

/** Connects the message of a form to its fields, for assistive technology. */
function markInvalid(message: keyof LibraryTexts | undefined) {
  return message && { 'aria-invalid': 'true', 'aria-describedby': 'form-error' }
}

export function createHidden({ csrfToken, callbackUrl }: SignInPage): ComponentChildren {
  return createHiddenFields({ csrfToken, callbackUrl })
}

/** Creates an input and its label. Other people's style sheets and tests rely on the id. */
export function createInput(
  provider: PageProvider,
  name: string,
  field: CredentialInput | null,
  own: Attributes,
): ComponentChildren {
  const id = `input-${name}-for-${provider.id}-provider`
  const attributes = readField(name, field)
  return [
    attributes.type !== 'hidden' &&
      h('label', { class: 'section-header', for: id }, isPlain(field?.label) ? field.label : name),
    h('input', { ...attributes, ...(attributes.type !== 'hidden' && own), id }),
  ]
}

function createSubmit({ provider, texts, buttonId, isPrimary }: FormParts): ComponentChild {
  return createButton({ id: buttonId }, labelOf(provider, texts), isPrimary)
}

function labelOf(provider: PageProvider, texts: LibraryTexts): string {
  return fill(texts.signInWith, { name: nameOf(provider, texts) })
}

/** Translates the default names of the library's own providers. */
function nameOf({ kind, name }: PageProvider, texts: LibraryTexts): string {
  if (kind === 'email' && name === 'Email') return texts.byEmail
  return kind === 'password' && name === 'Password' ? texts.byPassword : name
}

/** Translates the labels that the library's own providers give their fields. */
export function translate(fields: Readonly<Record<string, CredentialInput>>, texts: LibraryTexts) {
  const labels = new Map<unknown, string>([
    ['Email', texts.email],
    ['Password', texts.password],
  ])
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      { ...field, label: labels.get(field.label) ?? field.label },
    ]),
  )
}

export function createButton(
  attributes: Attributes,
  text: ComponentChildren,
  isPrimary = false,
): ComponentChild {
  return h('button', { ...attributes, type: 'submit', class: isPrimary ? 'primary' : undefined }, text)
}

/** Path data consists of letters, digits and a few other characters. */
const pathData = /^[a-z\d\s.,+-]+$/i

/** Creates the logo if it is not on another host, otherwise the mark, or else the first letter of the name. */
function createMark({ name, style }: PageProvider): ComponentChild {
  const logo = readImage(style?.logo)
  if (logo !== undefined) {
    return h('img', { class: 'mark', src: logo, alt: '', width: 24, height: 24, loading: 'lazy' })
  }
  const hidden = { 'aria-hidden': 'true' }
  const mark: unknown = style?.mark
  if (typeof mark === 'string' && pathData.test(mark)) {
    const attributes = { class: 'mark', viewBox: '0 0 24 24', focusable: 'false', ...hidden }
    return h('svg', attributes, h('path', { d: mark }))
  }
  const [letter] = name.trim().toUpperCase()
  return h('span', { class: 'mark letter', ...hidden }, letter)
}
