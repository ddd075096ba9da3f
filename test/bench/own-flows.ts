import { memoryAdapter } from '../../src/adapters/memory.ts'
import { Auth, createAuth } from '../../src/index.ts'
import Passkey from '../../src/providers/passkey.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import type { EmailConfig } from '../../src/types/provider.ts'
import { openAuthenticator, type Options } from '../../fuzz/world/webauthn/authenticator.ts'
import * as app from './application.ts'
import { claims, cookiesOf, ours, post, signInByOAuth } from './contestants.ts'

/** Flows beyond the common jobs. Peers implement them differently or not at all. */
export const ownFlows = [
  'OAuth sign-in (stored user)',
  'mailed link',
  'passkey sign-in',
  'sign-out',
  'access token refreshed',
] as const
export type OwnFlow = (typeof ownFlows)[number]

type Store = ReturnType<typeof memoryAdapter>

/** Flows that have run once successfully. A run leaves the store as full as it was. */
export async function openOwnFlows(
  watch = (adapter: Store) => adapter,
): Promise<Record<OwnFlow, () => unknown>> {
  const flows = await open(watch)
  for (const [name, run] of Object.entries(flows)) {
    const end = await run()
    const isDone =
      end instanceof Response ? end.headers.get('location') === app.origin : end.state === 'current'
    if (!isDone) throw new Error(`${name} fails`)
  }
  return flows
}

async function open(watch: (adapter: Store) => Store) {
  const token = await ours.encode({ token: claims, secret: app.secret, salt: app.cookies.session })
  const config = app.configure()
  return {
    'OAuth sign-in (stored user)': openOAuth(watch(memoryAdapter())),
    'mailed link': openMail(watch(memoryAdapter())),
    'passkey sign-in': await openPasskey(watch(memoryAdapter())),
    'sign-out': () => Auth(post('signout', {}, `${app.cookies.session}=${token}`), config),
    'access token refreshed': await openRefresh(watch(memoryAdapter())),
  } satisfies Record<OwnFlow, () => unknown>
}

function configure(adapter: Store, ...providers: AuthConfig['providers']): AuthConfig {
  return { ...app.configure(), providers, adapter, session: { strategy: 'jwt' } }
}

function openOAuth(adapter: Store) {
  const config = configure(adapter, ...app.configure().providers.slice(0, 1))
  return () => signInByOAuth((request) => Auth(request, config))
}

/** Requests a link and follows it. */
function openMail(adapter: Store) {
  let link = ''
  const email: EmailConfig = {
    id: 'email',
    name: 'E-mail',
    type: 'email',
    sendVerificationRequest: ({ url }) => void (link = url),
  }
  const config = configure(adapter, email)
  return async () => {
    const asked = await Auth(post('signin/email', { email: app.user.email }), config)
    return Auth(new Request(link, { headers: { cookie: cookiesOf(asked) } }), config)
  }
}

/** Requests passkey options and responds to them. The user has registered before. */
async function openPasskey(adapter: Store) {
  const config = { ...configure(adapter, Passkey), experimental: { enableWebAuthn: true } }
  const authenticator = openAuthenticator(app.origin)
  const perform = async (action: 'authenticate' | 'register', query: Record<string, string>) => {
    const url = `${app.origin}${app.basePath}/webauthn-options/passkey?${new URLSearchParams({ action, ...query })}`
    const asked = await Auth(new Request(url, { headers: { cookie: app.heldCookies } }), config)
    const { options } = (await asked.clone().json()) as { options: Options }
    const answer = action === 'register' ? authenticator.create(options) : authenticator.get(options)
    const data = JSON.stringify(answer)
    return Auth(post('callback/passkey', { action, data }, cookiesOf(asked)), config)
  }
  await perform('register', { email: app.user.email })
  return () => perform('authenticate', {})
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
