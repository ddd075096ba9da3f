import { readFileSync } from 'node:fs'
import { html, type Html } from './html.ts'

export interface PageOptions {
  readonly title: string
  readonly status?: number
  /** Selects the style, so that users can tell the site from the provider. */
  readonly at: 'site' | 'provider'
  readonly body: Html
}

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/** The assets of every page, by path. */
export const assets: ReadonlyMap<string, Response> = new Map([
  ['/style.css', asset(file('style.css'), 'text/css')],
  ['/icon.svg', asset(file('icon.svg'), 'image/svg+xml')],
  ['/favicon.ico', asset(file('icon.svg'), 'image/svg+xml')],
])

function asset(body: string, type: string): Response {
  return new Response(body, {
    headers: { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'max-age=60' },
  })
}

/** Creates a page without scripts, which only loads its style sheet and images. */
export function createPage({ title, status = 200, at, body }: PageOptions): Response {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="/style.css" />
        <link rel="icon" href="/icon.svg" />
      </head>
      <body class="${at}">
        ${body}
      </body>
    </html>`
  return new Response(document.html, { status, headers })
}

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'private, no-store',
  // Providers host the pictures of their users; the demo's provider is on loopback.
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' https: http://127.0.0.1:*",
    "form-action 'self' http://localhost:* http://127.0.0.1:*",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
}
