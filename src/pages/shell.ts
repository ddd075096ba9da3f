import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { readLogo } from '../text/theme-value.ts'
import type { Theme } from '../types/theme.ts'
import type { LibraryTexts } from '../types/page-texts.ts'
import { type Language, compose } from './language.ts'

/** Creates the hidden fields of a form. Skips undefined values. */
export function createHiddenFields(fields: Readonly<Record<string, string | undefined>>): ComponentChild[] {
  return Object.entries(fields).map(
    ([name, value]) => value !== undefined && h('input', { type: 'hidden', name, value }),
  )
}

/** Creates a message. Assistive technology announces an error at once, and a notice when it is idle. */
export function createMessage(
  text: string,
  { id, isNotice }: { readonly id?: string; readonly isNotice?: boolean | undefined } = {},
): ComponentChild {
  const attributes = isNotice ? { class: 'notice', role: 'status' } : { class: 'error', role: 'alert' }
  return h('div', { ...attributes, id }, h('p', {}, text))
}

/** Shows an address, whose direction does not depend on the text around it. */
export function createAddress(email: string): ComponentChild {
  return h('strong', { dir: 'ltr' }, email)
}

/** The content of a page. */
export interface Content {
  /** Class of the element around the card. Style sheets use it to distinguish the pages. */
  readonly className: string
  readonly heading: string
  readonly children: ComponentChildren
  /** The URL of the library's script, if the page needs it. */
  readonly script?: string | undefined
}

const schemes: ReadonlyMap<string | undefined, string> = new Map([
  ['auto', 'light dark'],
  ['light', 'light'],
  ['dark', 'dark'],
])

/** Creates the elements of a page. Without an origin, it has no link to the site. */
export function createMain(
  { className, heading, children, script }: Content,
  theme: Theme,
  { texts }: Language,
  origin: string | undefined,
) {
  const logo = readLogo(theme.logo)
  return h(
    'main',
    {},
    h(
      'div',
      { class: 'page' },
      h('div', { class: className }, [
        h('div', { class: 'card' }, [
          logo !== undefined && h('img', { class: 'logo', src: logo, alt: texts.logo }),
          h('h1', {}, heading),
          children,
          script !== undefined && h('script', { src: script, defer: true }),
          origin !== undefined && createWayBack(origin, texts),
        ]),
      ]),
    ),
  )
}

function createWayBack(origin: string, texts: LibraryTexts): ComponentChild {
  const site = h('bdi', {}, new URL(origin).host)
  const link = h('a', { class: 'site', href: origin }, compose(texts.backToSite, { site }))
  return h('div', { class: 'back' }, link)
}

/** The parts of a document that are already HTML or CSS. They are inserted without escaping. */
export interface Inserted {
  readonly style: string
  readonly main: string
}

/** Creates the document around the elements of a page. */
export function createDocument(title: string, theme: Theme, language: Language, inserted: Inserted) {
  const scheme = schemes.has(theme.colorScheme) ? theme.colorScheme : 'auto'
  return h('html', { lang: language.locale, dir: language.direction }, [
    h('head', {}, [
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { name: 'color-scheme', content: schemes.get(scheme) }),
      h('meta', { name: 'robots', content: 'noindex' }),
      h('title', {}, title),
      h('style', { dangerouslySetInnerHTML: { __html: inserted.style } }),
    ]),
    h('body', {
      class: `__next-auth-theme-${scheme}`,
      dangerouslySetInnerHTML: { __html: inserted.main },
    }),
  ])
}
