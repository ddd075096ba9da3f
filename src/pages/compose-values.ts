import { type ComponentChild, h } from 'preact'
import type { PageLocale } from '../types/page-texts.ts'
import { compose } from './language.ts'

/** An address is read from left to right, whatever its letters are. */
const isAddress = /^[^\s@]+@[^\s@]+$/

/**
 * Replaces the words in braces with values that stand out, and whose direction does not depend on the text around them.
 *
 * @param locale the language of dates
 */
export function composeValues(
  text: string,
  values: Readonly<Record<string, string | number | Date>>,
  locale: PageLocale = 'en',
): ComponentChild[] {
  const elements = Object.entries(values).map(([name, value]): [string, ComponentChild] => [
    name,
    value instanceof Date
      ? createTime(value, locale)
      : h('strong', { dir: isAddress.test(String(value)) ? 'ltr' : 'auto' }, String(value)),
  ])
  return compose(text, Object.fromEntries(elements))
}

/** In UTC, because the server does not know the time zone of the user. */
function createTime(date: Date, locale: PageLocale): ComponentChild {
  const text = new Intl.DateTimeFormat(conventions[locale], timeParts).format(date)
  return h('time', { datetime: date.toISOString() }, text)
}

/** English has no single convention. This one has a clock of 24 hours, as UTC usually does. */
const conventions: Readonly<Record<PageLocale, string>> = { en: 'en-GB', de: 'de', ar: 'ar' }

const timeParts: Readonly<Intl.DateTimeFormatOptions> = Object.freeze({
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
})
