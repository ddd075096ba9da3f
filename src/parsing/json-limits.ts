/** Levels of objects and lists within each other, in all JSON from outside (LM-10). */
export const maxJsonDepth = 64

const quote = 0x22
const backslash = 0x5c

/**
 * Measures JSON before it is parsed, in one pass over its bytes. A parser needs neither much memory nor a deep stack for
 * what this admits, and neither does whoever writes the value again.
 *
 * @param maxValues values in lists and objects, which commas separate
 * @returns what there is too much of, for a message, or undefined. Bytes that are not JSON are the parser's to refuse.
 */
export function findExcess(json: Uint8Array, maxValues = Infinity): string | undefined {
  let depth = 0
  let separators = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (isText) {
      if (byte === backslash) at++
      else if (byte === quote) isText = false
    } else if (byte === quote) isText = true
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxJsonDepth) return `more than ${maxJsonDepth} levels of JSON`
    } else if (byte === 0x7d || byte === 0x5d) depth--
    else if (byte === 0x2c && ++separators >= maxValues) return `more than ${maxValues} values of JSON`
  }
  return undefined
}

/** Measures a text as {@link findExcess} measures bytes. */
export function findExcessInText(json: string, maxValues?: number): string | undefined {
  return findExcess(new TextEncoder().encode(json), maxValues)
}
