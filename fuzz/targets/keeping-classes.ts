/**
 * A `Response` and `Headers` that keep the objects that they receive, like the replacements for the built-in classes
 * that some servers install. If a library passes the same headers object to two responses, headers added to the
 * first are also sent with the second.
 */
export function keepingClasses(): Pick<typeof globalThis, 'Headers' | 'Response'> {
  const platform = { Headers: globalThis.Headers, Response: globalThis.Response }
  const kept = new WeakMap<object, Headers>()

  const Headers = new Proxy(platform.Headers, {
    construct(target, [init]: [HeadersInit?], created) {
      const known = init instanceof target ? init : init && kept.get(init)
      if (known) return known
      const headers: Headers = Reflect.construct(target, init ? [init] : [], created)
      if (init) kept.set(init, headers)
      return headers
    },
  })

  class Response extends platform.Response {
    readonly #headers: Headers | undefined

    constructor(body?: BodyInit | null, init?: ResponseInit) {
      super(body, init)
      if (init?.headers) this.#headers = new Headers(init.headers)
    }

    override get headers(): Headers {
      return this.#headers ?? super.headers
    }
  }
  return { Headers, Response }
}

/** Replaces the global classes. Returns a function that restores them. */
export function installKeepingClasses(): () => void {
  const { Headers, Response } = globalThis
  Object.assign(globalThis, keepingClasses())
  return () => void Object.assign(globalThis, { Headers, Response })
}
