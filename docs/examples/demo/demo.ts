import { randomBytes } from 'node:crypto'
import { createRequestListener } from '@remix-run/node-fetch-server'
import { memoryAdapter } from '../../../src/adapters/memory.ts'
import { createAuth } from '../../../src/create-auth.ts'
import type { AuthConfig } from '../../../src/types.ts'
import type { OtherProvider } from './options.ts'
import { createProvider } from './provider.ts'
import { openPort } from './serve.ts'
import { createSite } from './site.ts'

export interface DemoOptions {
  /** Port of the site; 0 takes any free one. */
  readonly port: number
  readonly other?: OtherProvider | undefined
  /** Told what the flows do; without one `debug` is off. */
  readonly logger?: AuthConfig['logger']
}

export interface Demo {
  readonly origin: string
  readonly issuer: string
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string
  readonly close: () => Promise<void>
}

const basePath = '/auth'
const providerId = 'demo'

/**
 * Starts the site, and an OpenID provider beside it unless another one is given.
 * @throws Error when a port is taken
 */
export async function startDemo({ port, other, logger }: DemoOptions): Promise<Demo> {
  const sitePort = await openPort('localhost', port)
  const redirectUri = `${sitePort.origin}${basePath}/callback/${providerId}`
  // Another host name than the site's: cookies know no ports, and a provider is not the site it serves.
  const ownPort = other ? undefined : await openPort('127.0.0.1', 0)
  const own = { issuer: ownPort?.origin ?? '', clientId: 'demo-site', clientSecret: makeSecret() }
  const client = other ?? own
  ownPort?.answer(await createProvider({ issuer: own.issuer, clients: [register(own, redirectUri)] }))

  const auth = createAuth({
    providers: [
      {
        id: providerId,
        name: other ? new URL(other.issuer).host : 'Demo ID',
        type: 'oidc',
        checks: ['pkce', 'state', 'nonce'],
        ...client,
        // Signed out of the site, one may want to be somebody else.
        authorization: { params: { scope: 'openid profile email', prompt: 'login' } },
        ...(client.clientSecret === undefined && { client: { token_endpoint_auth_method: 'none' } }),
        style: { brandColor: '#0f766e' },
      },
    ],
    adapter: memoryAdapter(),
    basePath,
    trustHost: true,
    theme: { brandColor: '#3568eb', logo: '/icon.svg' },
    ...(!process.env.AUTH_SECRET && { secret: makeSecret() }),
    ...(logger && { debug: true, logger }),
  })
  sitePort.answer(createRequestListener(createSite(auth, basePath)))
  return {
    origin: sitePort.origin,
    issuer: client.issuer,
    redirectUri,
    close: async () => void (await Promise.all([sitePort.close(), ownPort?.close()])),
  }
}

function register({ clientId, clientSecret }: OtherProvider, redirectUri: string) {
  return { client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }
}

function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}
