import { decodeBase64url, isBase64url } from '../crypto/base64url.ts'
import { maxFields } from '../http/limits.ts'
import type { Visit } from '../http/visit.ts'
import { findExcessInText } from '../parsing/json-limits.ts'
import { isCheapAttestation, isCheapAuthenticatorData } from './cbor-limits.ts'
import type { CeremonyKind } from './challenge.ts'

/** What the browser's script posted: the answer of an authenticator, of which only what is known is kept. */
export interface Credential {
  readonly ceremony: CeremonyKind
  /** base64url */
  readonly id: string
  /** Where the browser says that the page was framed, and by whom. */
  readonly crossOrigin: boolean
  readonly topOrigin?: string
  /** Who the authenticator says it is for, as its client encoded it. */
  readonly userHandle?: string
  readonly transports: readonly string[]
  /** As `@simplewebauthn/server` takes it. */
  readonly json: object
}

type Members = Readonly<Record<string, unknown>>

interface Demand {
  /** Characters of base64url: some times as many as the largest that authenticators make. */
  readonly longest: number
  readonly isCheap?: (bytes: Uint8Array) => boolean
}

const clientDataJSON: Demand = { longest: 8 * 1024 }

/** Texts that the answer to each ceremony has to bring, all in base64url. */
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

/** Reads the fields `action` and `data` of the form; undefined for anything that no authenticator answers. */
export function readCredential({ body, duplicates }: Visit): Credential | undefined {
  const ceremony = readCeremony(body.action)
  if (!ceremony || duplicates.includes('action') || duplicates.includes('data')) return undefined
  const data = parseObject(body.data)
  const response = asMembers(data?.response)
  const { id, rawId, type } = data ?? {}
  if (!response || !isEncoded(id) || rawId !== id || type !== 'public-key') return undefined
  const texts = pick(response, demanded[ceremony])
  const clientData = parseObject(decodeText(texts?.['clientDataJSON']))
  // Authenticators without a handle may say so by an empty one.
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
      // Nothing that is verified there depends on the handle, which clients encode in different ways.
      response: { ...texts, transports },
    },
  }
}

/** The ceremony that a text names. */
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

/** Transports are hints for later: what does not look like one is left out, and a few are enough. */
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
