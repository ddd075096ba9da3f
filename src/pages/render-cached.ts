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

/** A rendered page without its CSRF token. */
interface TokenlessPage extends Omit<RenderedPage, 'html'> {
  /** The HTML between the places of the token. */
  readonly pieces: readonly string[]
}

/** The last plain page. */
interface LastPage extends TokenlessPage {
  readonly language: Language
  readonly base: string
  readonly callbackUrl: string
}

interface Cache {
  /** Each configuration has few templates, because there are few error texts, providers and languages. */
  readonly templates: Map<string, Template>
  /** Most plain pages differ from the previous one only in the CSRF token. */
  last?: LastPage
}

const cacheOf = oncePer<Appearance, Cache>(() => ({ templates: new Map() }))

type Appearance = Pick<Settings, 'theme' | 'platform' | 'locale' | 'texts'>

/**
 * Renders a page exactly as `renderPage` does, but creates the elements of a sign-in page only once per configuration, and
 * keeps the last plain page.
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
  const cache = cacheOf(appearance)
  const { base, callbackUrl } = page
  const { last } = cache
  const canKeep = isPlain(page)
  if (canKeep && last?.language === language && last.base === base && last.callbackUrl === callbackUrl)
    return insertToken(last, page)
  return whenReady(provideTemplate(cache.templates, page, appearance, language), (template) => {
    const filled = fill(template, page)
    if (canKeep) cache.last = { ...filled, language, base, callbackUrl }
    return insertToken(filled, page)
  })
}

/**
 * Tells whether a page has a token and shows nothing of its request except the path of the target. Everything else may
 * identify a user or contain a secret, so it should not stay in memory.
 */
function isPlain({ csrfToken, callbackUrl, error, code, email, refusedBy, name }: SignInPage): boolean {
  return (
    Boolean(csrfToken) &&
    !/[?#]/.test(callbackUrl) &&
    error === undefined &&
    code === undefined &&
    email === undefined &&
    refusedBy === undefined &&
    name === undefined
  )
}

function insertToken({ pieces, sources }: TokenlessPage, { csrfToken }: SignInPage): RenderedPage {
  return { html: pieces.join(escape(csrfToken ?? '')), sources }
}

function provideTemplate(
  templates: Cache['templates'],
  page: SignInPage,
  appearance: Appearance,
  language: Language,
): MaybePromise<Template> {
  // Absent and empty values change the HTML around them, so they are part of the template, as the message is.
  const message = findSignInMessage(page.error, page.code)?.text
  const values = slots.map((slot) => page[slot] && slot)
  const key = JSON.stringify([language.locale, message, page.refusedBy, ...values])
  const known = templates.get(key)
  if (known) return known
  return createTemplate(page, appearance, language).then((template) => {
    templates.set(key, template)
    return template
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

/** Fills all slots except those of the token. */
function fill({ pieces, sources }: Template, page: SignInPage): TokenlessPage {
  const values: Partial<Record<string, string>> = {}
  for (const slot of slots) if (slot !== 'csrfToken') values[slot] = escape(page[slot] ?? '')
  const filled: string[] = []
  let html = ''
  pieces.forEach((piece, position) => {
    if (position % 2 === 0) html += piece
    else if (piece !== 'csrfToken') html += values[piece]
    else {
      filled.push(html)
      html = ''
    }
  })
  return { pieces: [...filled, html], sources }
}

/** Escapes text as the renderer does. */
function escape(text: string): string {
  // Most values, such as tokens and URLs, have no character that the renderer would replace.
  return /^[\w:/.-]*$/.test(text) ? text : renderToString(h(Fragment, {}, text))
}
