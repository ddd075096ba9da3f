import { requirement, type RequirementId } from '../../../spec/index.ts'
import type { SecurityLine } from './line.ts'
import { securityTables } from './tables.ts'

/**
 * Prints a table of the security guide.
 *
 * @param capabilities of this library: a requirement that is about another one in part is followed by that part
 * @throws {RangeError} when there is no table of that name
 */
export function tabulateLines(name: string, capabilities: readonly string[]): string {
  const table = securityTables.find((each) => each.name === name)
  if (table === undefined) throw new RangeError(`No table of the security guide is named ${name}`)
  return [
    row(['Line', 'What it asks for', 'Covered by', 'What is left']),
    row(['---', '---', '---', '---']),
    ...table.lines.map((line) => row([line.line, line.asks, cover(line, capabilities), describeRest(line)])),
  ].join('\n')
}

function cover(
  { held, inapplicable, uncovered, site }: SecurityLine,
  capabilities: readonly string[],
): string {
  if (inapplicable !== undefined) return 'not applicable'
  if (held !== undefined) return held.map((id) => link(id) + except(id, capabilities)).join(', ')
  return uncovered === undefined && site !== undefined ? "the site's" : 'not covered'
}

function describeRest({ open = [], inapplicable, uncovered, site }: SecurityLine): string {
  const notHeld = open.length === 0 ? undefined : `Not held: ${open.map(link).join(', ')}.`
  return [inapplicable, notHeld, uncovered, site].filter((part) => part !== undefined).join(' ')
}

function except(id: RequirementId, capabilities: readonly string[]): string {
  const { capability, within } = requirement(id)
  const isPartial = capability !== undefined && within !== undefined && !capabilities.includes(capability)
  return isPartial ? ` (except ${within})` : ''
}

function link(id: RequirementId): string {
  return `[${id}](../../spec/README.md#${id})`
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
