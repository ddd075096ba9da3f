import { decodeBase64url } from '../crypto/base64url.ts'
import { sha256Hex } from '../crypto/hash.ts'
import { encodeHex } from '../crypto/hex.ts'

/** Bytes by which a handle of a user is told from one that was made for nobody. */
const handleLength = 32

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

/** Bytes of the handle of somebody who is no user yet, and has no id to make it of: all random. */
export const anonymousLength = 64

/**
 * Does the handle of an answer speak of this user? One that is missing, or that was made before there was a user,
 * doesn't object.
 */
export async function admitsUser(
  handle: string | undefined,
  userId: string,
  provider: string,
): Promise<boolean> {
  const bytes = handle === undefined ? undefined : decodeBase64url(handle)
  if (bytes?.length !== handleLength) return true
  return encodeHex(bytes) === encodeHex(await makeUserHandle(userId, provider))
}
