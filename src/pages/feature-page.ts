import { type ComponentChild, h } from 'preact'
import type { PageKit, ViewField, ViewPart } from '../types/feature.ts'
import { fill, type Language } from './language.ts'
import type { FeaturePage } from './page.ts'
import { type Content, createHiddenFields, createMessage } from './shell.ts'

/** A part of a page that only the kit creates. */
class Part implements ViewPart {
  readonly kind: ViewPart['kind']
  readonly element: ComponentChild
  constructor(kind: ViewPart['kind'], element: ComponentChild) {
    this.kind = kind
    this.element = element
  }
}

/** Creates a page of a feature. Whatever its author passes is shown as text. */
export function createFeaturePage(page: FeaturePage, language: Language): Content {
  const { feature, name, data } = page
  const show = feature.pages?.[name]
  if (!show) throw new TypeError(`The feature "${feature.name}" has no page "${name}"`)
  const { heading, parts } = show(data, createKit(page, language))
  return {
    className: 'signin',
    heading: String(heading),
    children: parts.map((part) => (part instanceof Part ? part.element : undefined)),
  }
}

function createKit(page: FeaturePage, language: Language): PageKit {
  const paragraph = (text: string) => h('p', {}, String(text))
  return {
    t: (key, values = {}) => fill(findText(page, key, language), values),
    text: (text) => new Part('text', paragraph(text)),
    link: (url, text) => new Part('link', createLink(String(url), String(text))),
    message: (text) => new Part('message', createMessage(String(text))),
    notice: (text) => new Part('notice', createMessage(String(text), { isNotice: true })),
    form: (form) => new Part('form', createForm(form, page)),
  }
}

/** The texts of the configuration count first, then those of the language, then English. */
function findText({ feature }: FeaturePage, key: string, { locale, texts }: Language): string {
  const own: Readonly<Record<string, unknown>> = { ...texts }
  const found = own[`${feature.name}.${key}`] ?? feature.texts?.[locale]?.[key] ?? feature.texts?.en[key]
  return typeof found === 'string' ? found : key
}

function createLink(url: string, text: string): ComponentChild {
  const isLink = /^https?:\/\//i.test(url) || /^\/(?![/\\])/.test(url)
  return h('p', {}, isLink ? h('a', { class: 'site', href: url }, text) : text)
}

function createForm(
  { action, fields = [], button, sends }: Parameters<PageKit['form']>[0],
  { base, action: own, csrfToken, callbackUrl }: FeaturePage,
): ComponentChild {
  const attributes = { action: `${base}/${action ?? own}`, method: 'POST' }
  return h('form', attributes, [
    ...createHiddenFields({ csrfToken, callbackUrl }),
    ...fields.map(createField),
    h('button', { type: 'submit', ...(sends && { name: sends.name, value: sends.value }) }, button),
  ])
}

function createField({ name, label, type = 'text', autocomplete, value, required = true }: ViewField) {
  const id = `input-${name}`
  const input = h('input', { id, name, type, autocomplete, value, required })
  if (type === 'checkbox') return h('label', {}, [input, ` ${label}`])
  return [h('label', { class: 'section-header', for: id }, label), input]
}
