import { encodeHex } from './hex.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { findNodeCrypto } from './node-crypto.ts'

/** SHA-256 of the text in UTF-8, in lower-case hexadecimal; at once where node:crypto is there. */
export function sha256Hex(text: string): MaybePromise<string> {
  const node = findNodeCrypto()
  if (node) return node.createHash('sha256').update(text, 'utf8').digest().toString('hex')
  return digest(text)
}

async function digest(text: string): Promise<string> {
  return encodeHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}
