import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { createRequest, sendResponse } from '@remix-run/node-fetch-server'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider, type ClientMetadata, type Configuration, type KoaContextWithOIDC } from 'oidc-provider'
import { assets } from './page.ts'
import { choosePage, renderAvatar, lostPage } from './provider-pages.ts'
import { createProviderStore } from './provider-store.ts'
import { createPeople, type People } from './users.ts'

export interface ProviderOptions {
  /** The origin of the provider. */
  readonly issuer: string
  readonly clients: readonly ClientMetadata[]
}

/** Creates a local OpenID provider where you can sign in as anyone, for the demo and for tests. */
export async function createProvider({ issuer, clients }: ProviderOptions): Promise<RequestListener> {
  const people = createPeople()
  const provider = new Provider(issuer, {
    ...(await configure(issuer, people)),
    clients: [...clients],
  })
  const handle = provider.callback()
  const route = async (...[request, response]: Parameters<RequestListener>) => {
    const { pathname } = new URL(request.url ?? '/', issuer)
    const asset = assets.get(pathname)
    if (asset) return sendResponse(response, asset.clone())
    if (pathname.startsWith('/avatar/'))
      return sendResponse(response, renderAvatar(people.find(pathname.slice(8))))
    if (pathname.startsWith('/interaction/')) return interact(provider, people, request, response)
    return handle(request, response)
  }
  return (request, response) => {
    route(request, response).catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  }
}

/** Serves the page to choose a user, and handles its forms. */
async function interact(
  provider: Provider,
  people: People,
  ...[request, response]: Parameters<RequestListener>
) {
  const details = await provider.interactionDetails(request, response).catch(() => undefined)
  if (!details) return sendResponse(response, lostPage())
  const asking = new URL(String(details.params.redirect_uri)).host
  if (request.method !== 'POST') return sendResponse(response, choosePage(asking))
  const form = await createRequest(request, response).formData()
  if (form.has('cancel')) {
    const refusal = { error: 'access_denied', error_description: 'The user cancelled the sign-in' }
    return provider.interactionFinished(request, response, refusal)
  }
  const user = people.find(read(form, 'user')) ?? people.findOrCreate(read(form, 'name'))
  if (!user) return sendResponse(response, choosePage(asking, 'Enter a name.'))
  return provider.interactionFinished(request, response, { login: { accountId: user.id } })
}

function read(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

async function configure(issuer: string, people: People): Promise<Configuration> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return {
    adapter: createProviderStore(),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'demo' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    fetch(url, options = {}) {
      // It refuses addresses of this machine, where the site is.
      Reflect.deleteProperty(options, 'dispatcher')
      return fetch(url, options)
    },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    claims: { openid: ['sub'], profile: ['name', 'picture'], email: ['email', 'email_verified'] },
    // The id_token contains the requested claims, as at most large providers.
    conformIdTokenClaims: false,
    scopes: ['openid'],
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      IdToken: 3600,
      Interaction: 3600,
      Session: 3600,
      Grant: 3600,
    },
    findAccount(_, id) {
      const user = people.find(id)
      if (!user) return undefined
      const { name, email } = user
      const picture = `${issuer}/avatar/${id}`
      return { accountId: id, claims: () => ({ sub: id, name, picture, email, email_verified: true }) }
    },
    loadExistingGrant: consent,
    clientBasedCORS: () => false,
    renderError(context, { error, error_description: description }) {
      context.type = 'text'
      context.body = `${error}: ${description ?? ''}`
    },
  }
}

/** Grants consent without a question. */
async function consent({ oidc }: KoaContextWithOIDC) {
  const { provider, client, session } = oidc
  if (!client || !session?.accountId) return undefined
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid profile email')
  await grant.save()
  return grant
}
