import { type ComponentChild, h } from 'preact'
import type { ProviderSettings, Settings } from '../config/settings.ts'
import type { AdapterUser } from '../types/adapter.ts'
import type { Feature, FeatureWords, Json, SiteTools } from '../types/feature.ts'
import type { PageKit, ViewPart } from '../types/feature-page.ts'
import { asError } from '../errors/as-error.ts'
import { composeValues } from './compose-values.ts'
import { fill, type Language, provideLanguage } from './language.ts'
import type { PageLocale } from '../types/page-texts.ts'
import type { FormKit, LibraryView, SiteFeatures } from './library-feature.ts'
import type { FeaturePage, PageProvider } from './page.ts'
import { elementsOf, Part, scriptOf } from './part.ts'
import { drawQrCode, type QrCode } from './qr-code.ts'
import { createHiddenFields, createMessage } from './shell.ts'
import { createViewField } from './view-field.ts'

/** A page of a feature, and what its forms need. */
interface Shown {
  readonly feature: Feature
  /** The name of the page in the feature. */
  readonly page: string
  readonly data: Json
  /** The URL of the library's routes, without a trailing slash. */
  readonly base: string
  /** The path of the route that shows the page, below `base`. */
  readonly action: string
  readonly origin: string
  /** Absent when the CSRF check is off. */
  readonly csrfToken: string | undefined
  /** Where the browser goes afterwards, if the flow has resolved it. */
  readonly callbackUrl: string | undefined
  readonly features: SiteFeatures['features']
  readonly hasRoute: SiteFeatures['hasRoute']
  /** Returns what a feature may use. */
  readonly toolsOf: (feature: Feature) => SiteTools
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
  const [t, { locale }] = await Promise.all([
    prepareTexts(feature, settings, accepted),
    provideLanguage(settings, accepted),
  ])
  const createId = countIds()
  const accountSections = async (userId: string) => {
    const user = await shown.toolsOf(feature).store.getUser(userId)
    const sections = shown.features.map(async (owner) => {
      const words = await prepareTexts(owner, settings, accepted)
      return user ? showSection(user, { ...shown, feature: owner }, createId, { t: words, locale }) : []
    })
    return (await Promise.all(sections)).flat()
  }
  const kit = createKit(shown, createId, { t, locale })
  const view: LibraryView = await show(data, { ...kit, accountSections })
  const { heading, parts } = view
  const suited = parts.some((part) => part?.kind === 'section') ? 'sections' : 'signin'
  const { className = suited } = view
  return {
    page: 'feature',
    className,
    origin,
    heading: String(heading),
    parts: elementsOf(parts),
    script: scriptOf(parts),
  }
}

/** Returns what features say about a provider on the sign-in page, in the language of the page. */
export async function describeProvider(
  provider: ProviderSettings,
  optional: SiteFeatures['optional'],
  shown: Pick<Shown, 'base' | 'hasRoute'>,
  settings: Pick<Settings, 'locale' | 'texts'>,
  accepted: string | null,
): Promise<Partial<PageProvider>> {
  const createFormKit = async (feature: Feature): Promise<FormKit> => ({
    base: shown.base,
    t: await prepareTexts(feature, settings, accepted),
    link: (to, text) => new Part('link', createLink(String(to), String(text), { ...shown, feature })),
  })
  if (provider.kind === 'feature') {
    const { config } = provider
    const form = config.signIn.form?.(await createFormKit(config))
    return { form, links: form?.links }
  }
  const described = optional.map(async (feature) =>
    feature.describeForm?.(provider, await createFormKit(feature)),
  )
  return Object.assign({}, ...(await Promise.all(described)))
}

