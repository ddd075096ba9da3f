import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A port that listens, before anything is said about who answers there. */
export interface OpenPort {
  readonly origin: string
  readonly answer: (listener: RequestListener) => void
  /** Closes the port and every connection to it. */
  readonly close: () => Promise<void>
}

/**
 * Opens a port of this machine; 0 takes any free one. The site and the provider need each other's address before either
 * can be made, so that opening and answering are two things.
 * @throws Error when the port is taken
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
  const taken = 'code' in error && error.code === 'EADDRINUSE'
  return taken ? new Error(`Port ${port} is taken: choose another one with --port`) : error
}
