import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ConnectionProblem } from '../../src/errors/connection-problem.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { problemTexts } from '../../src/errors/provider-failures.ts'
import type { OIDCConfig } from '../../src/types/provider.ts'
import { platform } from '../../src/types/symbols.ts'
import { startSignIn } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { findFreePort, ownFetch } from '../support/free-port.ts'
import { selfSigned } from '../support/self-signed.ts'

const origin = 'http://localhost:3000'
const servers: Server[] = []

afterEach(() => {
  vi.restoreAllMocks()
  for (const server of servers.splice(0)) server.close()
})

/** Listens on a port of the loopback interface. */
async function listen(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const respond = () => createHttpServer((_, response) => void response.end('{}'))

/** A provider that cannot be reached, the code of the reason, and what explains it. */
interface Case {
  readonly issuer: () => Promise<string>
  readonly code?: RegExp
  readonly problem: ConnectionProblem
  /** Milliseconds. Others have the default, because a loaded machine may be slow to refuse a connection. */
  readonly timeout?: number
  /** Node creates the error without a stack. */
  readonly isStackless?: boolean
}

const cases: Readonly<Record<string, Case>> = {
  'a closed port': {
    issuer: async () => `http://127.0.0.1:${await findFreePort()}`,
    code: /\[ECONNREFUSED\]/,
    problem: 'connection-refused',
  },
  'an unknown host': {
    issuer: async () => 'https://sso.nowhere.invalid',
    code: /\[(ENOTFOUND|EAI_AGAIN)\]/,
    problem: 'host-unknown',
  },
  'a self-signed certificate': {
    issuer: async () => `https://localhost:${await listen(createTlsServer(selfSigned, () => undefined))}`,
    code: /\[DEPTH_ZERO_SELF_SIGNED_CERT\]/,
    problem: 'certificate-untrusted',
  },
  'https at a port that speaks http': {
    issuer: async () => `https://127.0.0.1:${await listen(respond())}`,
    code: /\[(EPROTO|ERR_SSL_\w+)\]/,
    problem: 'https-expected',
    isStackless: true,
  },
  'a connection that is closed': {
    issuer: async () => {
      const server = createTcpServer((socket) => void socket.once('data', () => socket.end()))
      return `http://127.0.0.1:${await listen(server)}`
    },
    code: /\[UND_ERR_SOCKET\]/,
    problem: 'connection-lost',
  },
  'a provider that does not respond': {
    issuer: async () => `http://127.0.0.1:${await listen(createHttpServer(() => undefined))}`,
    problem: 'timed-out',
    timeout: 1000,
  },
}

/** Starts a sign-in. Returns its response, and the lines of the built-in log. */
async function start(provider: Partial<OIDCConfig>) {
  const lines: string[] = []
  for (const level of ['error', 'warn'] as const)
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => void lines.push(parts.join(' ')))
  const config = { id: 'idp', name: 'IdP', type: 'oidc', clientId: 'client', clientSecret: 's' } as const
  const auth = createAuth({
    secret: 'a secret of the tests, long enough',
    trustHost: true,
    [platform]: { fetch: ownFetch() },
    providers: [{ ...config, ...provider }],
  })
  const response = await startSignIn(openAgent(origin, auth.handler))
  await vi.dynamicImportSettled()
  return { response, log: lines.join('\n') }
}

describe('a provider that cannot be reached', () => {
  it.each(Object.entries(cases))(
    'LOG-01 LOG-02 %s: code, stack and advice are in the log',
    async (_, each) => {
      const issuer = await each.issuer()
      const { response, log } = await start({ issuer, timeout: each.timeout })
      expect(log).toContain('[auth][error] InvalidEndpoints: Provider "idp": discovery failed')
      expect(log).toContain(new URL(issuer).host)
      const frames = each.isStackless ? '' : '.+\\n +at '
      if (each.code)
        expect(log).toMatch(
          new RegExp(`^\\[auth\\]\\[cause\\] \\w*Error ${each.code.source}: ${frames}`, 'm'),
        )
      for (const text of problemTexts[each.problem]) expect(log).toContain(text)
      const sent = `${response.headers.get('location')} ${await response.text()}`
      expect(sent).toContain('error=Configuration')
      expect(sent).not.toMatch(/ECONN|ENOTFOUND|EAI_|CERT|UND_ERR|127\.0\.0\.1:/)
    },
  )

  it('DEC-11f LOG-01 a provider with plain http on another host: the log names allowInsecureRequests', async () => {
    const endpoints = {
      token: 'http://keycloak.internal/token',
      jwks_endpoint: 'http://keycloak.internal/jwks',
    }
    for (const provider of [
      { issuer: 'http://keycloak.internal' },
      { issuer: 'https://id.example.com', authorization: 'http://keycloak.internal/auth', ...endpoints },
    ]) {
      const { log } = await start(provider)
      expect(log).toContain('http on a loopback host, for')
      expect(log).toContain('Set `allowInsecureRequests` on the provider only on a private network')
    }
  })
})
