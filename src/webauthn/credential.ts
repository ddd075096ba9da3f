import { decodeBase64url, isBase64url } from '../crypto/bytes.ts'
import { findExcessInText, maxFields } from '../http/limits.ts'
import type { Visit } from '../http/visit.ts'
import type { CeremonyKind } from './challenge.ts'

/** Items of CBOR in a response. The attestation of a TPM has about 30, a key less than 10. */
const maxItems = 200

/** Octets of authenticator data before the id of the credential: hash, flags, counter (WebAuthn L3 6.1). */
const fixedLength = 37
const hasCredential = 0x40
/** AAGUID and the length of the id. */
const credentialHead = 18

/**
 * Tells whether an attestation object is cheap to decode. Counts its items, including those of the authenticator data
 * in it, because a decoder needs a microsecond for each item and a stack frame for each level. Does not validate them.
 */
export function isCheapAttestation(bytes: Uint8Array): boolean {
  return countItems(bytes, 0) <= maxItems
}

/** Tells whether authenticator data is cheap to decode. */
export function isCheapAuthenticatorData(bytes: Uint8Array): boolean {
  return countInAuthenticatorData(bytes) <= maxItems
}

function countInAuthenticatorData(bytes: Uint8Array): number {
  const flags = bytes[32] ?? 0
  if ((flags & hasCredential) === 0) return countItems(bytes, fixedLength)
  const [high = 0, low = 0] = bytes.subarray(fixedLength + 16, fixedLength + credentialHead)
  return countItems(bytes, fixedLength + credentialHead + 256 * high + low)
}

/**
 * Counts the items from an offset to the end (RFC 8949 3), including lists and maps themselves, and stops one above the
 * limit.
 */
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
    // Other byte strings are signatures and certificates, which are not CBOR.
    if (type === 2 && text === 'authData') items += countInAuthenticatorData(content)
    text = type === 3 ? new TextDecoder().decode(content.subarray(0, 16)) : ''
  }
  return items
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

/** The response of an authenticator, as the browser's script posted it. Unknown members are dropped. */
export interface Credential {
  readonly ceremony: CeremonyKind
  /** base64url */
  readonly id: string
  /** Whether the browser reports that the page was in a frame, and of which origin. */
  readonly crossOrigin: boolean
  readonly topOrigin?: string
  /** The user handle, as the client encoded it. */
  readonly userHandle?: string
  readonly transports: readonly string[]
  /** The response as `@simplewebauthn/server` expects it. */
  readonly json: object
}

type Members = Readonly<Record<string, unknown>>

interface Demand {
  /** Maximum characters of base64url, several times the largest real value. */
  readonly longest: number
  readonly isCheap?: (bytes: Uint8Array) => boolean
}

const clientDataJSON: Demand = { longest: 8 * 1024 }

/** The required members of the response to each ceremony, in base64url. */
const demanded: Readonly<Record<CeremonyKind, Readonly<Record<string, Demand>>>> = {
  authenticate: {
    clientDataJSON,
    authenticatorData: { longest: 8 * 1024, isCheap: isCheapAuthenticatorData },
    signature: { longest: 8 * 1024 },
  },
  register: {
    clientDataJSON,
    attestationObject: { longest: 32 * 1024, isCheap: isCheapAttestation },
  },
}

/**
 * Reads the fields `action` and `data` of the form. Returns undefined if they are not the response of an authenticator.
 */
export function readCredential({ body, duplicates }: Visit): Credential | undefined {
  const ceremony = readCeremony(body.action)
  if (!ceremony || duplicates.includes('action') || duplicates.includes('data')) return undefined
  const data = parseObject(body.data)
  const response = asMembers(data?.response)
  const { id, rawId, type } = data ?? {}
  if (!response || !isEncoded(id) || rawId !== id || type !== 'public-key') return undefined
  const texts = pick(response, demanded[ceremony])
  const clientData = parseObject(decodeText(texts?.['clientDataJSON']))
  // An empty handle means that there is none.
  const userHandle = response.userHandle ?? ''
  if (!texts || !clientData || typeof userHandle !== 'string') return undefined
  const transports = readTransports(response.transports)
  const { crossOrigin = false, topOrigin } = clientData
  return {
    ceremony,
    id,
    crossOrigin: crossOrigin !== false,
    topOrigin: typeof topOrigin === 'string' ? topOrigin : JSON.stringify(topOrigin),
    userHandle: userHandle === '' ? undefined : userHandle,
    transports,
    json: {
      id,
      rawId: id,
      type,
      clientExtensionResults: {},
      // SimpleWebAuthn does not verify the handle, which clients encode in different ways.
      response: { ...texts, transports },
    },
  }
}

/** Parses the name of a ceremony. */
export function readCeremony(action: unknown): CeremonyKind | undefined {
  return action === 'authenticate' || action === 'register' ? action : undefined
}

function pick(
  response: Members,
  demands: Readonly<Record<string, Demand>>,
): Record<string, string> | undefined {
  const texts: Record<string, string> = {}
  for (const [name, { longest, isCheap }] of Object.entries(demands)) {
    const text = response[name]
    if (!isEncoded(text) || text.length > longest) return undefined
    const bytes = isCheap && decodeBase64url(text)
    if (bytes && !isCheap(bytes)) return undefined
    texts[name] = text
  }
  return texts
}

/** Transports are only hints, so invalid ones are dropped and few are kept. */
function readTransports(transports: unknown): readonly string[] {
  if (!Array.isArray(transports)) return []
  return transports.filter((each) => typeof each === 'string' && /^[a-z-]{1,20}$/.test(each)).slice(0, 8)
}

function isEncoded(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && isBase64url(text)
}

function decodeText(text: unknown): string | undefined {
  const bytes = isEncoded(text) ? decodeBase64url(text) : undefined
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function parseObject(text: unknown): Members | undefined {
  if (typeof text !== 'string' || findExcessInText(text, { values: maxFields }) !== undefined)
    return undefined
  try {
    return asMembers(JSON.parse(text))
  } catch {
    return undefined
  }
}

function asMembers(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined
}
