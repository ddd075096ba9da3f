import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Operating systems choose ports from 32768 on (Linux) or 49152 on (macOS, Windows), for `listen(0)` and for outgoing
 * connections. A port below is not given to another process before its user listens on it, nor to a later server while
 * the library still remembers that nothing listened there.
 */
const [lowest, highest] = [25_000, 32_767]

/** Returns a port of the loopback interface that nothing listens on. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(lowest, highest + 1)
    if (await isFree(port)) return port
  }
  throw new Error('no port is free')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

/**
 * Returns a separate `fetch` for an application whose provider listens on a port from `listen(0)`. The library caches metadata,
 * keys and failures for each fetch and issuer, and an earlier provider of this process may have had the same port.
 */
export function ownFetch(): typeof fetch {
  return (input, init) => fetch(input, init)
}
