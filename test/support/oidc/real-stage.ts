import { randomBytes } from 'node:crypto'
import { createRequestListener } from '@remix-run/node-fetch-server'
import { exportJWK, generateKeyPair } from 'jose'
import type { ClientMetadata } from 'oidc-provider'
import { createProvider } from '../../../docs/examples/demo/provider.ts'
import { openPort } from '../../../docs/examples/demo/serve.ts'
import { createAuth } from '../../../src/instance/create-auth.ts'
import type { AuthConfig } from '../../../src/types.ts'
import type { OIDCConfig } from '../../../src/types/provider.ts'

/** How a client authenticates at the token endpoint. */
export const clientMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const
export type ClientMethod = (typeof clientMethods)[number]

/** The suffix that marks clients whose authorization requests must be pushed. */
const pushed = '-pushed'

/** A site and a real OpenID provider, each on its own port. */
export interface RealStage {
  readonly origin: string
  readonly issuer: string
  /** Messages of the errors that the site logged since it was configured. */
  readonly errors: () => readonly string[]
  /** Sets the site's configuration. */
  readonly configure: (
    method: ClientMethod,
    config?: Partial<AuthConfig>,
    provider?: Partial<OIDCConfig>,
  ) => void
  /** The options of a client whose authorization requests must be pushed. */
  readonly pushing: (method: ClientMethod) => Partial<OIDCConfig>
  /** Method, path and authorization scheme of each request to the provider since the site was configured. */
  readonly requests: () => readonly string[]
  readonly close: () => Promise<void>
}

const secret = randomBytes(32).toString('base64url')

export async function openRealStage(): Promise<RealStage> {
  const site = await openPort('localhost', 0)
  const own = await openPort('127.0.0.1', 0)
  const keys = await generateKeyPair('ES256')
  const redirectUris = [`${site.origin}/auth/callback/real`]
  const publicJwk = { ...(await exportJWK(keys.publicKey)), alg: 'ES256', use: 'sig' }
  const clients = clientMethods.flatMap((method): ClientMetadata[] => {
    const client = {
      client_id: method,
      token_endpoint_auth_method: method,
      redirect_uris: redirectUris,
      backchannel_logout_uri: `${site.origin}/auth/backchannel-logout`,
      backchannel_logout_session_required: true,
      ...(method.startsWith('client_secret') && { client_secret: secret }),
      ...(method === 'private_key_jwt' && { jwks: { keys: [publicJwk] } }),
    }
    return [client, { ...client, client_id: method + pushed, require_pushed_authorization_requests: true }]
  })
  const requests: string[] = []
  const errors: string[] = []
  const provide = await createProvider({ issuer: own.origin, clients })
  own.answer((request, response) => {
    const [scheme = 'without'] = request.headers.authorization?.split(' ') ?? []
    requests.push(`${request.method} ${new URL(request.url ?? '/', own.origin).pathname} ${scheme}`)
    provide(request, response)
  })

  let handler: (request: Request) => Promise<Response> = async () => new Response('not yet', { status: 503 })
  site.answer(
    createRequestListener(async (request) =>
      new URL(request.url).pathname.startsWith('/auth/') ? handler(request) : new Response('here'),
    ),
  )
  return {
    origin: site.origin,
    issuer: own.origin,
    configure(method, config, provider) {
      requests.length = 0
      errors.length = 0
      const real: OIDCConfig = {
        id: 'real',
        name: 'Real',
        type: 'oidc',
        issuer: own.origin,
        clientId: method,
        ...(method.startsWith('client_secret') && { clientSecret: secret }),
        ...(method === 'private_key_jwt' && { token: { clientPrivateKey: keys.privateKey } }),
        client: { token_endpoint_auth_method: method },
        checks: ['pkce', 'state', 'nonce'],
        authorization: { params: { scope: 'openid profile email' } },
        ...provider,
      }
      const quiet = { error: (error: Error) => void errors.push(error.message), warn() {} }
      handler = createAuth({ providers: [real], secret, trustHost: true, logger: quiet, ...config }).handler
    },
    pushing: (method) => ({
      clientId: method + pushed,
      client: { token_endpoint_auth_method: method, require_pushed_authorization_requests: true },
    }),
    requests: () => [...requests],
    errors: () => [...errors],
    close: async () => void (await Promise.all([site.close(), own.close()])),
  }
}
