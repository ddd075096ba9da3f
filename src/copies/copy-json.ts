/**
 * Returns a copy of a value as if it had been sent as JSON: the result of `JSON.parse(JSON.stringify(value))`, in less
 * time if the value is plain data.
 *
 * @throws TypeError as `JSON.stringify` does, for a BigInt or a cycle
 */
export function copyJson(value: unknown): unknown {
  const copy = copyPlain(value, 0)
  if (copy !== other) return copy
  const text = JSON.stringify(value) as string | undefined
  return text === undefined ? undefined : JSON.parse(text)
}

/** Stands for a value that is not plain data. */
const other = Symbol('other')

/** Cycles are deeper. */
const maxDepth = 16

function copyPlain(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      // JSON has no negative zero.
      return Number.isFinite(value) ? value + 0 : null
    case 'object':
      if (value === null) return null
      return depth > maxDepth || 'toJSON' in value ? other : copyHolder(value, depth + 1)
    default:
      return other
  }
}

function copyHolder(holder: object, depth: number): unknown {
  if (Array.isArray(holder)) return copyList(holder, depth)
  const isPlain = Object.getPrototypeOf(holder) === Object.prototype
  return isPlain ? copyMembers(holder as Readonly<Record<string, unknown>>, depth) : other
}

function copyList(list: readonly unknown[], depth: number): unknown {
  const copies: unknown[] = []
  for (const each of list) {
    const copy = each === undefined ? null : copyPlain(each, depth)
    if (copy === other) return other
    copies.push(copy)
  }
  return copies
}

function copyMembers(holder: Readonly<Record<string, unknown>>, depth: number): unknown {
  const copies: Record<string, unknown> = {}
  for (const name of Object.keys(holder)) {
    const member = holder[name]
    if (member === undefined) continue
    const copy = copyPlain(member, depth)
    // Assigning a member of this name would set the prototype.
    if (copy === other || name === '__proto__') return other
    copies[name] = copy
  }
  return copies
}
