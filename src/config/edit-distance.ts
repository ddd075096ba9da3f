/** How many letters to insert, remove, replace or swap with their neighbour, to make one word of the other. */
export function editDistance(from: string, to: string): number {
  const rows: number[][] = []
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 0; row <= from.length; row++) {
    const current: number[] = []
    rows.push(current)
    for (let column = 0; column <= to.length; column++) {
      const replaced = at(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1)
      const areSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swapped = areSwapped ? at(row - 2, column - 2) + 1 : Infinity
      const nearest = Math.min(replaced, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1)
      current.push(row + column === 0 ? 0 : nearest)
    }
  }
  return at(from.length, to.length)
}
