import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { openPort } from '../../docs/examples/demo/serve.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import type { AuthBase } from '../../src/index.ts'
import type { FastifyReply } from '../../src/integrations/node/fastify.ts'
import Credentials from '../../src/providers/credentials.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { openAgent } from '../support/browser-agent.ts'

/** An application in which anyone who knows the PIN 1234 can sign in. */
export function createTestAuth(config: Partial<AuthConfig> = {}): AuthBase {
  return createAuth({
    secret: 'a secret for the server tests that is long enough',
    trustHost: true,
    providers: [
      Credentials({
        credentials: { pin: {} },
        authorize: ({ pin }) => (pin === '1234' ? { id: 'ada', name: 'Ada' } : null),
      }),
    ],
    logger: { error() {}, warn() {} },
    ...config,
  })
}

/** Serves on a free port while a callback uses a user agent. */
export async function serve(
  listener: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
  visit: (agent: ReturnType<typeof openAgent>, origin: string) => Promise<void>,
): Promise<void> {
  const port = await openPort('127.0.0.1', 0)
  port.answer((incoming, outgoing) => void listener(incoming, outgoing))
  try {
    await visit(
      openAgent(port.origin, (request) => fetch(request, { redirect: 'manual' })),
      port.origin,
    )
  } finally {
    await port.close()
  }
}

/** Returns the parts of Fastify's reply that the library uses, on a response of node:http. */
export function replyOf(raw: ServerResponse): FastifyReply {
  return {
    raw,
    code: (status) => (raw.statusCode = status),
    header: (name, value) => raw.appendHeader(name, value),
    getHeader: (name) => raw.getHeader(name),
    removeHeader: (name) => raw.removeHeader(name),
    send: (payload) => (payload instanceof Readable ? payload.pipe(raw) : raw.end(payload)),
  }
}

/** Sends a request unchanged, which `fetch` would normalise. @returns the status and the body */
export function sendRaw(
  origin: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ readonly status?: number; readonly body: string }> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const sent = ask({ hostname, port, path, headers, setHost: !('host' in headers) }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject)
    })
    sent.on('error', reject)
    sent.end()
  })
}
