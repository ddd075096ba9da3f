import { asError } from '../errors/as-error.ts'
import type { EmailSettings } from '../config/settings.ts'
import { copyOfOptions } from '../copies/copy-handed-out.ts'
import { isShortHost } from './host.ts'
import { normalise } from './normalise.ts'
import { isPlaceholder } from './placeholder-address.ts'

/** Returns whether two addresses differ at most in case, in blanks around them, or in the encoding of accents. */
export function isSameAddress(address: unknown, other: unknown): boolean {
  if (typeof address !== 'string' || typeof other !== 'string') return false
  const folded = address === other ? undefined : fold(address)
  return address === other || (folded !== undefined && folded === fold(other))
}

function fold(address: string): string | undefined {
  return normalise(address.trim(), 'NFC', inputLimit)?.toLowerCase()
}

/** Maximum octets of the local part and of the address (RFC 5321 4.5.3.1). */
const localLimit = 64
const addressLimit = 254
/** Maximum characters, including the blanks around an address. */
const inputLimit = 1000
/**
 * Maximum characters before normalisation. Normalisation turns at most three characters into one, and an address of 254
 * octets has fewer.
 */
const writtenLimit = 512
/** Maximum characters between two normalisations. The first turns one character into at most 18. */
const expandedLimit = 18 * writtenLimit

/** Unquoted words joined by dots (RFC 5322 3.2.3), with letters of any script (RFC 6531 3.3). */
const localShape = /^[\p{L}\p{M}\p{N}!#$%&'*+\-/=?^_`{|}~]+(\.[\p{L}\p{M}\p{N}!#$%&'*+\-/=?^_`{|}~]+)*$/u
const domainShape = /^[\p{L}\p{M}\p{N}\-.\u3002]+$/u
const hostShape = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

const plainWord = "[a-z0-9!#$%&'*+/^_`{|}~-]+"
/** Only a URL parser can judge labels that start with `xn--`. */
const plainLabel = '(?!xn--)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?'
/** The last label is neither a number, as in an IP address, nor the label of placeholders. */
const plainAddress = new RegExp(
  `^${plainWord}(?:\\.${plainWord})*@(?:${plainLabel}\\.)*(?=[a-z])(?!invalid$)${plainLabel}$`,
)

/**
 * Returns whether an address obviously has its canonical form. Most addresses do, and the full check takes several
 * times as long. Addresses this short are within all limits.
 */
function isPlain(address: string): boolean {
  return address.length <= localLimit && plainAddress.test(address)
}

/**
 * Returns the canonical form of an e-mail address, used to look up, store and mail it: NFKC, lower case, the domain in
 * ASCII. Returns undefined for anything other than exactly one plain mailbox (decision 29): quotes, comments, lists,
 * groups, encoded words, control characters, white space or an invalid domain are rejected.
 *
 * @example canonicaliseAddress(' Ann@Bücher.example ') // 'ann@xn--bcher-kva.example'
 */
export function canonicaliseAddress(raw: unknown): string | undefined {
  if (typeof raw !== 'string' || raw.length > inputLimit) return undefined
  if (isPlain(raw)) return raw
  const written = raw.trim()
  const address = canonicalise(written)
  if (address === undefined || address === written) return address
  // An address that changes when it is canonicalised again has no canonical form.
  return canonicalise(address) === address ? address : undefined
}

/**
 * Like `canonicaliseAddress`, for an address that a provider has verified. Returns undefined if NFKC would change the
 * local part: the provider verified the mailbox as written, not the one with the normalised name.
 *
 * @example canonicaliseClaim('ſupport@corp.example') // undefined
 */
export function canonicaliseClaim(raw: string): string | undefined {
  const address = canonicaliseAddress(raw)
  const local = raw.trim().slice(0, raw.trim().lastIndexOf('@'))
  return address !== undefined && local === normalise(local, 'NFKC', writtenLimit) ? address : undefined
}

function canonicalise(raw: string): string | undefined {
  const lower = normalise(raw, 'NFKC', writtenLimit)?.toLowerCase()
  // Lower case can have another normal form.
  const parts = lower === undefined ? [] : (normalise(lower, 'NFKC', expandedLimit)?.split('@') ?? [])
  const [local = '', domain = ''] = parts
  if (parts.length !== 2 || !localShape.test(local) || local.includes('=?')) return undefined
  const host = toHost(domain)
  const address = `${local}@${host}`
  if (isPlaceholder(address)) return undefined
  return host !== undefined && octets(local) <= localLimit && octets(address) <= addressLimit
    ? address
    : undefined
}

/** Returns the domain as an ASCII host name (UTS 46), or undefined if it is invalid or an IP address. */
function toHost(domain: string): string | undefined {
  if (!isShortHost(domain)) return undefined
  if (!domainShape.test(domain)) return undefined
  try {
    const host = new URL(`http://${domain}`).hostname
    return hostShape.test(host) && !/(^|\.)\d+$/.test(host) ? host : undefined
  } catch {
    return undefined
  }
}

function octets(text: string): number {
  return new TextEncoder().encode(text).length
}

/**
 * Returns the form in which a provider identifies an address: by its own `normalizeIdentifier`, or the canonical form.
 * Returns undefined if the address is invalid, too long or a placeholder, or the normaliser throws.
 *
 * @param report logs an error of the normaliser
 */
export function normaliseFor(
  { config }: EmailSettings,
  raw: unknown,
  report: (thrown: Error) => void,
): string | undefined {
  if (typeof raw !== 'string' || raw === '' || raw.length > inputLimit) return undefined
  if (!config.normalizeIdentifier) return canonicaliseAddress(raw)
  try {
    const own: unknown = copyOfOptions(config).normalizeIdentifier?.(raw)
    const isUsable = typeof own === 'string' && own !== '' && own.length <= inputLimit && !isPlaceholder(own)
    return isUsable ? own : undefined
  } catch (error) {
    report(asError(error))
    return undefined
  }
}
