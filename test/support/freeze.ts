/** Freezes a value and everything it contains, including symbols and functions, so that any write throws. */
export function freezeDeeply<T>(value: T): T {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || Object.isFrozen(value))
    return value
  Object.freeze(value)
  for (const key of Reflect.ownKeys(value)) freezeDeeply(Reflect.get(value, key))
  return value
}
