/** Levels of objects and lists within each other, in all JSON from outside (LM-10). */
export const maxJsonDepth = 64

export interface JsonLimits {
  /** Values in lists and objects, and lists and objects themselves. */
  readonly values: number
  /** Members of objects. @default values */
  readonly members?: number
}

const quote = 0x22
const backslash = 0x5c

/**
 * Measures JSON before it is parsed, in one pass over its bytes. A parser needs neither much time nor a deep stack for
 * what this admits, and neither does whoever copies the value or writes it again.
 *
 * @returns what there is too much of, for a message, or undefined. Bytes that are not JSON are the parser's to refuse.
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
