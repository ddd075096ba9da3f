/**
 * Are the texts equal? Takes the same time wherever they differ, so that a guess learns nothing from how long its
 * refusal took; only their lengths show.
 */
export function equalsInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}
