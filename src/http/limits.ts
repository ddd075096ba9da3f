/** Maximum bytes of a request body (decision 31). */
export const maxBody = 100 * 1024

/**
 * Maximum bytes of a refused or ignored body that are read and discarded. By default, nginx itself refuses larger
 * bodies.
 */
export const maxDiscarded = 1024 * 1024

/** Maximum characters of a request's path and query. */
export const maxUrl = 16 * 1024

/**
 * Maximum characters of the `Cookie` header: the largest session token in chunks, and the same amount of other cookies.
 */
export const maxCookieHeader = 64 * 1024

/** Maximum characters of a callback URL (decision 31). */
export const maxCallbackUrl = 2 * 1024

/** Maximum characters of a percent-encoded callback URL, which then fits in a cookie with its name and attributes. */
export const maxEncodedCallbackUrl = 3584

/**
 * Maximum fields of a form, parameters of a query, and values of a JSON body. Parsing twice as many took more than 2
 * ms.
 */
export const maxFields = 500

/**
 * Maximum chunks in which a body may arrive. Networks send far larger chunks, and each costs as much as a thousand
 * characters.
 */
export const maxPieces = 250

/** Counts the parts between separators, and stops when the count exceeds the limit. */
export function countParts(text: string, separator: string, limit: number): number {
  let parts = 1
  for (let at = text.indexOf(separator); at >= 0 && parts <= limit; at = text.indexOf(separator, at + 1))
    parts++
  return parts
}

/** Maximum nesting of objects and lists in JSON from outside (LM-10). */
export const maxJsonDepth = 64

export interface JsonLimits {
  /** Maximum number of values, including lists and objects. */
  readonly values: number
  /** Maximum number of object members. @default values */
  readonly members?: number
}

const quote = 0x22
const backslash = 0x5c

/**
 * Measures JSON before it is parsed, in one pass over its bytes, so that parsing, copying and serialising it takes
 * little time and little stack.
 *
 * @returns the exceeded limit, for a message, or undefined. Does not validate the JSON.
 */
export function findExcess(json: Uint8Array, { values, members = values }: JsonLimits): string | undefined {
  let depth = 0
  let valuesLeft = values
  let membersLeft = members
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (isText) {
      if (byte === backslash) at++
      else if (byte === quote) isText = false
      continue
    }
    switch (byte) {
      case quote:
        isText = true
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxJsonDepth) return `more than ${maxJsonDepth} levels of JSON`
        if (--valuesLeft < 0) return `more than ${values} values of JSON`
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      case 0x2c: // ,
        if (--valuesLeft < 0) return `more than ${values} values of JSON`
        break
      case 0x3a: // :
        if (--membersLeft < 0) return `more than ${members} members of JSON`
        break
      default:
    }
  }
  return undefined
}

/** Measures a text as {@link findExcess} measures bytes. */
export function findExcessInText(json: string, limits: JsonLimits): string | undefined {
  return findExcess(new TextEncoder().encode(json), limits)
}
