import { describe, expect, it } from 'vitest'
import { discoverServer } from '../../src/oauth/discover-server.ts'
import { hasFailed } from '../../src/oauth/failure.ts'
import { demandsPush, pushRequest } from '../../src/oauth/push-request.ts'
import type { IdpOptions } from '../../fuzz/world/idp/contract.ts'
import { clientSecret, createStage, redirectUri } from './stage.ts'

const asked = new URLSearchParams({
  response_type: 'code',
  client_id: 'client-1',
  redirect_uri: redirectUri,
  scope: 'openid',
  state: 'the-sealed-state',
})

type Options = NonNullable<Parameters<typeof createStage>[0]>

/** Pushes a request to a provider with these options. */
async function push(options: Options = {}) {
  const stage = createStage({
    idp: { metadata: { require_pushed_authorization_requests: true } },
    ...options,
  })
  const { provider, context, idp } = stage
  const found = await discoverServer(provider, 'authorization', context)
  if (hasFailed(found)) return { ...stage, pushed: found }
  const url = new URL(found.server.authorization_endpoint ?? '')
  for (const [name, value] of asked) url.searchParams.set(name, value)
  return { ...stage, idp, pushed: await pushRequest(provider, found.server, url.href, context) }
}

/** Returns the URL of a pushed request. */
async function urlOf(options?: Options) {
  const { pushed, idp } = await push(options)
  if (hasFailed(pushed)) throw pushed.failed.error
  return { url: 'url' in pushed ? new URL(pushed.url) : new URL('about:blank'), idp }
}

describe('a pushed authorization request', () => {
  it('TX-23 has all parameters, and its URL only refers to it', async () => {
    const { url, idp } = await urlOf()
    expect([...url.searchParams.keys()]).toEqual(['client_id', 'request_uri'])
    const [request] = idp.requestsTo('push')
    expect(Object.fromEntries(request?.parameters ?? [])).toEqual(Object.fromEntries(asked))
    expect(request?.headers.get('authorization')).toMatch(/^Basic /)
    const { redirectUri: target, parameters } = await idp.authorize(url.href)
    expect(target).toBe(redirectUri)
    expect(parameters.get('state')).toBe('the-sealed-state')
  })

  it('TX-23 keeps the query of the discovered endpoint, but not what is configured', async () => {
    const metadata = {
      require_pushed_authorization_requests: true,
      authorization_endpoint: 'https://idp.example/authorize?policy=b2c',
    }
    const provider = { authorization: { params: { prompt: 'login' } } }
    const { url, idp } = await urlOf({ idp: { metadata }, provider })
    expect([...url.searchParams.keys()]).toEqual(['policy', 'client_id', 'request_uri'])
    expect(idp.requestsTo('push')[0]?.parameters.get('prompt')).toBe('login')
  })

  it('TX-23 is demanded by the metadata of the provider or by the registration of the client', () => {
    const registered = { client: { require_pushed_authorization_requests: true } }
    const demanding = { require_pushed_authorization_requests: true }
    const [plain, own] = [createStage().provider, createStage({ provider: registered }).provider]
    const server = { issuer: 'https://idp.example' }
    expect(demandsPush(plain, server)).toBe(false)
    expect(demandsPush(plain, { ...server, ...demanding })).toBe(true)
    expect(demandsPush(own, server)).toBe(true)
  })

  it('TX-23 discovers the endpoint if only the others are configured', async () => {
    const provider = {
      client: { require_pushed_authorization_requests: true },
      authorization: 'https://idp.example/authorize',
    }
    const { url } = await urlOf({ provider, client: { pushes: true } })
    expect(url.searchParams.has('request_uri')).toBe(true)
  })

  it.each([
    ['the provider has no such endpoint', { metadata: { pushed_authorization_request_endpoint: undefined } }],
    [
      'the endpoint is insecure',
      { metadata: { pushed_authorization_request_endpoint: 'http://idp.example/push' } },
    ],
    [
      'the endpoint is on the local machine',
      { metadata: { pushed_authorization_request_endpoint: 'https://localhost/push' } },
    ],
    ['the endpoint returns 500', { misbehave: ['push:500'] as const }],
    ['the endpoint returns HTML', { misbehave: ['push:html'] as const }],
  ])('TX-23 fails with a reason if %s', async (_, idp: Partial<IdpOptions>) => {
    const metadata = { require_pushed_authorization_requests: true, ...idp.metadata }
    const { pushed } = await push({ idp: { ...idp, metadata } })
    expect(hasFailed(pushed) && pushed.failed.error.message).toMatch(/^Provider "idp": /)
  })

  it('TX-23 IL-02 repeats neither the secret nor the state in the reason', async () => {
    const { pushed } = await push({ client: { secret: 'another' } })
    const told = hasFailed(pushed) ? pushed.failed.error.message : ''
    expect(told).toContain('returned 401 with the error "invalid_client"')
    for (const secret of [clientSecret, 'the-sealed-state']) expect(told).not.toContain(secret)
  })
})
