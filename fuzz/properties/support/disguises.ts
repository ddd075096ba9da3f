import fc from 'fast-check'
import type { Browser, Sending } from '../../world/browser.ts'

/** Names by which a limit could find what to count, and that the forms of an application may ignore. */
const names = [
  'account',
  'user',
  'userId',
  'user_id',
  'username',
  'identifier',
  'email',
  'name',
  'id',
  'sub',
  'login',
  'client',
  'clientAddress',
  'ip',
  'key',
  'session',
]

/** Headers that every client can write. */
const headers = [
  'user-agent',
  'x-forwarded-for',
  'x-real-ip',
  'forwarded',
  'accept-language',
  'x-request-id',
  'referer',
]

/** How attempts differ from each other, although they are about the same account. */
export const disguises = [
  'further fields',
  // Readers of forms differ in which of two fields they use.
  'a field before the same one',
  'a field after the same one',
  'parameters of the URL',
  'headers',
  'cookies',
] as const
export type Disguise = (typeof disguises)[number]

/** Ways to guess: how attempts look different, and whether each comes from another browser. */
export interface Guesser {
  readonly how: Disguise
  readonly isFresh: boolean
}

/** Every way to guess, for the cases of a property. */
export const guessers: readonly Guesser[] = disguises.flatMap((how) =>
  [true, false].map((isFresh) => ({ how, isFresh })),
)

export const guesser: fc.Arbitrary<Guesser> = fc.record({
  how: fc.constantFrom(...disguises),
  isFresh: fc.boolean(),
})

/** Returns the browser, with requests that look different each time. Its tokens and cookies stay its own. */
export function disguise(browser: Browser, how: Disguise, n: number): Browser {
  return {
    ...browser,
    send(path, sending = {}) {
      if (how === 'cookies') for (const name of names) browser.setCookie(`${name}=${decoy(name, n)}; Path=/`)
      const query =
        how === 'parameters of the URL'
          ? String(new URLSearchParams(decoys(n, new URLSearchParams(path.split('?')[1]))))
          : ''
      const whole = query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`
      return browser.send(whole, change(sending, how, n))
    },
  }
}

function change(sending: Sending, how: Disguise, n: number): Sending {
  if (how === 'headers')
    return {
      ...sending,
      headers: { ...Object.fromEntries(headers.map((name) => [name, decoy(name, n)])), ...sending.headers },
    }
  const isForm = how !== 'cookies' && how !== 'parameters of the URL'
  return sending.form && isForm
    ? { ...sending, form: new URLSearchParams(changeForm(sending, how, n)) }
    : sending
}

function changeForm(sending: Sending, how: Disguise, n: number): string[][] {
  const entries = [...new URLSearchParams(sending.form)]
  if (how === 'further fields') return [...decoys(n, new URLSearchParams(sending.form)), ...entries]
  return entries.flatMap(([name, value]) => {
    if (!names.includes(name)) return [[name, value]]
    const other = [name, decoy(name, n)]
    return how === 'a field before the same one' ? [other, [name, value]] : [[name, value], other]
  })
}

/** Returns values for the names that are not taken. */
function decoys(n: number, taken: URLSearchParams): string[][] {
  return names.filter((name) => !taken.has(name)).map((name) => [name, decoy(name, n)])
}

function decoy(name: string, n: number): string {
  if (name === 'forwarded') return `for=198.51.100.${n}`
  if (/^(?:ip|client|x-forwarded-for|x-real-ip)/.test(name)) return `198.51.100.${n}`
  return name === 'email' || name === 'identifier' ? `decoy-${n}@mail.example` : `decoy-${n}`
}
