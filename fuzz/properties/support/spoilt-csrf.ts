import fc from 'fast-check'
import type { Sending } from '../../world/browser.ts'

/** What one secret has before another one: by it, a token and the secret after it are told apart, or not. */
export const beginning = 'the-beginning-of-it'

/** CSRF tokens that are none, made from the right one. */
export const spoiltTokens: Readonly<
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
  'no token, as scripts ask': () => ({ form: {}, headers: { 'x-auth-return-redirect': '1' } }),
  'a wrong token, as scripts ask': (_, foreign) => ({
    json: { csrfToken: foreign },
    headers: { 'x-auth-return-redirect': '1', 'x-requested-with': 'XMLHttpRequest' },
  }),
  'a wrong token, and the right one in the query': (right) => ({
    form: { csrfToken: 'x' },
    query: `?csrfToken=${right}`,
  }),
  'two tokens, the first of them wrong, in an array': (right) => ({ json: { csrfToken: ['x', right] } }),
}

/** Changes one letter of what is not yet another text. */
function flip(text: string, right: string): string {
  return text === right ? `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}` : text
}

/** What may be made of the cookie, when the token in the form is the one in it. */
export const spoiltCookies: Readonly<Record<string, (value: string) => string | undefined>> = {
  'no cookie': () => undefined,
  'an altered hash': (value) => flip(value, value),
  'a hash that is cut': (value) => value.slice(0, -1),
  'a longer hash': (value) => `${value}0`,
  'no hash': (value) => value.split(/\||%7C/i)[0] ?? '',
  'an empty hash': (value) => `${value.split(/\||%7C/i)[0]}%7C`,
  'the token as its own hash': (value) => {
    const [token] = value.split(/\||%7C/i)
    return `${token}%7C${token}`
  },
  'a beginning of the secret in the token': (value) => value.replace(/(?=\||%7C)/i, beginning),
  'a token that is cut': (value) => value.slice(1),
  'another token before the hash': (value) =>
    `${flip(value.slice(0, 64), value.slice(0, 64))}${value.slice(64)}`,
}

/**
 * Headers with which a page of the application itself, or its script, would send a request, by what they say. Programs
 * send any of them, and a page of an attacker some: none is a proof.
 */
const ownHeaders: Readonly<Record<string, (origin: string) => readonly [string, string]>> = {
  'its own origin': (origin) => ['origin', origin],
  'its own origin as referrer': (origin) => ['referer', `${origin}/`],
  'its own page as referrer': (origin) => ['referer', `${origin}/auth/signin?x=1`],
  'the same origin': () => ['sec-fetch-site', 'same-origin'],
  'the same site': () => ['sec-fetch-site', 'same-site'],
  'no site': () => ['sec-fetch-site', 'none'],
  'a script': () => ['sec-fetch-mode', 'cors'],
  'a script of its own origin': () => ['sec-fetch-mode', 'same-origin'],
  'a click': () => ['sec-fetch-user', '?1'],
  'a script of old': () => ['x-requested-with', 'XMLHttpRequest'],
  'its own client': () => ['x-auth-return-redirect', '1'],
  'no page wanted': () => ['accept', 'application/json'],
  'a key': () => ['authorization', 'Bearer of-somebody'],
}

/** None of these headers, one, or several; {@link sayOwn} makes them. */
export const ownWords = fc.oneof(
  fc.constant<string[]>([]),
  fc.constantFrom(...Object.keys(ownHeaders)).map((word) => [word]),
  fc.subarray(Object.keys(ownHeaders), { minLength: 2 }),
)

/** The headers of these words, for an application at this origin. */
export function sayOwn(words: readonly string[], origin: string): Readonly<Record<string, string>> {
  return Object.fromEntries(words.flatMap((word) => (ownHeaders[word] ? [ownHeaders[word](origin)] : [])))
}

/** A form of these fields for an application at this origin, with a CSRF token that is not the one of its browser. */
export function spoil(
  origin: string,
  { token, words }: { readonly token: string; readonly words: readonly string[] },
  [right, foreign]: readonly [string, string],
  fields: Readonly<Record<string, string>>,
): Sending & { query: string } {
  const { form, json, headers, query = '' } = spoiltTokens[token]?.(right, foreign) ?? {}
  return {
    ...(form && { form: { ...form, ...fields } }),
    ...(json !== undefined && { json: { ...Object(json), ...fields } }),
    headers: { ...sayOwn(words, origin), ...headers },
    query,
  }
}
