/**
 * Returns at most this many characters of a text from outside, on one line. Databases reject lone surrogates and null
 * characters.
 */
export function cutText(text: string, most: number): string {
  const characters = Array.from(text.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim())
  return characters.slice(0, most).join('')
}
