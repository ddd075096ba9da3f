import { maxCallbackUrl, maxEncodedCallbackUrl } from './limits.ts'

/** Browsers drop or turn these, other parsers don't: U+0000 to U+001F and U+007F anywhere, `\` before the query. */
// oxlint-disable-next-line no-control-regex
const ambiguous = /[\u0000-\u001f\u007f]|^[^?#]*\\/

/**
 * Reads where a client wants to go: an absolute http(s) URL, or a path, which is resolved against the origin. Answers
 * the URL as a browser would normalise it, so that what is judged here is where it goes; undefined for anything else,
 * too long (2 KiB), or with credentials in it. Another origin than ours is for the redirect callback to judge.
 */
export function parseCallbackUrl(value: unknown, origin: string): string | undefined {
  if (typeof value !== 'string' || value.length > maxCallbackUrl) return undefined
  if (ambiguous.test(value) || !/^(?:\/|https?:\/\/)/i.test(value)) return undefined
  const parsed = tryUrl(value, origin)
  if (!parsed) return undefined
  const { href, username, password } = parsed
  if (username !== '' || password !== '' || !/^https?:/.test(href)) return undefined
  if (href.length > maxCallbackUrl || encodeURIComponent(href).length > maxEncodedCallbackUrl)
    return undefined
  // An origin alone stays as it was written, since clients compare it with the one they know.
  return href === `${value}/` ? value : href
}

/** The redirect callback when none is configured: URLs of our own origin, and else the base URL. Never throws. */
export function defaultRedirect({ url, baseUrl }: { url: string; baseUrl: string }): string {
  const target = parseCallbackUrl(url, baseUrl)
  return target !== undefined && new URL(target).origin === new URL(baseUrl).origin ? target : baseUrl
}

/** Parses once, where `URL.canParse` and then \`new URL\` would do it twice. */
function tryUrl(text: string, base: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
