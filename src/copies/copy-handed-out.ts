/**
 * Returns a copy of an error, of the same class, with copies of its causes and its details. Code that gets an error,
 * such as a logger, may write to all of these.
 */
export function copyOfError<E extends Error>(error: E): E {
  return copyError(error, new Map())
}

function copyError<E extends Error>(error: E, copies: Map<object, object>): E {
  // Name and message of a DOMException are not its own properties.
  const copy = isOfDom(error)
    ? new DOMException(error.message, error.name)
    : (Object.setPrototypeOf(new Error(error.message), Object.getPrototypeOf(error) as object) as Error)
  copies.set(error, copy)
  const own = copyOwn(error, copies)
  // Some runtimes have accessors here, which do not work on a copy.
  own.stack = { ...changeable, enumerable: false, value: error.stack }
  return Object.defineProperties(copy, own) as E
}

function copyOwn(holder: object, copies: Map<object, object>): PropertyDescriptorMap {
  const own: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(holder)
  for (const key of Reflect.ownKeys(own)) {
    const held = own[key]
    if (!held) continue
    if ('value' in held) held.value = copyHeld(held.value, copies)
    else
      own[key] = { ...changeable, enumerable: held.enumerable === true, value: copyRead(holder, key, copies) }
  }
  return own
}

const changeable = { writable: true, configurable: true } as const

/** Reads accessors, because in a copy they would read and write the members of the original. */
function copyRead(holder: object, key: PropertyKey, copies: Map<object, object>): unknown {
  try {
    return copyHeld(Reflect.get(holder, key), copies)
  } catch {
    return undefined
  }
}

/** Copies a member of an error: an error, or details in plain objects and lists. */
function copyHeld(held: unknown, copies: Map<object, object>): unknown {
  if (typeof held !== 'object' || held === null) return held
  const known = copies.get(held)
  if (known) return known
  if (isError(held)) return copyError(held, copies)
  const prototype = Object.getPrototypeOf(held) as object | null
  const isPlain = prototype === Object.prototype || prototype === null
  if (!isPlain && !Array.isArray(held)) return copyOther(held)
  const copy = isPlain ? (Object.create(prototype) as object) : []
  copies.set(held, copy)
  return Object.defineProperties(copy, copyOwn(held, copies))
}

/** Copies bytes, dates and maps. Returns the name of a value that cannot be copied, such as a Response: only a log needs it. */
function copyOther(held: object): unknown {
  try {
    return structuredClone(held)
  } catch {
    return Object.prototype.toString.call(held)
  }
}

/** Errors of other realms are no instances, and some errors have another tag. */
function isError(value: object): value is Error {
  return value instanceof Error || tagOf(value) === 'Error' || isOfDom(value)
}

function isOfDom(error: object): boolean {
  return tagOf(error) === 'DOMException'
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1)
}

/** Several visitors may wait for one promise. Their logs and hooks get separate errors. */
export function apart<T>(promise: Promise<T>): Promise<T> {
  return promise.catch((error: unknown) => {
    throw copyHeld(error, new Map())
  })
}

/** Freezes a class. Code that gets an instance, such as a hook that gets an error, can reach its class. */
export function freezeClass(own: { readonly prototype: object }): void {
  Object.freeze(own)
  Object.freeze(own.prototype)
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

/** Removes undefined members. Null is a value. */
export function withoutUndefined<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>
}
