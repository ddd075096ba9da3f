type Mergeable = Record<PropertyKey, unknown>

function isPlainObject(value: unknown): value is Mergeable {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * A new object of `base` with `over` laid on top: plain objects are merged, everything else replaces, and undefined
 * leaves what was there. Arrays are never merged by index.
 */
export function merge(base: object, over: object | undefined): Mergeable {
  const merged: Mergeable = { ...base }
  for (const key of Reflect.ownKeys(over ?? {})) {
    if (key === '__proto__') continue
    const value: unknown = Reflect.get(over ?? {}, key)
    const below = merged[key]
    if (value === undefined) continue
    merged[key] = isPlainObject(value) && isPlainObject(below) ? merge(below, value) : value
  }
  return merged
}
