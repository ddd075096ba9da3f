import type * as NodeCrypto from 'node:crypto'
import { findNodeCrypto } from '../crypto/node-crypto.ts'
import { readSecret } from '../text/typed-secret.ts'

/** @throws Error on an edge runtime. An `import` would fail there when a program is bundled. */
function requireCrypto(): typeof NodeCrypto {
  const crypto: unknown = findNodeCrypto()
  if (crypto) return crypto as typeof NodeCrypto
  throw new Error('Passwords need `node:crypto`: Node.js 20.16 or newer, Deno or Bun')
}

/** How a password is hashed, as a PHC string names it: `$<algorithm>$<parameters>$<salt>$<hash>`. */
interface Scheme {
  /** The start of the string, without salt and hash. */
  readonly text: string
  readonly algorithm: 'argon2id' | 'scrypt'
  /** Memory in KiB, passes and parallelism of argon2id; the logarithm of the cost, block size and parallelism of scrypt. */
  readonly costs: readonly [number, number, number]
}

interface Stored {
  readonly scheme: Scheme
  readonly salt: Buffer
  readonly hash: Buffer
}

/** The parameters that OWASP recommends (Password Storage Cheat Sheet): 19 MiB for argon2id, 32 MiB for scrypt. */
const argon2id = '$argon2id$v=19$m=19456,t=2,p=1'
const scrypt = '$scrypt$ln=15,r=8,p=3'

const shape =
  /^(\$(?:(argon2id)\$v=19|scrypt)\$((?:[a-z]{1,2}=\d{1,6},){2}[a-z]{1,2}=\d{1,6}))(?:\$([\w+/]{11,86})\$([\w+/]{22,86}))?$/

/** The names of the parameters. Libraries write them in different orders. */
const names = { argon2id: ['m', 't', 'p'], scrypt: ['ln', 'r', 'p'] } as const

/** Bytes of a new salt and a new hash. */
const sizes = { salt: 16, hash: 32 }
/** The maximum memory and number of repetitions that a stored hash may require. */
const [maxMemory, maxRepeats] = [256 * 2 ** 20, 16]

/** Parses a PHC string of either algorithm, with or without salt and hash. Returns undefined for any other text. */
function parse(text: string): (Pick<Stored, 'scheme'> & Partial<Stored>) | undefined {
  const [, start, argon, parameters = '', salt, hash] = shape.exec(text) ?? []
  if (start === undefined) return undefined
  const algorithm = argon ? 'argon2id' : 'scrypt'
  const scheme: Scheme = { text: start, algorithm, costs: readCosts(parameters, names[algorithm]) }
  const [, repeats, lanes] = scheme.costs
  if (!(memoryOf(scheme) <= maxMemory && isCount(repeats) && isCount(lanes) && isComputable(scheme)))
    return undefined
  if (salt === undefined || hash === undefined) return { scheme }
  return { scheme, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

/** Reads the parameters in the order of their names. A missing one is 0, which no algorithm allows. */
function readCosts(parameters: string, [first, second, third]: readonly [string, string, string]) {
  const given = new URLSearchParams(parameters.replaceAll(',', '&'))
  const read = (name: string) => Number(given.get(name))
  return [read(first), read(second), read(third)] as const
}

function isCount(value: number): boolean {
  return value >= 1 && value <= maxRepeats
}

/** The limits of RFC 9106 3.1 and RFC 7914 2. */
function isComputable({ algorithm, costs: [first, second, third] }: Scheme): boolean {
  return algorithm === 'argon2id' ? first >= 8 * third : first > 0 && first < 16 * second
}

function memoryOf({ algorithm, costs: [first, second] }: Scheme): number {
  return algorithm === 'argon2id' ? first * 1024 : 128 * second * 2 ** first
}

/**
 * Returns the scheme for new hashes.
 * @throws TypeError if the text is not the start of a PHC string of argon2id or scrypt
 */
export function readScheme(text: string): Scheme {
  const parsed = parse(text)
  if (parsed && !parsed.hash) return parsed.scheme
  throw new TypeError(
    `\`parameters\` must look like "${argon2id}" or "${scrypt}", and use at most 256 MiB, got ${JSON.stringify(text)}`,
  )
}

async function chooseScheme(parameters: string | undefined): Promise<Scheme> {
  if (parameters !== undefined) return readScheme(parameters)
  return readScheme('argon2' in requireCrypto() ? argon2id : scrypt)
}

function isSupported({ algorithm }: Scheme): boolean {
  return algorithm === 'scrypt' || 'argon2' in requireCrypto()
}

async function derive(
  password: string,
  salt: Buffer,
  { algorithm, costs: [first, second, third], text }: Scheme,
  length: number,
): Promise<Buffer> {
  const crypto = requireCrypto()
  // `Buffer.from` would leave the password in a pool that the whole process shares.
  const message = new TextEncoder().encode(password)
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null, hash: Buffer) => (error ? reject(error) : resolve(hash))
    if (algorithm === 'scrypt') {
      const maxmem = 2 * maxMemory
      crypto.scrypt(message, salt, length, { N: 2 ** first, r: second, p: third, maxmem }, settle)
    } else if ('argon2' in crypto) {
      const parameters = { memory: first, passes: second, parallelism: third, tagLength: length }
      crypto.argon2('argon2id', { message, nonce: salt, ...parameters }, settle)
    } else reject(new Error(`A hash with ${text} needs Node.js 24.7 or newer`))
  })
}

