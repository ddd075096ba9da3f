import { h, type ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'

export interface Frame {
  readonly title: string
  /** Path under which devtools are mounted. */
  readonly path: string
  readonly children: ComponentChildren
}

/** A page as a document: whatever it loads is beside it, and nothing in it is inline. */
export function writePage({ title, path, children }: Frame): string {
  const page = h('html', { lang: 'en' }, [
    h('head', {}, [
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('meta', { name: 'robots', content: 'noindex' }),
      h('title', {}, `${title} · authmachine devtools`),
      h('link', { rel: 'stylesheet', href: `${path}/style.css` }),
      h('link', { rel: 'icon', href: 'data:,' }),
      h('script', { src: `${path}/script.js`, defer: true }),
    ]),
    h('body', {}, [
      h('header', { class: 'bar' }, [
        h('a', { class: 'brand', href: path }, 'authmachine devtools'),
        h('p', { class: 'live', role: 'status', 'data-live': `${path}/events` }, 'Reload for what is new.'),
      ]),
      h('main', {}, children),
    ]),
  ])
  return `<!DOCTYPE html>${renderToString(page)}`
}
