/**
 * Returns the thrown value as an Error. Code can throw anything: errors of another realm, plain objects with a message,
 * as some database clients do, or objects that cannot be converted to a string.
 */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  try {
    return copyError(thrown) ?? new Error(String(thrown))
  } catch {
    return new Error('An object that cannot be converted to a string was thrown')
  }
}

function copyError(thrown: unknown): Error | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined
  const { message, name, code, stack }: Record<string, unknown> = { ...pick(thrown) }
  if (typeof message !== 'string') return undefined
  const error = new Error(message)
  if (typeof name === 'string') error.name = name
  if (typeof stack === 'string') error.stack = stack
  return code === undefined ? error : Object.assign(error, { code })
}

/** Reads members that may be inherited. */
function pick(thrown: object): Record<string, unknown> {
  return Object.fromEntries(
    ['message', 'name', 'code', 'stack'].map((member) => [member, Reflect.get(thrown, member)]),
  )
}
