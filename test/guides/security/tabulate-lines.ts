import { requirement, type RequirementId } from '../../../spec/index.ts'
import type { SecurityLine } from './line.ts'
import { securityTables } from './tables.ts'

/**
 * Renders a table of the security guide.
 *
 * @param capabilities those of this library. If part of a requirement depends on another one, the table names that part
 * as an exception
 * @throws {RangeError} when there is no such table
 */
export function tabulateLines(name: string, capabilities: readonly string[]): string {
  const table = securityTables.find((each) => each.name === name)
  if (table === undefined) throw new RangeError(`No table of the security guide is named ${name}`)
  return [
    row(['Line', 'Summary', 'Covered by', 'Notes']),
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
  return uncovered === undefined && site !== undefined ? 'your site' : 'not covered'
}

function describeRest({ open = [], inapplicable, uncovered, site }: SecurityLine): string {
  const notMet = open.length === 0 ? undefined : `Not met: ${open.map(link).join(', ')}.`
  return [inapplicable, notMet, uncovered, site].filter((part) => part !== undefined).join(' ')
}

function except(id: RequirementId, capabilities: readonly string[]): string {
  const { capability, within } = requirement(id)
  const isPartial = capability !== undefined && within !== undefined && !capabilities.includes(capability)
  return isPartial ? ` (except ${within})` : ''
}

function link(id: RequirementId): string {
  return `[${id}](../../spec/requirements.md#${id})`
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
