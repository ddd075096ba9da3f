import { noStore } from './no-store.ts'
import type { AnswerHeaders } from './respond.ts'

export interface PageSources {
  /** Hash or nonce of the page's style, as the policy names it: `sha256-...` or `nonce-...`. */
  readonly style: string
  /** Hash or nonce of the page's script, or `self` for scripts of our own routes. @default no script */
  readonly script?: string
  /** URL of the logo; only of an absolute one the origin has to be named. */
  readonly logo?: string
}

/**
 * Headers of a built-in page (decision 32): nothing is loaded but what the page names, it is shown in no frame, its
 * address goes to no other site, and no cache keeps it.
 */
export function pageHeaders(sources: PageSources): AnswerHeaders {
  return {
    ...noStore,
    'Content-Type': 'text/html',
    'Content-Security-Policy': contentSecurityPolicy(sources),
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  }
}

function contentSecurityPolicy({ style, script, logo }: PageSources): string {
  return [
    "default-src 'none'",
    `style-src '${style}'`,
    `img-src 'self' data:${originOf(logo)}`,
    // A script of ours asks our own routes, for a passkey's options.
    ...(script === undefined ? [] : [`script-src '${script}'`, "connect-src 'self'"]),
    // Browsers hold the redirect that follows a form against it too, which leads to any provider.
    "form-action 'self' https: http://localhost:* http://127.0.0.1:*",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function originOf(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) return ''
  const { origin, protocol } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? ` ${origin}` : ''
}
