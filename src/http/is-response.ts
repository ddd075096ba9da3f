/**
 * Tells whether a value is a Response of any class. Servers and test tools replace the global class, so `instanceof` does
 * not tell.
 */
export function isResponse(value: unknown): value is Response {
  return (
    typeof value === 'object' && value !== null && 'status' in value && 'headers' in value && 'body' in value
  )
}