/** Returns the section of a feature on the account page of a user, if there is one. */
async function showSection(
  user: AdapterUser,
  shown: Shown,
  createId: CreateId,
  wording: Wording,
): Promise<readonly ViewPart[]> {
  const { feature, toolsOf } = shown
  if (!feature.account) return []
  const kit = createKit({ ...shown, action: feature.name }, createId, wording)
  try {
    const section = await feature.account(user, kit, toolsOf(feature))
    return section ? [kit.section(section.heading, section.parts)] : []
  } catch (error) {
    const message = `The section of the feature "${feature.name}" on the account page: ${asError(error).message}`
    throw new TypeError(message, { cause: error })
  }
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

/** Creates the id of a field. */
type CreateId = (name: string) => string

/** The language of a page. */
interface Wording {
  readonly t: PageKit['t']
  readonly locale: PageLocale
}

function createKit(
  shown: Shown,
  createId: CreateId,
  { t, locale }: Wording,
): Omit<PageKit, 'accountSections'> {
  return {
    t,
    text: (text, values = {}) => new Part('text', h('p', {}, composeValues(String(text), values, locale))),
    link: (to, text) => new Part('link', createLink(String(to), String(text), shown)),
    message: (text) => new Part('message', createMessage(String(text))),
    notice: (text) => new Part('notice', createMessage(String(text), { isNotice: true })),
    list: (items) => new Part('list', createList(items)),
    async qrCode(text) {
      const drawn = await drawQrCode(String(text))
      return drawn && new Part('qr-code', createQrCode(drawn))
    },
    section: (heading, parts, options) => new Part('section', createSection(heading, parts, options)),
    form: (form) => new Part('form', createForm(form, shown, createId)),
  }
}

/** Returns a function that creates the id of a field. Several forms of a page may have fields of the same name. */
function countIds(): CreateId {
  const used = new Set<string>()
  return (name) => {
    let id = `input-${name}`
    for (let count = 2; used.has(id); count++) id = `input-${name}-${count}`
    used.add(id)
    return id
  }
}

function createList(items: Parameters<PageKit['list']>[0]): ComponentChild {
  return h(
    'ul',
    { class: 'list' },
    items.map((parts) => h('li', {}, elementsOf(parts))),
  )
}

function createQrCode({ size, path }: QrCode): ComponentChild {
  const attributes = { class: 'qr', 'aria-hidden': true, viewBox: `0 0 ${size} ${size}` }
  // Cameras expect dark modules on a light ground, even in a dark colour scheme.
  const ground = h('rect', { width: size, height: size, fill: '#fff' })
  return h('svg', attributes, [ground, h('path', { d: path, fill: '#000' })])
}

function createSection(
  heading: string,
  parts: readonly (ViewPart | undefined)[],
  { isDangerous = false }: Parameters<PageKit['section']>[2] = {},
): ComponentChild {
  const elements = elementsOf(parts)
  return h('section', {}, [
    h('h2', {}, String(heading)),
    isDangerous ? h('div', { class: 'danger' }, elements) : elements,
  ])
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

function createLink(
  to: string,
  text: string,
  { feature, base, hasRoute }: Pick<Shown, 'feature' | 'base' | 'hasRoute'>,
): ComponentChild {
  const isRoute = /^[a-z][\w-]*(?:\/[\w-]+)*$/i.test(to)
  if (isRoute && !hasRoute('GET', to))
    throw new TypeError(
      `A link of the feature "${feature.name}" leads to "${to}", for which the site has no GET route`,
    )
  const isLink = isRoute || /^https?:\/\//i.test(to) || /^\/(?![/\\])/.test(to)
  return h('p', {}, isLink ? h('a', { class: 'site', href: isRoute ? `${base}/${to}` : to }, text) : text)
}

function createForm(
  form: Parameters<PageKit['form']>[0],
  { feature, base, action: own, csrfToken, callbackUrl, hasRoute }: Shown,
  createId: CreateId,
): ComponentChild {
  const { action = own, fields = [], button, sends, hidden, username } = form
  if (!hasRoute('POST', action))
    throw new TypeError(
      `A form of the feature "${feature.name}" posts to "${action}", for which the site has no POST route`,
    )
  const attributes = { action: `${base}/${action}`, method: 'POST' }
  return h('form', attributes, [
    ...createHiddenFields({ callbackUrl, ...hidden, csrfToken }),
    username && h('input', { type: 'hidden', ...nameAndValue(username), autocomplete: 'username' }),
    ...fields.map((field) => createViewField(field, createId(field.name))),
    h('button', { type: 'submit', ...describeButton(form), ...(sends && nameAndValue(sends)) }, button),
  ])
}

function describeButton({ accessibleName, isSecondary }: Parameters<PageKit['form']>[0]) {
  return { class: isSecondary ? 'secondary' : undefined, 'aria-label': accessibleName }
}

/** The author of a feature may pass other members, too. */
function nameAndValue({ name, value }: { readonly name: string; readonly value: string }) {
  return { name, value }
}
