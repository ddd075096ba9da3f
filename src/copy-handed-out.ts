/**
 * Returns a copy of an error, of the same class, with copies of its causes. Code that gets an error, such as a logger, may
 * write to all of them.
 */
export function copyOfError<E extends Error>(error: E): E {
  return copyError(error, new Map())
}

function copyError<E extends Error>(error: E, copies: Map<object, object>): E {
  const copy = Object.setPrototypeOf(new Error(error.message), Object.getPrototypeOf(error) as object) as E
  copies.set(error, copy)
  const own: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(error)
  for (const held of [own.cause, own.errors])
    if (held && 'value' in held) held.value = copyCause(held.value, copies)
  // Some runtimes have accessors here, which do not work on a copy.
  own.stack = { value: error.stack, writable: true, configurable: true, enumerable: false }
  return Object.defineProperties(copy, own)
}

/** A cause is an error, or details, one of which may be an error. A DOMException does not change. */
function copyCause(cause: unknown, copies: Map<object, object>): unknown {
  if (typeof cause !== 'object' || cause === null) return cause
  const known = copies.get(cause)
  if (known) return known
  if (Object.prototype.toString.call(cause) === '[object Error]') return copyError(cause as Error, copies)
  if (Array.isArray(cause)) return cause.map((each: unknown) => copyCause(each, copies))
  if (Object.getPrototypeOf(cause) !== Object.prototype) return cause
  return Object.fromEntries(Object.entries(cause).map(([name, each]) => [name, copyCause(each, copies)]))
}

/** Returns a copy of options for a hook, which may write to them: plain objects and lists at every level. */
export function copyOfOptions<T>(options: T): T {
  if (Array.isArray(options)) return options.map((each: unknown) => copyOfOptions(each)) as T
  if (typeof options !== 'object' || options === null) return options
  if (Object.getPrototypeOf(options) !== Object.prototype) return options
  const copy: Record<PropertyKey, unknown> = {}
  for (const key of Reflect.ownKeys(options)) copy[key] = copyOfOptions(Reflect.get(options, key) as unknown)
  return copy as T
}
