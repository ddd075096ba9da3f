import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomFillSync,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto'
import * as app from '../application.ts'

const pool = Buffer.alloc(4096)
const drawn = { from: pool.length }

/** Takes an initialization vector from a pool that is filled in one call. */
function drawVector(): Buffer {
  if (drawn.from === pool.length) {
    randomFillSync(pool)
    drawn.from = 0
  }
  return Buffer.from(pool.subarray(drawn.from, (drawn.from += 16)))
}

/** Generates a secret when it is needed, as the library does. */
export function random(length: number, encoding: 'base64url' | 'hex' = 'base64url'): string {
  return randomFillSync(Buffer.alloc(length)).toString(encoding)
}

/** Generates the id of a user when it is needed, as the library does. */
export function randomId(): string {
  return randomFillSync(Buffer.alloc(16))
    .toString('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
}

/** Seconds of 30 days. */
export const thirtyDays = 2_592_000

/** Tokens in the format of the protocol: JWE, `dir`, A256CBC-HS512, the key by HKDF. */
export function createCodec(salt: string) {
  const info = `Auth.js Generated Encryption Key (${salt})`
  const bytes = Buffer.from(hkdfSync('sha256', app.secret, salt, info, 64))
  const kid = hash('sha512', JSON.stringify({ k: bytes.toString('base64url'), kty: 'oct' }), 'base64url')
  const header = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256CBC-HS512', kid })).toString('base64url')
  const signing = createSecretKey(bytes.subarray(0, 32))
  const sealing = createSecretKey(bytes.subarray(32))
  const aad = Buffer.from(header)
  const bits = Buffer.alloc(8)
  bits.writeBigUInt64BE(BigInt(aad.length * 8))
  const sign = (iv: Uint8Array, ciphertext: Uint8Array) =>
    createHmac('sha512', signing)
      .update(aad)
      .update(iv)
      .update(ciphertext)
      .update(bits)
      .digest()
      .subarray(0, 32)
  return {
    seal(claims: object, maxAge = thirtyDays): string {
      const iat = Math.floor(Date.now() / 1000)
      const text = JSON.stringify({ ...claims, iat, exp: iat + maxAge, jti: randomUUID() })
      const iv = drawVector()
      const cipher = createCipheriv('aes-256-cbc', sealing, iv)
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const tag = sign(iv, ciphertext).toString('base64url')
      return `${header}..${iv.toString('base64url')}.${ciphertext.toString('base64url')}.${tag}`
    },
    /** @throws Error for a token that this codec did not seal, or that has expired */
    open(token: string): Record<string, unknown> {
      const parts = token.split('.')
      const [iv, ciphertext, tag] = parts.slice(2).map((part) => Buffer.from(part, 'base64url'))
      if (parts[0] !== header || !iv || !ciphertext || !tag) throw new Error('foreign token')
      const signed = sign(iv, ciphertext)
      if (tag.length !== signed.length || !timingSafeEqual(tag, signed)) throw new Error('forged token')
      const decipher = createDecipheriv('aes-256-cbc', sealing, iv)
      const text = decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8')
      const claims = JSON.parse(text) as Record<string, unknown>
      if (Number(claims['exp']) <= Date.now() / 1000) throw new Error('expired token')
      return claims
    },
  }
}