/**
 * Hashes a password as the provider does, for passwords that you set yourself, for example in a script.
 *
 * @param password at most 1024 bytes of UTF-8 in NFC, the longest that users can sign in with
 * @param parameters the option of the provider
 * @returns a PHC string with a random salt, for `setPassword` of the adapter
 * @throws TypeError if the parameters are invalid
 * @throws RangeError if the password is too long
 * @example await adapter.setPassword(user.id, await hashPassword(password))
 */
export async function hashPassword(password: string, parameters?: string): Promise<string> {
  const { randomBytes } = requireCrypto()
  const read = readSecret('password', password)
  if (read === undefined) throw new RangeError('A password may have at most 1024 bytes of UTF-8')
  const scheme = await chooseScheme(parameters)
  const salt = randomBytes(sizes.salt)
  const hash = await derive(read, salt, scheme, sizes.hash)
  return [scheme.text, encode(salt), encode(hash)].join('$')
}

/** PHC strings have no padding. */
function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** The result of comparing a password with a stored hash. */
export interface Verdict {
  readonly matches: boolean
  /** Whether the parameters of the hash differ from the current ones. */
  readonly isOutdated: boolean
}

/**
 * Compares a password, as `readSecret` returns it, with a stored hash. Without one, it does the same work, so that the time does not reveal who has
 * an account.
 *
 * @returns undefined if the text is not a hash of a known format, its parameters exceed the limits, or this version of the
 *   runtime lacks the algorithm
 */
export async function verifyHash(
  password: string,
  stored: string | null,
  parameters: string | undefined,
): Promise<Verdict | undefined> {
  const { timingSafeEqual } = requireCrypto()
  const current = await chooseScheme(parameters)
  const { scheme, salt, hash } = stored === null ? nobody(current) : (parse(stored) ?? {})
  if (!scheme || !salt || !hash || !isSupported(scheme)) return undefined
  const derived = await derive(password, salt, scheme, hash.length)
  const matches = timingSafeEqual(derived, hash) && stored !== null
  return { matches, isOutdated: scheme.text !== current.text || hash.length !== sizes.hash }
}

function nobody(scheme: Scheme): Stored {
  return { scheme, salt: Buffer.alloc(sizes.salt), hash: Buffer.alloc(sizes.hash) }
}
