import { decodeBase64url, encodeBase64url } from '../crypto/bytes.ts'

/** Items of CBOR in a response. The attestation of a TPM has about 30, a key less than 10. */
const maxItems = 200

/** Octets of authenticator data before the id of the credential: hash, flags, counter (WebAuthn L3 6.1). */
const fixedLength = 37
const hasCredential = 0x40
/** AAGUID and the length of the id. */
const credentialHead = 18

/**
 * Returns whether an attestation object is cheap to decode. Counts its items, including those of the authenticator data
 * in it, because a decoder needs a microsecond for each item and a stack frame for each level. Does not validate them.
 */
export function isCheapAttestation(bytes: Uint8Array): boolean {
  return countItems(bytes, 0) <= maxItems
}

/** Returns whether authenticator data is cheap to decode. */
export function isCheapAuthenticatorData(bytes: Uint8Array): boolean {
  return countInAuthenticatorData(bytes) <= maxItems
}

/** `{"fmt": "none", "attStmt": {}, "authData": ` and the head of a byte string with a length of 16 bits. */
const withoutStatement = [
  0xa3,
  ...text('fmt'),
  ...text('none'),
  ...text('attStmt'),
  0xa0,
  ...text('authData'),
  0x59,
]

/**
 * Replaces the statement of an attestation with that of `none` (WebAuthn L3 8.7). The authenticator data, which
 * contains the credential, stays unchanged. Returns undefined if the attestation is malformed.
 *
 * @param attestation base64url, of less than 64 KiB once decoded
 */
export function dropStatement(attestation: string): string | undefined {
  const bytes = decodeBase64url(attestation)
  const authData = bytes && findAuthenticatorData(bytes)
  if (!authData) return undefined
  const { length } = authData
  return encodeBase64url(Uint8Array.from([...withoutStatement, length >> 8, length & 0xff, ...authData]))
}

/** Encodes a short text as CBOR. */
function text(value: string): readonly number[] {
  return [0x60 | value.length, ...new TextEncoder().encode(value)]
}

/** Finds the authenticator data in an attestation, which must be one whole item. */
function findAuthenticatorData(bytes: Uint8Array): Uint8Array | undefined {
  let found: Uint8Array | undefined
  let missing = 1
  for (const item of readItems(bytes, 0)) {
    if (!item || missing === 0) return undefined
    missing += item.members - 1
    if (item.name === 'authData') found ??= item.bytes
  }
  return missing === 0 ? found : undefined
}

function countInAuthenticatorData(bytes: Uint8Array): number {
  const flags = bytes[32] ?? 0
  if ((flags & hasCredential) === 0) return countItems(bytes, fixedLength)
  const [high = 0, low = 0] = bytes.subarray(fixedLength + 16, fixedLength + credentialHead)
  return countItems(bytes, fixedLength + credentialHead + 256 * high + low)
}

/** Counts the items from an offset to the end, and stops above the limit. */
function countItems(bytes: Uint8Array, start: number): number {
  let items = 0
  for (const item of readItems(bytes, start)) {
    items += item ? 1 : maxItems + 1
    // Other byte strings are signatures and certificates, which are not CBOR.
    if (item?.name === 'authData' && item.bytes) items += countInAuthenticatorData(item.bytes)
    if (items > maxItems) break
  }
  return items
}

interface Item {
  /** The text before the item, which is its name in a map. */
  readonly name: string
  /** The number of items that belong to it. */
  readonly members: number
  /** The content of a byte string. */
  readonly bytes: Uint8Array | undefined
}

/**
 * Reads the items from an offset to the end (RFC 8949 3), lists and maps before their members. Ends with undefined at
 * an item that is truncated, or of unknown length, which authenticators do not write (CTAP 2.1, 8).
 */
function* readItems(bytes: Uint8Array, start: number): Generator<Item | undefined, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let name = ''
  for (let at = start; at < bytes.length;) {
    const head = readHead(view, at)
    if (!head) return yield undefined
    const { type, argument, length } = head
    const isString = type === 2 || type === 3
    const end = at + length + (isString ? argument : 0)
    if (end > bytes.length) return yield undefined
    const content = bytes.subarray(at + length, end)
    yield { name, members: countMembers(type, argument), bytes: type === 2 ? content : undefined }
    name = type === 3 ? new TextDecoder().decode(content.subarray(0, 16)) : ''
    at = end
  }
}

/** Returns the number of items in a list, a map or a tag. */
function countMembers(type: number, argument: number): number {
  if (type === 4) return argument
  if (type === 5) return 2 * argument
  return type === 6 ? 1 : 0
}

/**
 * Reads the type of an item, its argument, and their length. Returns undefined if they are reserved, unknown or
 * truncated.
 */
function readHead(view: DataView, at: number) {
  const initial = view.getUint8(at)
  const type = initial >> 5
  const short = initial & 0x1f
  if (short < 24) return { type, argument: short, length: 1 }
  const size = 2 ** (short - 24)
  if (size > 8 || at + 1 + size > view.byteLength) return undefined
  const argument =
    size === 1
      ? view.getUint8(at + 1)
      : size === 2
        ? view.getUint16(at + 1)
        : size === 4
          ? view.getUint32(at + 1)
          : Number(view.getBigUint64(at + 1))
  return { type, argument, length: 1 + size }
}
