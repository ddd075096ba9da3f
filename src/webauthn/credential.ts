import { decodeBase64url, isBase64url } from '../crypto/bytes.ts'
import { findExcessInText, maxFields } from '../http/limits.ts'
import type { Visit } from '../http/visit.ts'
import { isCheapAttestation, isCheapAuthenticatorData } from './attestation.ts'
import type { CeremonyKind } from './challenge.ts'

type Members = Readonly<Record<string, unknown>>

/** A response in the form that `@simplewebauthn/server` expects. */
export interface AnswerJson {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly clientExtensionResults: object
  readonly response: Members
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
  readonly json: AnswerJson
}

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
export function parseCredential({ body, duplicates }: Visit): Credential | undefined {
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
