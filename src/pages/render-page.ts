import { renderToString } from 'preact-render-to-string'
import type { Settings } from '../config/settings.ts'
import { sha256Base64url } from '../crypto/hash.ts'
import type { PageSources } from '../http/respond.ts'
import type { Theme } from '../types/theme.ts'
import { type Language, plainEnglish, provideLanguage } from './language.ts'
import type { Page } from './page.ts'
import {
  createConfirmPage,
  createErrorPage,
  createSignOutPage,
  createVerifyRequestPage,
} from './plain-pages.ts'
import { type Content, createDocument, createMain } from './shell.ts'
import { createSignInPage, listBrands } from './sign-in-page.ts'
import { createStyle } from './style.ts'

export interface RenderedPage {
  readonly html: string
  /** The sources of the page: its one inline style sheet, the site's logo, and a script if it needs one. */
  readonly sources: PageSources
}

/**
 * Renders a built-in page in the language of the configuration, or else in the one that the browser prefers.
 *
 * @param accepted the `Accept-Language` header
 */
export async function renderLocalised(
  page: Page,
  settings: Pick<Settings, 'theme' | 'locale' | 'texts'>,
  accepted: string | null = null,
): Promise<RenderedPage> {
  return renderPage(page, settings.theme, await provideLanguage(settings, accepted))
}

/**
 * Renders a built-in page as an HTML document. It has no inline scripts and no inline style attributes, it loads only
 * images of the same origin and the site's logo, and all values are escaped. It works under
 * `default-src 'none'; style-src '<style>'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'`. A
 * `form-action` would also have to allow the providers, because browsers apply it to the redirect after a form.
 */
export async function renderPage(
  page: Page,
  theme: Theme,
  language: Language = plainEnglish,
): Promise<RenderedPage> {
  const content = createContent(page, language)
  // The button that cancels a sign-out also leads back.
  const origin = page.page === 'signout' ? undefined : page.origin
  const main = renderToString(createMain(content, theme, language, origin))
  // Some rules depend on the direction of the text.
  const markup = `<html dir="${language.direction}">${main}`
  const style = createStyle(theme, markup, page.page === 'signin' ? listBrands(page) : undefined)
  const html = `<!DOCTYPE html>${renderToString(createDocument(content.heading, theme, language, { style, main }))}`
  const script = content.script === undefined ? {} : { script: 'self' }
  return { html, sources: { style: await hashStyle(style), logo: theme.logo, ...script } }
}

function createContent(page: Page, { texts }: Language): Content {
  switch (page.page) {
    case 'signin':
      return createSignInPage(page, texts)
    case 'signout':
      return createSignOutPage(page, texts)
    case 'error':
      return createErrorPage(page, texts)
    case 'confirm':
      return createConfirmPage(page, texts)
    case 'feature':
      return { ...page, children: page.parts }
    case 'verify-request':
      return createVerifyRequestPage(page, texts)
  }
}

async function hashStyle(style: string): Promise<string> {
  const hash = await sha256Base64url(style)
  // The policy has the other alphabet, and 32 bytes need one character of padding.
  return `sha256-${hash.replaceAll('-', '+').replaceAll('_', '/')}=`
}
