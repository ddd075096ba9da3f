/**
 * Tells whether a value is a Response of any class. Servers and test tools replace the global class, so `instanceof`
 * cannot be used.
 */
export function isResponse(value: unknown): value is Response {
  return (
    typeof value === 'object' && value !== null && 'status' in value && 'headers' in value && 'body' in value
  )
}
