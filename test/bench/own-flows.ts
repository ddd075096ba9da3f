import { createAuth } from '../../src/index.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import Passkey from '../../src/providers/passkey.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import type { EmailConfig } from '../../src/types/provider.ts'
import * as app from './application.ts'
import { type Handle, signInByOAuth } from './browser.ts'
import { ours } from './contestants.ts'
import { browse, openSite, performCeremony, type SignIn, type Site, type Store } from './sign-ins.ts'

/** Flows beyond the common jobs. Peers implement them differently or not at all. */
export const ownFlows = [
  'OAuth sign-in (stored user)',
  'mailed link',
  'passkey sign-in',
  'sign-out',
  'access token refreshed',
] as const
export type OwnFlow = (typeof ownFlows)[number]

/** Flows that have run once successfully. A run does not change the number of rows in the store. */
export async function openOwnFlows(watch = (store: Store) => store): Promise<Record<OwnFlow, () => unknown>> {
  const open = async (name: 'mailed link' | 'passkey sign-in' | 'sign-out') => {
    const site = openSite(watch(memoryAdapter()))
    if (name === 'passkey sign-in') await register(site)
    const handle = openHandles(site)[name]
    return () => browse[name](handle, site)
  }
  const flows = {
    'OAuth sign-in (stored user)': openStoredOAuth(watch(memoryAdapter())),
    'mailed link': await open('mailed link'),
    'passkey sign-in': await open('passkey sign-in'),
    'sign-out': await open('sign-out'),
    'access token refreshed': await openRefresh(watch(memoryAdapter())),
  }
  for (const [name, run] of Object.entries(flows)) {
    const end = await run()
    const isDone =
      end instanceof Response ? end.headers.get('location') === app.origin : end.state === 'current'
    if (!isDone) throw new Error(`${name} fails`)
  }
  return flows
}

/** Opens this library's handler of each flow. */
export function openHandles(site: Site): Readonly<Record<SignIn, Handle>> {
  const email: EmailConfig = {
    id: 'email',
    name: 'E-mail',
    type: 'email',
    sendVerificationRequest: ({ url }) => void (site.link = url),
  }
  const handle = (config: AuthConfig) => (request: Request) => ours.Auth(request, config)
  const plain = handle(app.configure())
  return {
    'OAuth sign-in': plain,
    'credentials sign-in': plain,
    'mailed link': handle(configure(site.store, email)),
    'passkey sign-in': handle(configurePasskeys(site)),
    'sign-out': plain,
  }
}

/** Signs the site's user up, once by a mailed link and once with a passkey. */
export async function signUp(site: Site): Promise<void> {
  await browse['mailed link'](openHandles(site)['mailed link'], site)
  await register(site)
}

async function register(site: Site): Promise<void> {
  const config = configurePasskeys(site)
  const handle = (request: Request) => ours.Auth(request, config)
  await performCeremony(handle, site, 'register', { email: app.user.email })
}

function configure(adapter: Store, ...providers: AuthConfig['providers']): AuthConfig {
  return { ...app.configure(), providers, adapter, session: { strategy: 'jwt' } }
}

function configurePasskeys({ store }: Site): AuthConfig {
  return { ...configure(store, Passkey), experimental: { enableWebAuthn: true } }
}

function openStoredOAuth(adapter: Store) {
  const config = configure(adapter, ...app.configure().providers.slice(0, 1))
  return () => signInByOAuth((request) => ours.Auth(request, config))
}

/** Uses an expired token each time. */
async function openRefresh(adapter: Store) {
  const [provider] = app.configure().providers
  const auth = createAuth(configure(adapter, ...(provider ? [provider] : [])))
  const { id: userId } = await adapter.createUser({ ...app.user, emailVerified: null })
  const key = { provider: app.provider.id, providerAccountId: '1' }
  await adapter.linkAccount({ ...key, userId, type: 'oauth', refresh_token: 'refresh' })
  return async () => {
    await adapter.updateAccount({ ...key, access_token: 'old', expires_at: 1, refresh_token: 'refresh' })
    return auth.getAccessToken(key)
  }
}
