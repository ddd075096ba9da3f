import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An open port, whose request listener is set later. */
export interface OpenPort {
  readonly origin: string
  readonly answer: (listener: RequestListener) => void
  /** Closes the port and every connection to it. */
  readonly close: () => Promise<void>
}

/**
 * Opens a port of this machine; 0 selects any free one. The listener is set later, because the site and the provider need
 * each other's address.
 * @throws {Error} if the port is in use
 */
export async function openPort(host: 'localhost' | '127.0.0.1', port: number): Promise<OpenPort> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, port)))
    server.listen(port, host, resolve)
  })
  return {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    answer: (listener) => void server.on('request', listener),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function explain(error: Error, port: number): Error {
  const isInUse = 'code' in error && error.code === 'EADDRINUSE'
  return isInUse ? new Error(`Port ${port} is in use: choose another one with --port`) : error
}
