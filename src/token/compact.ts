import { createBoundedCache } from '../bounded-cache.ts'
import { decodeBase64url, isBase64url } from '../crypto/bytes.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses a JSON object in UTF-8, or returns undefined. A member `__proto__` is ordinary data. */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Maximum characters of a token, which are bytes here. Longer tokens are neither created nor read. */
export const longestToken = 64 * 1024

/** The accepted content encryptions, with sizes in bytes. */
export const encryptions = {
  'A256CBC-HS512': { key: 64, iv: 16, tag: 32, thumbprint: 'SHA-512' },
  // Tokens of older versions. Their key is the half of the other key that authenticates.
  A256GCM: { key: 32, iv: 12, tag: 16, thumbprint: 'SHA-256' },
} as const

export type Encryption = keyof typeof encryptions

/** A compact JWE (RFC 7516 7.1) with a valid format and header. Its parts are canonical base64url. */
export interface CompactJwe {
  readonly token: string
  readonly encryption: Encryption
  readonly kid?: string
  /** The bytes of the header's text, which the tag authenticates. */
  readonly protectedHeader: Uint8Array
  readonly iv: Uint8Array
  readonly ciphertext: string
  readonly tag: string
}

/**
 * Parses a token, or returns undefined. Does every check that needs no key, so that no key is derived for an invalid
 * token: only `dir` with one of our encryptions is accepted (RFC 8725 3.1).
 */
export function parseCompact(token: string): CompactJwe | undefined {
  if (token.length > longestToken) return undefined
  const [headerText = '', encryptedKey, iv = '', ciphertext = '', tag = '', ...more] = token.split('.', 6)
  if (encryptedKey !== '' || more.length > 0) return undefined
  const header = readHeader(headerText)
  if (!header) return undefined
  const sizes = encryptions[header.encryption]
  const ivBytes = decodeBase64url(iv)
  if (ivBytes?.length !== sizes.iv) return undefined
  // The engines use these parts as text. Canonical text of this length encodes this many bytes.
  if (!isBase64url(ciphertext) || !isBase64url(tag) || tag.length !== Math.ceil((sizes.tag * 4) / 3))
    return undefined
  return { token, ...header, iv: ivBytes, ciphertext, tag }
}

type Header = Pick<CompactJwe, 'encryption' | 'kid' | 'protectedHeader'>

/** Caches parsed headers, because all tokens of a key share one. */
const headers = createBoundedCache<string, Header>(64)

/** Maximum characters of a header. Ours have 180; a long one is expensive to parse and to cache. */
const longestHeader = 512

function readHeader(text: string): Header | undefined {
  if (text.length > longestHeader) return undefined
  const known = headers.get(text)
  if (known) return known
  const header = parseHeader(text)
  if (header) headers.set(text, header)
  return header
}

function parseHeader(text: string): Header | undefined {
  const bytes = decodeBase64url(text)
  const header = bytes && parseJsonObject(bytes)
  if (!header || header['alg'] !== 'dir' || !isEncryption(header['enc'])) return undefined
  // Compression leaks data and allows decompression bombs (RFC 8725 3.6). No critical extensions are supported (RFC
  // 7516 4.1.13).
  if ('zip' in header || 'crit' in header || 'b64' in header) return undefined
  const { enc: encryption, kid } = header
  const protectedHeader = encoder.encode(text)
  if (kid === undefined) return { encryption, protectedHeader }
  return typeof kid === 'string' ? { encryption, kid, protectedHeader } : undefined
}

function isEncryption(value: unknown): value is Encryption {
  return typeof value === 'string' && Object.hasOwn(encryptions, value)
}
