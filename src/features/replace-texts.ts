import type { AuthConfig } from '../types/config.ts'
import type { PageLocale } from '../types/page-texts.ts'

/** Returns the texts of an optional feature. Those of the configuration, whose keys have no prefix, replace them. */
export function replaceTexts(
  texts: Readonly<Record<PageLocale, object>>,
  replaced: AuthConfig['texts'],
): Readonly<Record<PageLocale, Readonly<Record<string, string>>>> {
  const replace = (locale: PageLocale) => {
    // The page for an invalid configuration is rendered too, so the texts may be of any type.
    const own = Object.entries(replaced?.[locale] ?? {}).filter(
      ([key, text]) => typeof text === 'string' && Object.hasOwn(texts.en, key),
    )
    return { ...texts[locale], ...Object.fromEntries(own) }
  }
  return { en: replace('en'), de: replace('de'), ar: replace('ar') }
}
