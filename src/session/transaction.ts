import { sha256Hex } from '../crypto/hash.ts'
import { whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import type { Visit } from '../http/visit.ts'
import { checkPurposes } from './check-cookies.ts'

/** Sign-ins whose checks a browser keeps beside a new one's. More would outgrow what servers take for headers. */
const kept = 3

const purposes = Object.values(checkPurposes)
const shape = /^(\.t[0-9a-f]{16})(?:\.\d)?$/

/**
 * The end of the names of one sign-in's check cookies, where several go on at once: it says which state they belong to,
 * and nothing of what that is. No number, which would be a piece of the cookie without it.
 */
export function nameTransaction(state: string): MaybePromise<string> {
  return whenReady(sha256Hex(state), (hash) => `.t${hash.slice(0, 16)}`)
}

/** The sign-ins that have to make room for a new one: the oldest, which user agents send first (RFC 6265 5.4). */
export function findSurplus({ cookies, cookieTable }: Visit): readonly string[] {
  const held = cookies.names.flatMap((name) => {
    const purpose = purposes.find((each) => name.startsWith(cookieTable[each].name))
    const [, transaction] = shape.exec(purpose ? name.slice(cookieTable[purpose].name.length) : '') ?? []
    return transaction === undefined ? [] : [transaction]
  })
  return [...new Set(held)].slice(0, -kept)
}
