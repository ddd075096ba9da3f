import { Fragment, h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Settings } from '../config/settings.ts'
import { randomHex } from '../crypto/random.ts'
import { type MaybePromise, whenReady } from '../maybe-promise.ts'
import { oncePer } from '../once.ts'
import { findSignInMessage } from './error-text.ts'
import { type Language, provideLanguage } from './language.ts'
import type { Page, SignInPage } from './page.ts'
import { type RenderedPage, renderPage } from './render-page.ts'

/** The values that differ between requests. The page shows them as they are. */
const slots = ['base', 'csrfToken', 'callbackUrl', 'email', 'name'] as const

/** A rendered page without the values of its slots. */
interface Template extends Omit<RenderedPage, 'html'> {
  /** HTML and names of slots, alternately. */
  readonly pieces: readonly string[]
}

/** Each configuration has few templates, because there are few error texts, providers and languages. */
const templatesOf = oncePer<Appearance, Map<string, Template>>(() => new Map())

type Appearance = Pick<Settings, 'theme' | 'platform' | 'locale' | 'texts'>

/**
 * Renders a page exactly as `renderPage` does, but creates the elements of a sign-in page only once per configuration.
 *
 * @param appearance one object per configuration
 * @param accepted the `Accept-Language` header
 */
export function renderCached(
  page: Page,
  appearance: Appearance,
  accepted: string | null = null,
): MaybePromise<RenderedPage> {
  return whenReady(provideLanguage(appearance, accepted), (language) =>
    page.page === 'signin'
      ? renderSignIn(page, appearance, language)
      : renderPage(page, appearance.theme, language),
  )
}

function renderSignIn(
  page: SignInPage,
  appearance: Appearance,
  language: Language,
): MaybePromise<RenderedPage> {
  const templates = templatesOf(appearance)
  // Absent and empty values change the HTML around them, so they are part of the template, as the message is.
  const message = findSignInMessage(page.error, page.code)?.text
  const values = slots.map((slot) => page[slot] && slot)
  const key = JSON.stringify([language.locale, message, page.refusedBy, ...values])
  const known = templates.get(key)
  if (known) return fill(known, page)
  return createTemplate(page, appearance, language).then((template) => {
    templates.set(key, template)
    return fill(template, page)
  })
}

/** Renders the page with marks in its slots, and splits it there. They are random, so that no other text contains them. */
async function createTemplate(
  page: SignInPage,
  { theme, platform }: Appearance,
  language: Language,
): Promise<Template> {
  const mark = randomHex(platform.randomBytes)
  const marked = Object.fromEntries(slots.flatMap((slot) => (page[slot] ? [[slot, mark + slot]] : [])))
  const { html, ...others } = await renderPage({ ...page, ...marked }, theme, language)
  return { ...others, pieces: html.split(new RegExp(`${mark}(${slots.join('|')})`)) }
}

function fill({ pieces, sources }: Template, page: SignInPage): RenderedPage {
  const values: Partial<Record<string, string>> = {}
  for (const slot of slots) values[slot] = escape(page[slot] ?? '')
  const html = pieces.map((piece, position) => (position % 2 === 0 ? piece : values[piece])).join('')
  return { html, sources }
}

/** Escapes text as the renderer does. */
function escape(text: string): string {
  // Most values, such as tokens and URLs, have no character that the renderer would replace.
  return /^[\w:/.-]*$/.test(text) ? text : renderToString(h(Fragment, {}, text))
}
