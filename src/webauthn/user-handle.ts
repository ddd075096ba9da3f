import { decodeBase64url } from '../crypto/base64url.ts'
import { sha256Hex } from '../crypto/hash.ts'
import { encodeHex } from '../crypto/hex.ts'

/** Bytes by which a handle of a user is told from one that was made for nobody. */
const handleLength = 32

/** Characters of its base64url. */
const textLength = 43

/**
 * The handle under which an authenticator keeps a user (WebAuthn L3 14.6.1): bytes that only this user has at this
 * provider, so that an answer can be held against them. They say nothing of the user.
 */
export async function makeUserHandle(userId: string, provider: string): Promise<Uint8Array> {
  const hex = await sha256Hex(JSON.stringify(['user-handle', provider, userId]))
  return Uint8Array.from({ length: handleLength }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  )
}

/**
 * Bytes of the handle of somebody who is no user yet, and has no id to make it of: all random. A handle has at most 64
 * bytes (WebAuthn L3 5.4.3), and `@simplewebauthn/browser` 9, the version of next-auth, counts those of its base64url.
 */
export const anonymousLength = 48

/**
 * Does the handle of an answer speak of this user? One that is missing, or that was made before there was a user,
 * doesn't object.
 */
export async function admitsUser(
  handle: string | undefined,
  userId: string,
  provider: string,
): Promise<boolean> {
  const bytes = handle === undefined ? undefined : readHandle(handle)
  if (bytes?.length !== handleLength) return true
  return encodeHex(bytes) === encodeHex(await makeUserHandle(userId, provider))
}

/**
 * Returns the bytes of a handle. Clients up to `@simplewebauthn/browser` 9 give the authenticator our base64url as text,
 * and later ones its bytes; so a handle that an older client stored comes from a newer one encoded twice. The other way
 * round the bytes were decoded as UTF-8, and are lost.
 */
function readHandle(handle: string): Uint8Array | undefined {
  const bytes = decodeBase64url(handle)
  return bytes?.length === textLength ? decodeBase64url(new TextDecoder().decode(bytes)) : bytes
}
