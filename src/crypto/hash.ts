import { encodeBase64url } from './base64url.ts'
import { encodeHex } from './hex.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { findNodeCrypto } from './node-crypto.ts'

/** SHA-256 of the text in UTF-8, in lower-case hexadecimal; at once where node:crypto is there. */
export function sha256Hex(text: string): MaybePromise<string> {
  return findNodeCrypto()?.hash?.('sha256', text, 'hex') ?? sha256(text).then(encodeHex)
}

/** The same in base64url, as PKCE sends it (RFC 7636 4.2). */
export function sha256Base64url(text: string): MaybePromise<string> {
  return findNodeCrypto()?.hash?.('sha256', text, 'base64url') ?? sha256(text).then(encodeBase64url)
}

async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
