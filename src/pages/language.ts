import type { ComponentChild } from 'preact'
import type { Settings } from '../config/settings.ts'
import { type MaybePromise, whenReady } from '../async/maybe-promise.ts'
import { onceLoaded } from '../async/once.ts'
import type { PageLocale, LibraryTexts } from '../types/page-texts.ts'
import { english } from './english.ts'

/** The texts of a page, and how to write them. */
export interface Language {
  readonly locale: PageLocale
  readonly direction: 'ltr' | 'rtl'
  readonly texts: LibraryTexts
}

/** English without the texts of a configuration. */
export const plainEnglish: Language = { locale: 'en', direction: 'ltr', texts: english }

/** All other languages are loaded when the first page needs them. */
const loaders: Readonly<Record<PageLocale, () => MaybePromise<LibraryTexts>>> = {
  en: () => english,
  de: onceLoaded(async () => (await import('./german.ts')).german),
  ar: onceLoaded(async () => (await import('./arabic.ts')).arabic),
}

type Chosen = Pick<Settings, 'locale' | 'texts'>

/**
 * Returns the language of the configuration, or else the one that the browser prefers, with the texts of the
 * configuration.
 */
export function provideLanguage(settings: Chosen, accepted: string | null): MaybePromise<Language> {
  // The page for an invalid configuration is rendered too, so the locale and the texts may be of any type.
  const fixed = settings.locale ?? ''
  const locale = isLocale(fixed) ? fixed : chooseLocale(accepted)
  return whenReady(loaders[locale](), (texts) => ({
    locale,
    direction: locale === 'ar' ? 'rtl' : 'ltr',
    texts: { ...texts, ...onlyTexts(settings.texts[locale]) },
  }))
}

function onlyTexts(texts: unknown): Partial<LibraryTexts> {
  return Object.fromEntries(Object.entries(texts ?? {}).filter(([, text]) => typeof text === 'string'))
}

/** Browsers send far shorter headers. */
const maxHeader = 256

/** Returns the language of an `Accept-Language` header (RFC 9110 12.5.4) with the highest quality, or else English. */
export function chooseLocale(header: string | null): PageLocale {
  if (!header) return 'en'
  let best: { readonly locale: PageLocale; readonly quality: number } = { locale: 'en', quality: 0 }
  for (const part of header.slice(0, maxHeader).split(',')) {
    const [range = '', weight = ''] = part.split(';')
    const locale = range.trim().split('-', 1)[0]?.toLowerCase() ?? ''
    const quality = weight === '' ? 1 : Number(/^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(weight)?.[1] ?? 0)
    if (isLocale(locale) && quality > best.quality) best = { locale, quality }
  }
  return best.locale
}

function isLocale(text: unknown): text is PageLocale {
  return typeof text === 'string' && Object.hasOwn(loaders, text)
}

/** Replaces the words in braces with values. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (word, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : word,
  )
}

/** Replaces the words in braces with elements. */
export function compose(text: string, elements: Readonly<Record<string, ComponentChild>>): ComponentChild[] {
  return text
    .split(/\{(\w+)\}/)
    .map((piece, at) =>
      at % 2 === 0 ? piece : Object.hasOwn(elements, piece) ? elements[piece] : `{${piece}}`,
    )
}
