import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { selfSigned } from '../support/self-signed.ts'

const directory = mkdtempSync(join(tmpdir(), 'authmachine-network-'))
const authority = join(directory, 'authority.pem')
/** The targets of the requests that the proxy forwarded. */
const forwarded: string[] = []

const provider = createTlsServer(selfSigned, (request, response) => {
  const issuer = `https://${request.headers.host}`
  const [authorization_endpoint, token_endpoint, jwks_uri] = ['authorize', 'token', 'jwks'].map(
    (path) => `${issuer}/${path}`,
  )
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ issuer, authorization_endpoint, token_endpoint, jwks_uri }))
})

/** Connects every client to the provider, whatever host it names. */
const proxy = createServer().on('connect', (request, client) => {
  forwarded.push(request.url ?? '')
  const upstream = connect(portOf(provider), '127.0.0.1', () => {
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    upstream.pipe(client).pipe(upstream)
  })
  for (const socket of [client, upstream]) socket.on('error', () => upstream.destroy())
})

const portOf = (server: Server) => (server.address() as AddressInfo).port

beforeAll(async () => {
  writeFileSync(authority, selfSigned.cert)
  for (const server of [provider, proxy]) await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  for (const server of [provider, proxy]) server.close()
  rmSync(directory, { recursive: true })
})

/** Starts a sign-in in a separate process. @returns where it redirects the browser, and its log */
async function startSignIn(issuer: string, environment: Readonly<Record<string, string>>) {
  const program = `
    import { createAuth } from ${JSON.stringify(new URL('../../src/instance/create-auth.ts', import.meta.url).href)}
    const { handler } = createAuth({
      secret: 'a secret of thirty-two characters', trustHost: true,
      providers: [{ id: 'sso', name: 'SSO', type: 'oidc', issuer: ${JSON.stringify(issuer)}, clientId: 'c', clientSecret: 's' }],
    })
    const site = 'http://localhost:3000/auth/'
    const page = await handler(new Request(site + 'csrf'))
    const { csrfToken } = await page.json()
    const headers = { cookie: page.headers.getSetCookie()[0].split(';')[0] }
    const body = new URLSearchParams({ csrfToken })
    console.log((await handler(new Request(site + 'signin/sso', { method: 'POST', headers, body }))).headers.get('location'))`
  const args = ['--input-type=module', '--eval', program]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env: environment })
  return { location: stdout.trim(), log: stderr }
}

describe('a provider inside a company network', () => {
  it('works with a certificate of a private authority in NODE_EXTRA_CA_CERTS', async () => {
    const issuer = `https://localhost:${portOf(provider)}`
    const refused = await startSignIn(issuer, {})
    expect(refused.location).toContain('/auth/error?error=Configuration')
    expect(refused.log).toContain('NODE_EXTRA_CA_CERTS')
    const trusting = await startSignIn(issuer, { NODE_EXTRA_CA_CERTS: authority })
    expect(trusting.location).toContain(`${issuer}/authorize?`)
    expect(forwarded).toEqual([])
  })

  it('is reached through HTTPS_PROXY with NODE_USE_ENV_PROXY', async () => {
    // The provider can be reached only through the proxy: nothing listens on this port.
    const host = `localhost:${await findFreePort()}`
    const issuer = `https://${host}`
    const environment = {
      NODE_EXTRA_CA_CERTS: authority,
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
    }
    expect((await startSignIn(issuer, environment)).location).toContain(`${issuer}/authorize?`)
    expect(forwarded).toEqual([host])
    const direct = await startSignIn(issuer, { ...environment, NO_PROXY: 'localhost' })
    expect(direct.location).toContain('/auth/error?error=Configuration')
    expect(forwarded).toEqual([host])
  })
})
