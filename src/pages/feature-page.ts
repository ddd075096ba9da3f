import { type ComponentChild, h } from 'preact'
import type { Settings } from '../config/settings.ts'
import type { Feature, Json, PageKit, SignInForm, ViewPart } from '../types/feature.ts'
import { fill, type Language, provideLanguage } from './language.ts'
import type { FeaturePage } from './page.ts'
import { createHiddenFields, createMessage } from './shell.ts'
import { createViewField } from './view-field.ts'

/** A part of a page that only the kit creates. */
class Part implements ViewPart {
  readonly kind: ViewPart['kind']
  readonly element: ComponentChild
  constructor(kind: ViewPart['kind'], element: ComponentChild) {
    this.kind = kind
    this.element = element
  }
}

/** A page of a feature, and what its forms need. */
interface Shown {
  readonly feature: Feature
  /** The name of the page in the feature. */
  readonly page: string
  readonly data: Json
  /** The URL of the library's routes, without a trailing slash. */
  readonly base: string
  /** The route that shows the page. */
  readonly action: string
  readonly origin: string
  /** Absent when the CSRF check is off. */
  readonly csrfToken: string | undefined
  /** Where the browser goes afterwards, if the flow has resolved it. */
  readonly callbackUrl: string | undefined
}

/**
 * Creates a page of a feature. Whatever its author passes is shown as text.
 *
 * @param accepted the `Accept-Language` header
 */
export async function createFeaturePage(
  shown: Shown,
  settings: Pick<Settings, 'locale' | 'texts'>,
  accepted: string | null,
): Promise<FeaturePage> {
  const { feature, page, data, origin } = shown
  const show = feature.pages?.[page]
  if (!show) throw new TypeError(`The feature "${feature.name}" has no page "${page}"`)
  const language = await provideLanguage(settings, accepted)
  const { heading, parts } = show(data, createKit(shown, language))
  const elements = parts.map((part) => (part instanceof Part ? part.element : undefined))
  return { page: 'feature', origin, heading: String(heading), parts: elements }
}

/** Returns the form of a feature on the sign-in page, in the language of the page. */
export async function describeSignInForm(
  feature: Feature,
  settings: Pick<Settings, 'locale' | 'texts'>,
  accepted: string | null,
): Promise<SignInForm | undefined> {
  const language = await provideLanguage(settings, accepted)
  return feature.signIn?.form?.({
    t: (key, values = {}) => fill(findText({ feature }, key, language), values),
  })
}

function createKit(shown: Shown, language: Language): PageKit {
  const paragraph = (text: string) => h('p', {}, String(text))
  return {
    t: (key, values = {}) => fill(findText(shown, key, language), values),
    text: (text) => new Part('text', paragraph(text)),
    link: (url, text) => new Part('link', createLink(String(url), String(text))),
    message: (text) => new Part('message', createMessage(String(text))),
    notice: (text) => new Part('notice', createMessage(String(text), { isNotice: true })),
    form: (form) => new Part('form', createForm(form, shown)),
  }
}

/**
 * The texts of the configuration count first, then those of the language, then English.
 *
 * @throws TypeError for a key that the feature does not have: users would see the key
 */
function findText({ feature }: Pick<Shown, 'feature'>, key: string, { locale, texts }: Language): string {
  const { name, texts: own } = feature
  const known = own?.en[key]
  if (known === undefined) throw new TypeError(`The feature "${name}" has no English text "${key}"`)
  const replaced: unknown = new Map<string, unknown>(Object.entries(texts)).get(`${name}.${key}`)
  return typeof replaced === 'string' ? replaced : (own?.[locale]?.[key] ?? known)
}

function createLink(url: string, text: string): ComponentChild {
  const isLink = /^https?:\/\//i.test(url) || /^\/(?![/\\])/.test(url)
  return h('p', {}, isLink ? h('a', { class: 'site', href: url }, text) : text)
}

function createForm(
  { action, fields = [], button, sends }: Parameters<PageKit['form']>[0],
  { feature, base, action: own, csrfToken, callbackUrl }: Shown,
): ComponentChild {
  if (action !== undefined && !feature.routes?.[action]?.methods.includes('POST'))
    throw new TypeError(
      `A form of the feature "${feature.name}" posts to "${action}", for which it has no POST route`,
    )
  const attributes = { action: `${base}/${action ?? own}`, method: 'POST' }
  return h('form', attributes, [
    ...createHiddenFields({ csrfToken, callbackUrl }),
    ...fields.map((field) => createViewField(field)),
    h('button', { type: 'submit', ...(sends && { name: sends.name, value: sends.value }) }, button),
  ])
}
