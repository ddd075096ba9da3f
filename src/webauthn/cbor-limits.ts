/** Items of CBOR in a response. The attestation of a TPM has about 30, a key less than 10. */
const maxItems = 200

/** Octets of authenticator data before the id of the credential: hash, flags, counter (WebAuthn L3 6.1). */
const fixedLength = 37
const hasCredential = 0x40
/** AAGUID and the length of the id. */
const credentialHead = 18

/**
 * Is an attestation object cheap to decode? Its items are counted, those of the authenticator data in it too: a decoder
 * needs a microsecond for each, and a call on the stack for each level. Whether they make sense is the decoder's to judge.
 */
export function isCheapAttestation(bytes: Uint8Array): boolean {
  return countItems(bytes, 0) <= maxItems
}

/** Is authenticator data cheap to decode? */
export function isCheapAuthenticatorData(bytes: Uint8Array): boolean {
  return countInAuthenticatorData(bytes) <= maxItems
}

function countInAuthenticatorData(bytes: Uint8Array): number {
  const flags = bytes[32] ?? 0
  if ((flags & hasCredential) === 0) return countItems(bytes, fixedLength)
  const [high = 0, low = 0] = bytes.subarray(fixedLength + 16, fixedLength + credentialHead)
  return countItems(bytes, fixedLength + credentialHead + 256 * high + low)
}

/** Counts items from a place to the end (RFC 8949 3), each of a list and a map for itself, up to one above the limit. */
function countItems(bytes: Uint8Array, start: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let items = 0
  let text = ''
  for (let at = start; at < bytes.length && items <= maxItems; items++) {
    const head = readHead(view, at)
    // Authenticators do not write items of unknown length (CTAP 2.1, 8).
    if (!head) return maxItems + 1
    const { type, argument, length } = head
    at += length
    if (type !== 2 && type !== 3) continue
    const content = bytes.subarray(at, at + argument)
    at += argument
    // Other byte strings are signatures and certificates, which nobody decodes as CBOR.
    if (type === 2 && text === 'authData') items += countInAuthenticatorData(content)
    text = type === 3 ? new TextDecoder().decode(content.subarray(0, 16)) : ''
  }
  return items
}

/** The type of an item, its argument, and how long both are; undefined when that is reserved, unknown or cut off. */
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
