/** Asserts a condition. @throws {Error} with this message if it is false */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

/** Returns a member of any value. */
export function read(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
