/** Returns a copy of an error, of the same class. Code that gets an error, such as a logger, may write to it. */
export function copyOfError<E extends Error>(error: E): E {
  const copy = Object.setPrototypeOf(new Error(error.message), Object.getPrototypeOf(error) as object) as E
  const { stack } = error
  Object.defineProperties(copy, Object.getOwnPropertyDescriptors(error))
  return Object.assign(copy, stack !== undefined && { stack })
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
