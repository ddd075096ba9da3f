/**
 * Control, invisible and directional characters, line separators, and lone surrogates. The empty
 * braille pattern (U+2800) does not count as ignorable in Unicode, but is also invisible.
 */
function unprintable(): RegExp {
  // Created when it is needed, because compiling it takes a tenth of a millisecond.
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu
}

/**
 * Returns untrusted text as one line without control characters a terminal would act on. An escape character becomes
 * `\u{1b}`.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(unprintable(), escape)
}

/** Like `escapeControls`, but keeps line breaks and tabs. */
export function escapeLines(text: string): string {
  return text.replaceAll(unprintable(), (character) =>
    character === '\n' || character === '\t' ? character : escape(character),
  )
}

function escape(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`
}
