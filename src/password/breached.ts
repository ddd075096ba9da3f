import { encodeHex } from '../crypto/bytes.ts'
import { fetchLimited } from '../platform/fetch-limited.ts'
import type { Awaitable } from '../types/records.ts'

/**
 * Returns the range of a prefix, the first five of 40 hexadecimal digits: a line for each SHA-1 of a breached password,
 * with the other 35 digits, a colon and a count. Lines with the count 0 are padding.
 */
export type FetchRange = (prefix: string) => Awaitable<string>

/** Milliseconds. A form waits for the response. */
const patience = 3000
/** Maximum bytes. A padded range has about 50,000. */
const size = 1_000_000

/** Returns whether a password is in its range. The service learns neither the password nor its whole hash. */
export async function isBreached(password: string, fetchRange: FetchRange): Promise<boolean> {
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(password))
  const hash = encodeHex(new Uint8Array(digest)).toUpperCase()
  const range = await inTime(fetchRange(hash.slice(0, 5)))
  return range.split(/\r?\n/).some((line) => {
    const [suffix, count] = line.split(':')
    return suffix?.toUpperCase() === hash.slice(5) && Number(count) > 0
  })
}

async function inTime(range: Awaitable<string>): Promise<string> {
  const signal = AbortSignal.timeout(patience)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`No range arrived within ${patience} ms`)))
  })
  return Promise.race([range, late])
}

/** Fetches ranges of Have I Been Pwned, padded so that their size does not reveal the prefix. */
export function fetchRanges(fetch: typeof globalThis.fetch): FetchRange {
  return async (prefix) => {
    const url = `https://api.pwnedpasswords.com/range/${prefix}`
    const headers = { 'Add-Padding': 'true', 'User-Agent': 'authmachine' }
    const { response, bytes, isCut } = await fetchLimited(fetch, url, { patience, size }, { headers })
    if (response.ok && !isCut) return new TextDecoder().decode(bytes)
    throw new Error(`The service returned status ${response.status}${isCut ? ' with too much data' : ''}`)
  }
}
