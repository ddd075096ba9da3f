import type { MaybePromise } from '../async/maybe-promise.ts'
import { once } from '../async/once.ts'
import { encodeBase64url, encodeHex } from './bytes.ts'
import { findNodeCrypto, type NodeCrypto } from './node-crypto.ts'

/**
 * Returns whether two texts are equal, in a time that does not depend on where they differ. Only their lengths can be
 * measured.
 */
export function equalsInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}

/** Returns the SHA-256 of a text in lower-case hexadecimal. Synchronous if `node:crypto` is available. */
export function sha256Hex(text: string): MaybePromise<string> {
  return findNodeHash()?.('sha256', text, 'hex') ?? sha256(text).then(encodeHex)
}

/** Returns the SHA-256 of a text in base64url, as PKCE uses it (RFC 7636 4.2). */
export function sha256Base64url(text: string): MaybePromise<string> {
  return findNodeHash()?.('sha256', text, 'base64url') ?? sha256(text).then(encodeBase64url)
}

const sha256OfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Returns `hash` of `node:crypto` if it works. Some runtimes have stubs of Node's functions that throw. */
const findNodeHash = once((): NodeCrypto['hash'] => {
  try {
    const hash = findNodeCrypto()?.hash
    return hash?.('sha256', '', 'hex') === sha256OfNothing ? hash : undefined
  } catch {
    return undefined
  }
})

async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
