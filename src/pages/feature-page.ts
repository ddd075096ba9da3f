import { type ComponentChild, h } from 'preact'
import type { Settings } from '../config/settings.ts'
import type {
  AccountSection,
  Feature,
  FeatureWords,
  Json,
  PageKit,
  SignInForm,
  ViewPart,
} from '../types/feature.ts'
import { compose, fill, type Language, provideLanguage } from './language.ts'
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
  const show = (await load(feature.pages))?.[page]
  if (!show) throw new TypeError(`The feature "${feature.name}" has no page "${page}"`)
  const texts = await prepareTexts(feature, settings, accepted)
  const { heading, parts } = show(data, createKit(shown, texts))
  const elements = parts.map((part) => (part instanceof Part ? part.element : undefined))
  return { page: 'feature', origin, heading: String(heading), parts: elements }
}

/** Returns the form of a feature on the sign-in page, in the language of the page. */
export async function describeSignInForm(
  feature: Feature,
  settings: Pick<Settings, 'locale' | 'texts'>,
  accepted: string | null,
): Promise<SignInForm | undefined> {
  if (!feature.signIn?.form) return undefined
  return feature.signIn.form({ t: await prepareTexts(feature, settings, accepted) })
}

/** Returns the section of a feature on the account page, in the language of the page. */
export async function describeAccountSection(
  feature: Feature,
  settings: Pick<Settings, 'locale' | 'texts'>,
  accepted: string | null,
): Promise<AccountSection | undefined> {
  if (!feature.account) return undefined
  return feature.account({ t: await prepareTexts(feature, settings, accepted) })
}

/** Returns a member of a feature, or calls the function that loads it. */
async function load<T extends object>(
  given: T | (() => T | PromiseLike<T>) | undefined,
): Promise<T | undefined> {
  return typeof given === 'function' ? given() : given
}

/** Returns the function that finds the texts of a feature in the language of the page. */
async function prepareTexts(
  feature: Feature,
  settings: Pick<Settings, 'locale' | 'texts'>,
  accepted: string | null,
): Promise<PageKit['t']> {
  const [own, language] = await Promise.all([load(feature.texts), provideLanguage(settings, accepted)])
  return (key, values = {}) => fill(findText(key, { feature, own }, language), values)
}

function createKit(shown: Shown, t: PageKit['t']): PageKit {
  return {
    t,
    text: (text, values = {}) => new Part('text', createParagraph(String(text), values)),
    link: (url, text) => new Part('link', createLink(String(url), String(text))),
    message: (text) => new Part('message', createMessage(String(text))),
    notice: (text) => new Part('notice', createMessage(String(text), { isNotice: true })),
    form: (form) => new Part('form', createForm(form, shown)),
  }
}

function createParagraph(text: string, values: Readonly<Record<string, string | number>>): ComponentChild {
  const elements = Object.entries(values).map(([name, value]) => [
    name,
    h('strong', { dir: 'auto' }, String(value)),
  ])
  return h('p', {}, compose(text, Object.fromEntries(elements) as Record<string, ComponentChild>))
}

/**
 * The texts of the configuration count first, then those of the feature in the language, then its English ones, and then
 * those of the library.
 *
 * @throws TypeError for a key that neither has: users would see the key
 */
function findText(
  key: string,
  { feature: { name }, own }: { readonly feature: Feature; readonly own: FeatureWords | undefined },
  { locale, texts }: Language,
): string {
  const library = new Map<string, unknown>(Object.entries(texts))
  const known = own?.en[key]
  const found =
    known === undefined ? library.get(key) : (library.get(`${name}.${key}`) ?? own?.[locale]?.[key])
  const text = typeof found === 'string' ? found : known
  if (text === undefined) throw new TypeError(`The feature "${name}" has no English text "${key}"`)
  return text
}

function createLink(url: string, text: string): ComponentChild {
  const isLink = /^https?:\/\//i.test(url) || /^\/(?![/\\])/.test(url)
  return h('p', {}, isLink ? h('a', { class: 'site', href: url }, text) : text)
}

function createForm(
  { action, fields = [], button, sends, hidden }: Parameters<PageKit['form']>[0],
  { feature, base, action: own, csrfToken, callbackUrl }: Shown,
): ComponentChild {
  if (action !== undefined && !feature.routes?.[action]?.methods.includes('POST'))
    throw new TypeError(
      `A form of the feature "${feature.name}" posts to "${action}", for which it has no POST route`,
    )
  const attributes = { action: `${base}/${action ?? own}`, method: 'POST' }
  return h('form', attributes, [
    ...createHiddenFields({ ...hidden, csrfToken, callbackUrl }),
    ...fields.map((field) => createViewField(field)),
    h('button', { type: 'submit', ...(sends && { name: sends.name, value: sends.value }) }, button),
  ])
}
