/** Freezes a value and whatever it holds, symbols and functions too, so that writing to any of it throws. */
export function freezeDeeply<T>(value: T): T {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || Object.isFrozen(value))
    return value
  Object.freeze(value)
  for (const key of Reflect.ownKeys(value)) freezeDeeply(Reflect.get(value, key))
  return value
}
