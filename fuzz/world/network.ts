/** A request that the target sent. */
export interface Outbound {
  readonly method: string
  readonly url: string
  readonly body: string
}

/** The network of the target. Only the hosts of the world can be reached. */
export interface Network {
  readonly fetch: typeof fetch
  /** All requests, in order. */
  readonly sent: readonly Outbound[]
}

/** @param hosts a fetch function for each origin */
export function openNetwork(
  hosts: ReadonlyMap<string, typeof fetch>,
): Network & { readonly forget: () => void } {
  const sent: Outbound[] = []
  return {
    sent,
    forget: () => void (sent.length = 0),
    async fetch(input, init) {
      const request = new Request(input, init)
      sent.push({ method: request.method, url: request.url, body: await request.clone().text() })
      const host = hosts.get(new URL(request.url).origin)
      if (!host) throw new TypeError('fetch failed')
      return host(request)
    },
  }
}
