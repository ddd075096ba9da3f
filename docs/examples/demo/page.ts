import { readFileSync } from 'node:fs'
import { html, type Html } from './html.ts'

export interface PageOptions {
  readonly title: string
  readonly status?: number
  /** Tells the site and the provider apart at a glance. */
  readonly at: 'site' | 'provider'
  readonly body: Html
}

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/** What every page of the demo loads, by path. */
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

/** A document without scripts, which loads nothing but its style sheet and pictures. */
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
  // Pictures of people are where their provider keeps them; the demo's own provider answers on loopback.
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
