import { randomBytes } from 'node:crypto'
import { createRequestListener } from '@remix-run/node-fetch-server'
import { createAuth } from '../../../src/instance/create-auth.ts'
import { createDevtools } from '../../../src/devtools.ts'
import Passkey from '../../../src/providers/passkey.ts'
import { totp } from '../../../src/second-factor.ts'
import type { AuthConfig } from '../../../src/types.ts'
import type { OIDCConfig } from '../../../src/types/provider.ts'
import { createAuthenticator } from './authenticator.ts'
import { describeDevice } from './device.ts'
import { createMailbox, createMailProviders, createSmtpProviders } from './mailbox.ts'
import { enrolMembers } from './members.ts'
import type { OtherProvider } from './options.ts'
import { createProvider } from './provider.ts'
import { openPort } from './serve.ts'
import { createPages } from './site-pages.ts'
import { createSite } from './site.ts'
import { openStore, type StorePlace } from './store.ts'
import { calmLogger } from './trail.ts'

export interface DemoOptions {
  /** The port of the site; 0 selects any free one. */
  readonly port: number
  readonly other?: OtherProvider | undefined
  /** @default memory */
  readonly store?: StorePlace | undefined
  /** The URL of an SMTP server; without one, the site has an inbox page. */
  readonly smtp?: string | undefined
  /** Receives the log entries of the flows. */
  readonly logger?: AuthConfig['logger']
}

export interface Demo {
  readonly origin: string
  readonly issuer: string
  /** The callback URL of the site. */
  readonly redirectUri: string
  readonly close: () => Promise<void>
}

interface Closable {
  readonly close: () => Promise<void>
}

const basePath = '/auth'
const providerId = 'demo'

/**
 * Starts the site, and an OpenID provider unless you configure another one.
 * @throws {Error} if a port is in use, or the store cannot be opened
 */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const opened: Closable[] = []
  const close = async () => {
    for (const each of opened.splice(0).toReversed()) await each.close()
  }
  const keep = <Opened extends Closable>(each: Opened) => {
    opened.push(each)
    return each
  }
  try {
    return { ...(await start(options, keep)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function start(
  { port, other, store: place = { kind: 'memory' }, smtp, logger }: DemoOptions,
  keep: <Opened extends Closable>(opened: Opened) => Opened,
): Promise<Omit<Demo, 'close'>> {
  const { adapter } = keep(await openStore(place))
  await enrolMembers(adapter)
  const sitePort = keep(await openPort('localhost', port))
  const { origin } = sitePort
  const redirectUri = `${origin}${basePath}/callback/${providerId}`
  // Cookies ignore the port, so the provider needs another host name than the site.
  const ownPort = other ? undefined : keep(await openPort('127.0.0.1', 0))
  const own = { issuer: ownPort?.origin ?? '', clientId: 'demo-site', clientSecret: generateSecret() }
  ownPort?.answer(await createProvider({ issuer: own.issuer, clients: [register(own, redirectUri)] }))

  const mailbox = smtp === undefined ? createMailbox() : undefined
  const authenticator = createAuthenticator()
  // `npm start` does not set NODE_ENV.
  const devtools =
    process.env.NODE_ENV === 'production' ? undefined : createDevtools({ dangerouslyAllowInProduction: true })
  const config: AuthConfig = {
    providers: [
      describeProvider(other ?? own, other ? new URL(other.issuer).host : 'Demo ID'),
      ...(mailbox ? createMailProviders(mailbox) : createSmtpProviders(smtp ?? '')),
      Passkey({ name: 'a passkey' }),
    ],
    adapter,
    secondFactor: authenticator.scan(totp({ issuer: 'authmachine demo', rememberFor: 30 * 86_400 })),
    accountPage: true,
    session: { describe: describeDevice },
    // Nobody else reaches the demo, and its users may try as often as they like.
    callbacks: { rateLimit: () => true },
    experimental: { enableWebAuthn: true },
    basePath,
    trustHost: true,
    theme: { brandColor: '#3568eb', logo: '/icon.svg' },
    // The pages and the names of the providers are English.
    locale: 'en',
    ...(mailbox && { pages: { verifyRequest: '/inbox' } }),
    ...(!process.env.AUTH_SECRET && { secret: generateSecret() }),
    // Error pages then link to the trace.
    debug: true,
    logger: logger ?? calmLogger,
  }
  const auth = createAuth(devtools?.watch(config) ?? config)
  const pages = createPages({ mailbox, authenticator })
  sitePort.answer(createRequestListener(createSite({ auth, basePath, origin, pages, devtools })))
  return { origin, issuer: (other ?? own).issuer, redirectUri }
}

function describeProvider(client: OtherProvider, name: string): OIDCConfig {
  return {
    id: providerId,
    name,
    type: 'oidc',
    checks: ['pkce', 'state', 'nonce'],
    ...client,
    // After a sign-out, users may want to sign in as another person.
    authorization: { params: { scope: 'openid profile email', prompt: 'login' } },
    ...(client.clientSecret === undefined && { client: { token_endpoint_auth_method: 'none' } }),
    style: { brandColor: '#0f766e' },
  }
}

function register({ clientId, clientSecret }: OtherProvider, redirectUri: string) {
  return { client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }
}

function generateSecret(): string {
  return randomBytes(32).toString('base64url')
}
