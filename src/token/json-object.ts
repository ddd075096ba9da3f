const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A JSON object in UTF-8, or undefined. A member `__proto__` is data like any other. */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
