/**
 * Returns at most this many characters of a text from outside, on one line. Databases reject lone surrogates and null
 * characters.
 */
export function cutText(text: string, most: number): string {
  // First by code units, because a client may send a hundred times as much.
  const start = text.trim().slice(0, 8 * most)
  const characters = Array.from(start.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim())
  return characters.slice(0, most).join('')
}
