import { describedApps } from './applications.ts'
import { faultNames, faults } from './faults.ts'

/** Tabulates which seeded fault the oracle finds in which application, and by which requirement. */
export function tabulateFaults(): string {
  const rows = faultNames.map((name) => {
    const { says, breaks } = faults[name]
    return [`\`${name}\``, says, ...describedApps.map((app) => (app.faults.includes(name) ? breaks : '–'))]
  })
  return align([['Fault', 'The application', ...describedApps.map(({ name }) => name)], ...rows])
}

/** Writes a table as Prettier formats it. */
function align([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)))
  const write = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [write(head), write(widths.map((width) => '-'.repeat(width))), ...rows.map(write)].join('\n')
}
