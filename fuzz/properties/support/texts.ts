/** Collects every string inside a value, at any depth: members, lists, maps, error causes, and dates in ISO format. */
export function textsOf(value: unknown, seen = new Set<object>()): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (typeof value === 'function' || typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? [] : [value.toISOString()]
  if (value instanceof URL || value instanceof URLSearchParams) return [String(value)]
  if (value instanceof Headers || value instanceof Map) return textsOf([...value], seen)
  const own = Reflect.ownKeys(value).flatMap((key) => textsOf(read(value, key), seen))
  return value instanceof Error ? [...own, ...textsOf([value.name, value.message, value.stack], seen)] : own
}

function read(value: object, key: PropertyKey): unknown {
  try {
    return Reflect.get(value, key)
  } catch {
    return undefined
  }
}
