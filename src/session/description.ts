import { cutText } from '../text/cut-text.ts'
import type { ListedSession, SessionDescription } from '../types/listed-session.ts'

type Described = Pick<ListedSession, 'device' | 'address' | 'createdAt'>

/** The most characters of each member that are kept. */
const limits = { device: 200, address: 100 } as const

/** Writes the description of a session as the adapter stores it. `createdAt` is in milliseconds since 1970. */
export function writeDescription(
  described: SessionDescription | null | undefined,
  createdAt: number,
): string {
  const { device, address } = described ?? {}
  return JSON.stringify({
    device: cut('device', device),
    address: cut('address', address),
    createdAt,
  })
}

/** Returns the description that a site stored with a session. Ignores text that the library has not written. */
export function readDescription(text: string | null | undefined): Described {
  const { device, address, createdAt } = parse(text)
  return {
    ...(typeof device === 'string' && { device }),
    ...(typeof address === 'string' && { address }),
    ...(typeof createdAt === 'number' && { createdAt: new Date(createdAt) }),
  }
}

function parse(text: unknown): { readonly [member: string]: unknown } {
  if (typeof text !== 'string') return {}
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    return {}
  }
}

/** @throws TypeError if the application returned anything but text */
function cut(name: keyof typeof limits, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw new TypeError(`\`${name}\` must be a string, got ${typeof value}`)
  return cutText(value, limits[name]) || undefined
}
