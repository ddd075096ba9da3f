import { decodeBase64url, isBase64url } from '../crypto/base64url.ts'
import { createBoundedCache } from '../crypto/bounded-cache.ts'
import { parseJsonObject } from './json-object.ts'

/** Longer tokens are neither made nor looked at. Characters, which are bytes here. */
export const longestToken = 64 * 1024

/** Content encryptions that open; sizes in bytes. */
export const encryptions = {
  'A256CBC-HS512': { key: 64, iv: 16, tag: 32, thumbprint: 'SHA-512' },
  // Tokens of older versions.
  A256GCM: { key: 32, iv: 12, tag: 16, thumbprint: 'SHA-256' },
} as const

export type Encryption = keyof typeof encryptions

/** A compact JWE (RFC 7516 7.1) whose form and header are fine; its parts are canonical base64url. */
export interface CompactJwe {
  readonly token: string
  readonly encryption: Encryption
  readonly kid?: string
  readonly protectedHeader: string
  readonly iv: Uint8Array
  readonly ciphertext: string
  readonly tag: string
}

/**
 * Takes a token apart, or answers undefined. Whatever can be said against a token without a key is said here, so that
 * no key is derived for it: `dir` with one of our encryptions and nothing else (RFC 8725 3.1).
 */
export function parseCompact(token: string): CompactJwe | undefined {
  if (token.length > longestToken) return undefined
  const [protectedHeader = '', encryptedKey, iv = '', ciphertext = '', tag = '', ...more] = token.split(
    '.',
    6,
  )
  if (encryptedKey !== '' || more.length > 0) return undefined
  const header = readHeader(protectedHeader)
  if (!header) return undefined
  const sizes = encryptions[header.encryption]
  const ivBytes = decodeBase64url(iv)
  if (ivBytes?.length !== sizes.iv) return undefined
  // The engines hand these on as text; a canonical text of this length has this many bytes.
  if (!isBase64url(ciphertext) || !isBase64url(tag) || tag.length !== Math.ceil((sizes.tag * 4) / 3))
    return undefined
  return { token, ...header, protectedHeader, iv: ivBytes, ciphertext, tag }
}

type Header = Pick<CompactJwe, 'encryption' | 'kid'>

/** Headers seen before: all tokens of a key share one. */
const headers = createBoundedCache<string, Header>(64)

/** Characters of a header. Ours have 180; a long one is expensive to parse, and would fill the memory. */
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
  // Compression leaks and explodes (RFC 8725 3.6); extensions marked critical are none that we know (RFC 7516 4.1.13).
  if ('zip' in header || 'crit' in header || 'b64' in header) return undefined
  const { enc, kid } = header
  if (kid === undefined) return { encryption: enc }
  return typeof kid === 'string' ? { encryption: enc, kid } : undefined
}

function isEncryption(value: unknown): value is Encryption {
  return typeof value === 'string' && Object.hasOwn(encryptions, value)
}
