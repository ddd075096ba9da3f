import type { SecurityTable } from './line.ts'

/** The names that sources use for each standard. */
const citations: Readonly<Record<SecurityTable['standard'], RegExp>> = {
  ASVS: /ASVS ([\d., -]+)/g,
  'RFC 9700': /RFC ?9700 ([§\d., -]+)/g,
}

/**
 * Finds the lines of a standard that a requirement's source cites, among those in a table. A subsection without a line
 * counts as its section, and a range as all lines in it.
 *
 * @example findCitedLines('RFC9700 §4.2-4.3; ASVS 6.8.1', 'RFC 9700', ['4.1', '4.2', '4.3']) // ['4.2', '4.3']
 */
export function findCitedLines(
  source: string,
  standard: SecurityTable['standard'],
  lines: readonly string[],
): readonly string[] {
  const ranges = [...source.matchAll(citations[standard])].flatMap(([, numbers = '']) =>
    numbers.replaceAll(/[§ ]/g, '').split(','),
  )
  return ranges.flatMap((range) => {
    const [first = '', last = first] = range.split('-').map((number) => findLine(number, lines))
    return lines.slice(lines.indexOf(first), lines.indexOf(last) + 1)
  })
}

function findLine(number: string, lines: readonly string[]): string | undefined {
  if (number === '' || lines.includes(number)) return number
  return findLine(number.split('.').slice(0, -1).join('.'), lines)
}
