/** Ends an SQL statement, and puts each column of a new table on its own line. */
export function formatStatement(statement: string): string {
  const [, start, columns, end = ''] = /^(create table .*?) \((.*)\)( engine=.*)?$/.exec(statement) ?? []
  if (start === undefined || columns === undefined) return `${statement};`
  const lines: string[] = ['']
  let depth = 0
  for (const sign of columns) {
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (sign === ',' && depth === 0) lines.push('')
    else lines.push(`${lines.pop()}${sign}`)
  }
  return `${start} (\n${lines.map((line) => `  ${line.trim()}`).join(',\n')}\n)${end};`
}
