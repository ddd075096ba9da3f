/** Names with what each is, in two columns. */
export function table(rows: readonly (readonly [name: string, says: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, says]) => `  ${name.padEnd(width)}  ${says}`).join('\n')
}
