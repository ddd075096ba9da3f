/** Twice the marks that text of any language has in a row, because some take two code units (UAX 15, 13). */
const longestRow = 60

/**
 * Returns a Unicode normal form of a text that a client or provider has chosen. Returns undefined if the text is longer
 * than the limit, in UTF-16 code units, or has more combining marks in a row than any language: normalisation sorts
 * them, in a time that grows with the square of their number.
 */
export function normalise(text: string, form: 'NFC' | 'NFKC', longest: number): string | undefined {
  return text.length <= longest && hasShortRows(text) ? text.normalize(form) : undefined
}

/** Returns whether a text has few combining marks in a row, so that normalisation takes linear time. */
export function hasShortRows(text: string): boolean {
  // Combining marks, and the half-width sound marks that normalisation turns into such.
  for (const [row] of text.matchAll(/[\p{M}\uff9e\uff9f]+/gu)) if (row.length > longestRow) return false
  return true
}
