import fc from 'fast-check'
import type { Sending } from '../../world/browser.ts'

/** A prefix of one secret, which an attacker could move into the token if both were joined without a separator. */
export const beginning = 'the-beginning-of-it'

/** Invalid CSRF tokens, derived from the right one. */
export const invalidTokens: Readonly<
  Record<string, (right: string, foreign: string) => Sending & { query?: string }>
> = {
  'no token': () => ({ form: {} }),
  'an empty token': () => ({ form: { csrfToken: '' } }),
  'the token of another browser': (_, foreign) => ({ form: { csrfToken: foreign } }),
  'a truncated token': (right) => ({ form: { csrfToken: right.slice(0, -1) } }),
  'a longer token': (right) => ({ form: { csrfToken: `${right}0` } }),
  'the token in capitals': (right) => ({ form: { csrfToken: flip(right.toUpperCase(), right) } }),
  'a token with one letter changed': (right) => ({ form: { csrfToken: flip(right, right) } }),
  'a token in brackets': (right) => ({ form: { 'csrfToken[]': right } }),
  'a token in an array': (right) => ({ json: { csrfToken: [right] } }),
  'a token in an object': (right) => ({ json: { csrfToken: { value: right } } }),
  'a token that is true': () => ({ json: { csrfToken: true } }),
  'a token that is null': () => ({ json: { csrfToken: null } }),
  'a token that is a number': () => ({ json: { csrfToken: 0 } }),
  'the token in a header': (right) => ({ form: {}, headers: { 'x-csrf-token': right } }),
  'the token in the query': (right) => ({ form: {}, query: `?csrfToken=${right}` }),
  'no token, sent by a script': () => ({ form: {}, headers: { 'x-auth-return-redirect': '1' } }),
  'a wrong token, sent by a script': (_, foreign) => ({
    json: { csrfToken: foreign },
    headers: { 'x-auth-return-redirect': '1', 'x-requested-with': 'XMLHttpRequest' },
  }),
  'a wrong token, and the right one in the query': (right) => ({
    form: { csrfToken: 'x' },
    query: `?csrfToken=${right}`,
  }),
  'an array with a wrong and the right token': (right) => ({ json: { csrfToken: ['x', right] } }),
}

/** Whether only someone who knows the right token can send this one. */
export const needsToken = (name: string) =>
  JSON.stringify(invalidTokens[name]?.('the-right-one', 'another') ?? {}).includes('the-right-one')

/** Changes one letter, if the text is still the right one. */
function flip(text: string, right: string): string {
  return text === right ? `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}` : text
}

/** Invalid cookies, derived from the right one; the form repeats their token. */
export const invalidCookies: Readonly<Record<string, (value: string) => string | undefined>> = {
  'no cookie': () => undefined,
  'an altered hash': (value) => flip(value, value),
  'a truncated hash': (value) => value.slice(0, -1),
  'a longer hash': (value) => `${value}0`,
  'no hash': (value) => value.split(/\||%7C/i)[0] ?? '',
  'an empty hash': (value) => `${value.split(/\||%7C/i)[0]}%7C`,
  'the token as its own hash': (value) => {
    const [token] = value.split(/\||%7C/i)
    return `${token}%7C${token}`
  },
  'a prefix of the secret in the token': (value) => value.replace(/(?=\||%7C)/i, beginning),
  'a truncated token': (value) => value.slice(1),
  'another token before the hash': (value) =>
    `${flip(value.slice(0, 64), value.slice(0, 64))}${value.slice(64)}`,
}

/**
 * Headers that a page or script of the application itself would send, or an old browser would not. Programs can send any
 * of them, and an attacker's page some: none is a proof.
 */
const ownHeaders: Readonly<Record<string, (origin: string) => readonly [string, string | undefined]>> = {
  'its own origin': (origin) => ['origin', origin],
  'no origin': () => ['origin', undefined],
  'its own origin as referrer': (origin) => ['referer', `${origin}/`],
  'its own page as referrer': (origin) => ['referer', `${origin}/auth/signin?x=1`],
  'the same origin': () => ['sec-fetch-site', 'same-origin'],
  'the same site': () => ['sec-fetch-site', 'same-site'],
  'no site': () => ['sec-fetch-site', 'none'],
  'a script': () => ['sec-fetch-mode', 'cors'],
  'a script of the same origin': () => ['sec-fetch-mode', 'same-origin'],
  'a click': () => ['sec-fetch-user', '?1'],
  'an XMLHttpRequest': () => ['x-requested-with', 'XMLHttpRequest'],
  'its own client': () => ['x-auth-return-redirect', '1'],
  'a request for JSON': () => ['accept', 'application/json'],
  'a bearer token': () => ['authorization', 'Bearer of-somebody'],
}

/** The names of any number of these headers, possibly none. {@link buildOwnHeaders} builds the headers. */
export const ownHeaderNames = fc.oneof(
  fc.constant<string[]>([]),
  fc.constantFrom(...Object.keys(ownHeaders)).map((word) => [word]),
  fc.subarray(Object.keys(ownHeaders), { minLength: 2 }),
)

/** Builds these headers for an application at this origin. */
export function buildOwnHeaders(
  words: readonly string[],
  origin: string,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(words.flatMap((word) => (ownHeaders[word] ? [ownHeaders[word](origin)] : [])))
}

/** Builds a form for an application at this origin, with a CSRF token that is not its browser's. */
export function buildInvalidForm(
  origin: string,
  { token, words }: { readonly token: string; readonly words: readonly string[] },
  [right, foreign]: readonly [string, string],
  fields: Readonly<Record<string, string>>,
): Sending & { query: string } {
  const { form, json, headers, query = '' } = invalidTokens[token]?.(right, foreign) ?? {}
  return {
    ...(form && { form: { ...form, ...fields } }),
    ...(json !== undefined && { json: { ...Object(json), ...fields } }),
    headers: { ...buildOwnHeaders(words, origin), ...headers },
    query,
  }
}
