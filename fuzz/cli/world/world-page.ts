import { h, type ComponentChild } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { style } from '../../report/style.ts'
import type { Entry, Letter, Visit } from '../../world/journal.ts'
import { people } from '../../world/people.ts'

/** Renders the requests and mails as a page without scripts. */
export function writeWorldPage(entries: readonly Entry[], consenting: string): string {
  const visits = entries.filter((entry) => entry.kind === 'request')
  const letters = entries.filter((entry) => entry.kind === 'mail')
  const page = h('html', { lang: 'en' }, [
    h('head', null, [
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('title', null, 'Providers and mailbox'),
      h('style', { dangerouslySetInnerHTML: { __html: style } }),
    ]),
    h('body', null, [
      h('header', null, [
        h('h1', null, 'Providers and mailbox'),
        h('p', null, h('a', { href: '/' }, 'Reload')),
      ]),
      h('main', null, [
        chooser(consenting),
        h('h2', null, 'Requests to the providers'),
        visits.length === 0
          ? nothing('No requests yet.')
          : table(['Time', 'Provider', 'Request', 'Parameters', 'Response'], visits.map(visitRow)),
        h('h2', null, 'Mails'),
        letters.length === 0
          ? nothing('No mails yet.')
          : table(['Time', 'To', 'Subject', 'Links'], letters.map(letterRow)),
      ]),
    ]),
  ])
  return `<!doctype html>${renderToString(page)}\n`
}

/** The person who consents at the providers from now on. */
function chooser(consenting: string): ComponentChild {
  return h('form', { method: 'post', action: '/' }, [
    `The providers sign in ${consenting}. Change to `,
    ...Object.keys(people)
      .filter((name) => name !== consenting)
      .flatMap((name) => [h('button', { name: 'person', value: name }, name), ' ']),
  ])
}

function nothing(text: string): ComponentChild {
  return h('p', { class: 'none' }, text)
}

function table(titles: readonly string[], rows: readonly ComponentChild[]): ComponentChild {
  const head = h(
    'tr',
    null,
    titles.map((title) => h('th', { scope: 'col' }, title)),
  )
  return h('table', null, [h('thead', null, head), h('tbody', null, rows)])
}

function visitRow({ at, provider, method, path, parameters, status, says }: Visit): ComponentChild {
  const pairs = parameters.flatMap(([name, value]) => [h('code', null, `${name}=${value}`), ' '])
  return h('tr', null, [
    time(at),
    h('td', null, provider),
    h('td', null, h('code', null, `${method} ${path}`)),
    h('td', null, pairs),
    h('td', null, [h('strong', { class: status < 400 ? 'PASS' : 'ERROR' }, status), ` ${says}`]),
  ])
}

function letterRow({ at, to, subject, links }: Letter): ComponentChild {
  return h('tr', null, [
    time(at),
    h('td', null, to.join(', ')),
    h('td', null, subject),
    h(
      'td',
      null,
      links.flatMap((link) => [h('a', { href: link, rel: 'noreferrer' }, link), ' ']),
    ),
  ])
}

function time(at: number): ComponentChild {
  const date = new Date(at)
  return h(
    'th',
    { scope: 'row' },
    h('time', { datetime: date.toISOString() }, date.toLocaleTimeString('en-GB')),
  )
}
