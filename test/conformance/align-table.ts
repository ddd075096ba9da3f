/** Writes a Markdown table as Prettier formats it. The first row is the head. */
export function alignTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)))
  const write = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [write(head), write(widths.map((width) => '-'.repeat(width))), ...rows.map(write)].join('\n')
}
