/**
 * Replaces the global `Response` with a class whose `headers` is the object that the caller passed, as
 * `@hono/node-server` does. The Fetch standard copies it.
 * @returns a function that restores the original
 */
export function keepHeaders(): () => void {
  const Original = globalThis.Response
  class KeepingResponse extends Original {
    readonly #headers: Headers

    constructor(body?: BodyInit | null, init?: ResponseInit) {
      super(body, init)
      this.#headers = init?.headers instanceof Headers ? init.headers : super.headers
    }

    override get headers(): Headers {
      return this.#headers
    }
  }
  globalThis.Response = KeepingResponse
  return () => void (globalThis.Response = Original)
}
