import { createHash } from 'node:crypto'

const algorithms = ['md5', 'sha1', 'sha256'] as const
const encodings = ['hex', 'base64url', 'base64'] as const

/** Numbers that an application may have counted to. */
const counted = 20_000

/** What an attacker may know of a value: when it was made, and for whom. */
export interface Known {
  /** Milliseconds since 1970. */
  readonly from: number
  readonly until: number
  readonly words: readonly string[]
}

/**
 * Finds a value that is made of something an attacker knows or tries: a time, a number or a name, as it is or hashed.
 *
 * @returns what it is made of
 */
export function guess(value: string, { from, until, words }: Known): string | undefined {
  const parts = value.split(/[^\w+/=-]+|%3A|%2E/i).filter((part) => part.length >= 8)
  const stems = parts.flatMap((part) => [part, ...withoutPadding(part)])
  const isMade = (text: string) => stems.some((part) => isOf(part, text))
  for (const word of words) if (isMade(word)) return `“${word}”`
  for (let time = from - 1000; time <= until + 1000; time++)
    if (isMade(String(time))) return 'the time in milliseconds'
  for (let time = Math.floor(from / 1000) - 1; time <= until / 1000 + 1; time++)
    if (isMade(String(time))) return 'the time in seconds'
  for (let number = 0; number < counted; number++) if (isMade(String(number))) return `the number ${number}`
  return undefined
}

/** Returns a value without the repeated character that makes it long enough. */
function withoutPadding(part: string): readonly string[] {
  return [part.replace(/(.)\1{7,}$/, ''), part.replace(/^(.)\1{7,}/, '')].filter(
    (stem) => stem !== part && stem !== '',
  )
}

function isOf(part: string, text: string): boolean {
  if (part === text || part === Buffer.from(text).toString('base64url')) return true
  return algorithms.some((algorithm) => {
    const hash = createHash(algorithm).update(text).digest()
    return encodings.some((encoding) => hash.toString(encoding).replace(/=+$/, '') === part)
  })
}
