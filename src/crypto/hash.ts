import { encodeBase64url } from './base64url.ts'
import { encodeHex } from './hex.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { findNodeCrypto, type NodeCrypto } from './node-crypto.ts'
import { once } from './once.ts'

/** SHA-256 of the text in UTF-8, in lower-case hexadecimal; at once where node:crypto is there. */
export function sha256Hex(text: string): MaybePromise<string> {
  return findNodeHash()?.('sha256', text, 'hex') ?? sha256(text).then(encodeHex)
}

/** The same in base64url, as PKCE sends it (RFC 7636 4.2). */
export function sha256Base64url(text: string): MaybePromise<string> {
  return findNodeHash()?.('sha256', text, 'base64url') ?? sha256(text).then(encodeBase64url)
}

const sha256OfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** `hash` of `node:crypto`, where it works: some runtimes have stubs of Node's functions that throw when called. */
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
