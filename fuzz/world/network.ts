/** A request that the target sent. */
export interface Outbound {
  readonly method: string
  readonly url: string
  readonly body: string
}

/** Where the target's own requests go: to the hosts of the world, and nowhere else. */
export interface Network {
  readonly fetch: typeof fetch
  /** Everything that was sent, in order. */
  readonly sent: readonly Outbound[]
}

/** @param hosts what answers, by origin */
export function openNetwork(hosts: ReadonlyMap<string, typeof fetch>): Network {
  const sent: Outbound[] = []
  return {
    sent,
    async fetch(input, init) {
      const request = new Request(input, init)
      sent.push({ method: request.method, url: request.url, body: await request.clone().text() })
      const host = hosts.get(new URL(request.url).origin)
      if (!host) throw new TypeError('fetch failed')
      return host(request)
    },
  }
}
