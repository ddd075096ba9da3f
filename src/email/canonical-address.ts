import { isPlaceholder } from './unproven-address.ts'

/** Octets of a local part and of an address in all (RFC 5321 4.5.3.1). */
const localLimit = 64
const addressLimit = 254
/** Characters with the blanks around an address. */
const inputLimit = 1000
/** Characters before normalisation, which makes one character of three at most: an address of 254 octets has fewer. */
const writtenLimit = 512
/** Characters of a host name. In ASCII each becomes one or more. */
const hostLimit = 253

/** Unquoted words joined by dots (RFC 5322 3.2.3), letters of any script among them (RFC 6531 3.3). */
const localShape = /^[\p{L}\p{M}\p{N}!#$%&'*+\-/=?^_`{|}~]+(\.[\p{L}\p{M}\p{N}!#$%&'*+\-/=?^_`{|}~]+)*$/u
const domainShape = /^[\p{L}\p{M}\p{N}\-.\u3002]+$/u
const hostShape = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The one form of an e-mail address, under which it is looked up, stored and mailed: NFKC, lower case, the domain in
 * ASCII. Undefined for anything that is not exactly one plain mailbox (decision 29): no quotes, comments, lists, groups,
 * encoded words, controls or white space, no domain that is no host name.
 *
 * @example canonicaliseAddress(' Ann@Bücher.example ') // 'ann@xn--bcher-kva.example'
 */
export function canonicaliseAddress(raw: unknown): string | undefined {
  if (typeof raw !== 'string' || raw.length > inputLimit) return undefined
  const written = raw.trim()
  if (written.length > writtenLimit) return undefined
  const address = canonicalise(written)
  if (address === undefined || address === written) return address
  // What changes when it is read again has two forms, and none of them is the one.
  return canonicalise(address) === address ? address : undefined
}

/**
 * As `canonicaliseAddress`, for an address that a provider vouches for: undefined where NFKC would turn its local part into
 * another one. The provider has verified the mailbox that it names, and not the one that a normalised name belongs to.
 *
 * @example canonicaliseClaim('ſupport@corp.example') // undefined
 */
export function canonicaliseClaim(raw: string): string | undefined {
  const local = raw.trim().slice(0, raw.trim().lastIndexOf('@'))
  return local === local.normalize('NFKC') ? canonicaliseAddress(raw) : undefined
}

function canonicalise(raw: string): string | undefined {
  const parts = raw.normalize('NFKC').toLowerCase().normalize('NFKC').split('@')
  const [local = '', domain = ''] = parts
  if (parts.length !== 2 || !localShape.test(local) || local.includes('=?')) return undefined
  const host = toHost(domain)
  const address = `${local}@${host}`
  if (isPlaceholder(address)) return undefined
  return host !== undefined && octets(local) <= localLimit && octets(address) <= addressLimit
    ? address
    : undefined
}

/** The domain as a host name in ASCII (UTS 46), if it is one and no address of a machine. */
function toHost(domain: string): string | undefined {
  if (domain.length > 2 * hostLimit || Array.from(domain).length > hostLimit) return undefined
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
