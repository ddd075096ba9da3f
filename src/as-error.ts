/** Returns the thrown value as an Error. Code can throw anything, even an object that cannot be converted to a string. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  try {
    return new Error(String(thrown))
  } catch {
    return new Error('An object that cannot be converted to a string was thrown')
  }
}
