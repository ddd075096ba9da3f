/**
 * Replaces the global `Response` with a class whose `json()` returns the object that `Response.json()` was given. In
 * the Fetch standard, the object is written as text, and that text is parsed.
 * @returns the objects, and a function that restores the original
 */
export function keepBodies(): { readonly bodies: readonly object[]; readonly restore: () => void } {
  const Original = globalThis.Response
  const bodies: object[] = []
  class KeepingResponse extends Original {
    static override json(body: object, init?: ResponseInit): Response {
      bodies.push(body)
      const response = new KeepingResponse(JSON.stringify(body), {
        ...init,
        headers: { 'content-type': 'application/json' },
      })
      return Object.assign(response, { json: () => Promise.resolve(body) })
    }
  }
  globalThis.Response = KeepingResponse
  return { bodies, restore: () => void (globalThis.Response = Original) }
}
