import nodeCrypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/** How a text that looks random was made. */
export type Origin =
  | { readonly kind: 'drawn'; readonly atom: string }
  /** A hash, by its inputs. */
  | { readonly kind: 'hash'; readonly of: string }
  /** A ciphertext, by its plaintext. */
  | { readonly kind: 'sealed'; readonly holds: string }

/** The origins of the random-looking texts of a state. */
export type Origins = ReadonlyMap<string, Origin>

/** Records how random-looking texts are made, in every encoding that applications use. */
export interface Terms {
  /** Records bytes of the random generator, or the text of a UUID. */
  readonly drawn: (value: Uint8Array | string) => void
  /** Forgets everything but these origins. */
  readonly begin: (known: Origins) => void
  readonly find: (text: string) => Origin | undefined
}

type Data = string | NodeJS.ArrayBufferView | ArrayBuffer

/** Longer values are material for initialization vectors. */
const longestDraw = 64

/**
 * Records the random draws, hashes and ciphertexts of this thread from now on. Call it before you load a target, which may
 * keep the functions.
 */
export function recordTerms(): Terms {
  let known: Origins = new Map()
  const fresh = new Map<string, Origin>()
  const find = (text: string) => fresh.get(text) ?? known.get(text)
  const noteDigest = (bytes: Buffer, inputs: readonly Data[]) => {
    const of = inputs.map((data) => readDrawn(data) ?? readable(data)).join('|')
    for (const text of encodingsOf(bytes)) fresh.set(text, { kind: 'hash', of })
  }
  const noteSealed = (ciphertext: Buffer, plaintext: string) =>
    void fresh.set(ciphertext.toString('base64url'), { kind: 'sealed', holds: plaintext })
  /** Random bytes may happen to be valid text. */
  const readDrawn = (data: Data) => {
    if (typeof data === 'string') return undefined
    const text = bytesOf(data).toString('base64url')
    return find(text)?.kind === 'drawn' ? text : undefined
  }
  const drawn = (value: Uint8Array | string) => {
    if (typeof value === 'string') return void fresh.set(value, { kind: 'drawn', atom: value })
    if (value.length > longestDraw) return
    const bytes = Buffer.from(value)
    const origin = { kind: 'drawn', atom: bytes.toString('base64url') } as const
    for (const text of [...encodingsOf(bytes), ...otherEncodingsOf(bytes)]) fresh.set(text, origin)
  }
  watchNode({ noteDigest, noteSealed, drawn })
  watchWebCrypto({ noteDigest, noteSealed })
  return {
    drawn,
    begin(next) {
      known = next
      fresh.clear()
    },
    find,
  }
}

function encodingsOf(bytes: Buffer): string[] {
  const base64 = bytes.toString('base64')
  return [bytes.toString('hex'), bytes.toString('base64url'), base64, base64.replace(/=+$/, '')]
}

/** As ids, as secrets of one-time passwords, and as recovery codes, with and without hyphens. */
function otherEncodingsOf(bytes: Buffer): string[] {
  if (bytes.length === 16) return [formatUuid(bytes)]
  if (bytes.length % 5 !== 0) return []
  const text = encodeBase32(bytes)
  const lower = text.toLowerCase()
  return [text, lower, lower.match(/.{1,6}/g)?.join('-') ?? '']
}

function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  const variant = '89ab'.charAt(((bytes[8] ?? 0) >> 4) & 3)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function encodeBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => base32.charAt(Number.parseInt(five, 2))).join('')
}

function bytesOf(data: Exclude<Data, string>): Buffer {
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data)
}

/** Returns data as text, so that the values in it can be found. */
function readable(data: Data): string {
  if (typeof data === 'string') return data
  const bytes = bytesOf(data)
  const text = bytes.toString()
  return Buffer.from(text).equals(bytes) ? text : bytes.toString('base64url')
}

interface Notes {
  readonly noteDigest: (bytes: Buffer, inputs: readonly Data[]) => void
  readonly noteSealed: (ciphertext: Buffer, plaintext: string) => void
}

function watchNode({ noteDigest, noteSealed, drawn }: Notes & Pick<Terms, 'drawn'>): void {
  const { hash, createHash, createHmac, createCipheriv, scrypt, randomBytes } = nodeCrypto
  const watchDigest = <T extends nodeCrypto.Hash | nodeCrypto.Hmac>(digester: T): T => {
    const inputs: Data[] = []
    const update = digester.update.bind(digester)
    const digest = digester.digest.bind(digester)
    return Object.assign(digester, {
      update(data: Data, encoding?: nodeCrypto.Encoding) {
        inputs.push(data)
        if (typeof data === 'string' && encoding) update(data, encoding)
        else update(data as string)
        return digester
      },
      digest(encoding?: nodeCrypto.BinaryToTextEncoding) {
        const bytes = digest()
        noteDigest(bytes, inputs)
        return encoding ? bytes.toString(encoding) : bytes
      },
    })
  }
  Object.assign(nodeCrypto, {
    randomBytes(size: number) {
      const bytes = randomBytes(size)
      drawn(bytes)
      return bytes
    },
    hash(algorithm: string, data: Data, encoding: nodeCrypto.BinaryToTextEncoding = 'hex') {
      const bytes: Buffer = hash(algorithm, data as string, 'buffer')
      noteDigest(bytes, [data])
      return bytes.toString(encoding)
    },
    createHash: (...args: Parameters<typeof createHash>) => watchDigest(createHash(...args)),
    createHmac: (...args: Parameters<typeof createHmac>) => watchDigest(createHmac(...args)),
    createCipheriv(...args: Parameters<typeof createCipheriv>) {
      const cipher = createCipheriv(...args)
      const [update, final] = [cipher.update.bind(cipher), cipher.final.bind(cipher)]
      const texts: string[] = []
      const parts: Buffer[] = []
      const keep = (part: Buffer) => {
        parts.push(part)
        return part
      }
      return Object.assign(cipher, {
        update(data: Data, from?: nodeCrypto.Encoding) {
          texts.push(readable(data))
          return keep(typeof data === 'string' && from ? update(data, from) : update(data as string, 'utf8'))
        },
        final() {
          const last = keep(final())
          noteSealed(Buffer.concat(parts), texts.join(''))
          return last
        },
      })
    },
    scrypt(
      password: Data,
      salt: Data,
      length: number,
      options: object,
      done: (error: unknown, key: Buffer) => void,
    ) {
      const told = (error: unknown, key: Buffer) => {
        if (error === null) noteDigest(key, [password, salt])
        done(error, key)
      }
      scrypt(password as string, salt as string, length, options, told)
    },
  })
  syncBuiltinESMExports()
}

function watchWebCrypto({ noteDigest, noteSealed }: Notes): void {
  const { subtle } = crypto
  const digest = subtle.digest.bind(subtle)
  const encrypt = subtle.encrypt.bind(subtle)
  Object.defineProperties(subtle, {
    digest: {
      configurable: true,
      async value(algorithm: string, data: ArrayBuffer) {
        const bytes = await digest(algorithm, data)
        noteDigest(Buffer.from(bytes), [data])
        return bytes
      },
    },
    encrypt: {
      configurable: true,
      async value(algorithm: AlgorithmIdentifier, key: CryptoKey, data: ArrayBuffer) {
        const bytes = await encrypt(algorithm, key, data)
        noteSealed(Buffer.from(bytes), readable(data))
        return bytes
      },
    },
  })
}
