import { createBoundedCache } from './bounded-cache.ts'
import { decodeBase64url, leavesNoBits } from '../crypto/bytes.ts'

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
  readonly kid: string | undefined
  /** The bytes of the header's text, which the tag authenticates. */
  readonly protectedHeader: Uint8Array
  readonly iv: string
  readonly ciphertext: string
  readonly tag: string
}

/**
 * Parses a token, or returns undefined. Does every check that needs no key, so that no key is derived for an invalid
 * token: only `dir` with one of our encryptions is accepted (RFC 8725 3.1).
 */
export function parseCompact(token: string): CompactJwe | undefined {
  if (token.length > longestToken) return undefined
  const [, headerText, iv = '', ciphertext = '', tag = ''] = format.exec(token) ?? []
  const header = headerText === undefined ? undefined : readHeader(headerText)
  if (!header) return undefined
  const { encryption, kid, protectedHeader } = header
  const sizes = encryptions[encryption]
  if (!encodes(iv, sizes.iv) || !leavesNoBits(ciphertext) || !encodes(tag, sizes.tag)) return undefined
  return { token, encryption, kid, protectedHeader, iv, ciphertext, tag }
}

/** Header, no encrypted key, vector, ciphertext and tag. */
const format = /^([\w-]+)\.\.([\w-]*)\.([\w-]*)\.([\w-]*)$/

/** Returns whether a part, of base64url characters only, is the canonical form of so many bytes. */
function encodes(part: string, bytes: number): boolean {
  return part.length === Math.ceil((bytes * 4) / 3) && leavesNoBits(part)
}

type Header = Pick<CompactJwe, 'encryption' | 'kid' | 'protectedHeader'>

/** Caches parsed headers, because all tokens of a key have the same header. */
const headers = createBoundedCache<string, Header>(64)

/** Maximum characters of a header. Ours have 180; a long one is expensive to parse and to cache. */
const longestHeader = 512

function readHeader(text: string): Header | undefined {
  if (text.length > longestHeader) return undefined
  const known = headers.get(text)
  if (known) return known
  const header = parseHeader(text)
  // The text itself is a slice of the token, and would keep the whole token in memory.
  if (header) headers.set(decoder.decode(header.protectedHeader), header)
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
  return kid === undefined || typeof kid === 'string' ? { encryption, kid, protectedHeader } : undefined
}

function isEncryption(value: unknown): value is Encryption {
  return typeof value === 'string' && Object.hasOwn(encryptions, value)
}
