/** Controls, invisible and directional characters, separators of lines, and halves of characters. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
/** The same, without what lays out a text of several lines. */
const unprintableInLines = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Returns a text from outside as one line that a terminal shows and does not obey: `\u{1b}` for an escape character. */
export function escapeControls(text: string): string {
  return text.replaceAll(unprintable, escape)
}

/** Returns a text with its lines, and without any other character that a terminal would obey. */
export function escapeLines(text: string): string {
  return text.replaceAll(unprintableInLines, escape)
}

function escape(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`
}
