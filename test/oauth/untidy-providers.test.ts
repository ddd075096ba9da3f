import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import type { OIDCConfig } from '../../src/types/provider.ts'
import { platform } from '../../src/types/symbols.ts'
import { csrfOf, sessionOf } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { ownFetch } from '../support/free-port.ts'

const origin = 'http://localhost:3000'
const key = { provider: 'idp', providerAccountId: 'ada' }
const servers: Server[] = []
type Pair = Awaited<ReturnType<typeof generateKeyPair>>
let pairs: { readonly first: Pair; readonly next: Pair; readonly ec: Pair }

beforeAll(async () => {
  const [first, next, ec] = await Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('ES256', { extractable: true }),
  ])
  pairs = { first, next, ec }
})

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** What a provider answers. Members that are undefined are left out. */
interface Answers {
  metadata?: object
  tokens?: object
  refreshed?: object
  claims?: JWTPayload
  header?: object
  signer?: CryptoKey | Uint8Array
  keys?: JWK[]
  userinfo?: { readonly type: string; readonly body: unknown }
}

/** Starts an OpenID provider on a port of the loopback interface. */
async function startProvider(answers: Answers) {
  const asked: string[] = []
  let nonce: string | undefined
  const json = (response: ServerResponse, body: unknown, type = 'application/json') => {
    response.writeHead(200, { 'content-type': type })
    response.end(JSON.stringify(body))
  }
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '', issuer)
    asked.push(pathname)
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      ...answers.metadata,
    }
    if (pathname === '/.well-known/openid-configuration') return json(response, metadata)
    if (pathname === '/jwks') return json(response, { keys: answers.keys ?? [await publish(pairs.first)] })
    if (pathname === '/userinfo') return json(response, answers.userinfo?.body, answers.userinfo?.type)
    const isRefresh = body.includes('refresh_token')
    const tokens = { access_token: 'access', token_type: 'Bearer', expires_in: 1, id_token: await sign() }
    return json(response, { ...tokens, ...(isRefresh ? answers.refreshed : answers.tokens) })
  }
  const server = createServer((request, response) => void respond(request, response))
  const sign = () => {
    const iat = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, aud: 'client', sub: 'ada', name: 'Ada', iat, exp: iat + 300, nonce }
    return new SignJWT({ ...claims, ...answers.claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one', ...answers.header })
      .sign(answers.signer ?? pairs.first.privateKey)
  }
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { issuer, asked, answers, remember: (sent: string | null) => void (nonce = sent ?? undefined) }
}

async function publish({ publicKey }: Pair, members: object = { kid: 'one' }): Promise<JWK> {
  return { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', ...members }
}

/** An application with such a provider. */
async function openSite(answers: Answers, options: Partial<OIDCConfig> = {}) {
  const provider = await startProvider(answers)
  const errors: Error[] = []
  const adapter = memoryAdapter()
  const auth = createAuth({
    secret: 'a secret of the tests, long enough',
    trustHost: true,
    adapter,
    session: { strategy: 'jwt' },
    [platform]: { fetch: ownFetch() },
    logger: { error: (error) => void errors.push(error), warn() {}, debug() {} },
    providers: [
      {
        id: 'idp',
        name: 'IdP',
        type: 'oidc',
        issuer: provider.issuer,
        clientId: 'client',
        clientSecret: 's'.repeat(64),
        ...options,
      },
    ],
  })
  const signIn = async (query: Record<string, string> = {}, form = '') => {
    const agent = openAgent(origin, auth.handler)
    const started = await agent.send(`/auth/signin/idp${form}`, { form: { csrfToken: await csrfOf(agent) } })
    const sent = new URL(started.headers.get('location') ?? '')
    provider.remember(sent.searchParams.get('nonce'))
    const state = sent.searchParams.get('state')
    const parameters = new URLSearchParams({ code: 'code', ...(state && { state }), ...query })
    await agent.send(`/auth/callback/idp?${parameters}`)
    return (await sessionOf(agent)) !== null
  }
  const account = () => adapter.getAccount('ada', 'idp')
  return {
    ...provider,
    auth,
    errors,
    signIn,
    account,
    messages: () => errors.map(({ message }) => message).join('\n'),
  }
}

describe('a provider that sends null or empty text', () => {
  it.each<[string, Answers]>([
    ['refresh_token: null', { tokens: { refresh_token: null } }],
    ['refresh_token: ""', { tokens: { refresh_token: '' } }],
    ['scope: null', { tokens: { scope: null } }],
    ['scope: []', { tokens: { scope: [] } }],
    ['expires_in: null', { tokens: { expires_in: null } }],
    ['error: ""', { tokens: { error: '' } }],
    ['at_hash: null', { claims: { at_hash: null } }],
    ['c_hash: ""', { claims: { c_hash: '' } }],
    ['azp: null', { claims: { azp: null } }],
    ['nbf: null', { claims: { nbf: null as unknown as number } }],
    ['auth_time: null', { claims: { auth_time: null } }],
    ['algorithms: null', { metadata: { id_token_signing_alg_values_supported: null } }],
    ['userinfo_endpoint: ""', { metadata: { userinfo_endpoint: '' } }],
  ])('OI-27 %s signs the user in', async (_, answers) => {
    const site = await openSite(answers)
    expect(await site.signIn(), site.messages()).toBe(true)
  })

  it('OI-27 an unrequested nonce: null signs in, and a requested one does not', async () => {
    const without = await openSite({ claims: { nonce: null } }, { checks: ['pkce'] })
    expect(await without.signIn(), without.messages()).toBe(true)
    expect(await (await openSite({ claims: { nonce: null } })).signIn()).toBe(false)
  })

  it('OI-27 keys with empty members verify', async () => {
    const keys = [await publish(pairs.first, { kid: null, use: '' })]
    const site = await openSite({ keys, header: { kid: undefined } })
    expect(await site.signIn(), site.messages()).toBe(true)
  })

  it.each([
    [['read', 'write'], 'read write'],
    [null, 'openid'],
    [7, 'openid'],
  ])('OI-27 RO-08 a refresh with scope %j keeps the rotated token', async (scope, stored) => {
    const site = await openSite({
      tokens: { refresh_token: 'first', scope: 'openid' },
      refreshed: { access_token: 'second', refresh_token: 'rotated', expires_in: 600, scope },
    })
    await site.signIn()
    const given = await site.auth.getAccessToken(key)
    expect(given, site.messages()).toMatchObject({ state: 'current', accessToken: 'second' })
    expect(await site.account()).toMatchObject({ refresh_token: 'rotated', scope: stored })
  })
})

describe('the id_token of a refresh', () => {
  it('OI-28 is stored only if the issuer signed it for this sign-in', async () => {
    const open = () =>
      openSite({ tokens: { refresh_token: 'first' }, refreshed: { access_token: 'second', expires_in: 600 } })
    const honest = await open()
    await honest.signIn()
    const before = (await honest.account())?.id_token
    honest.answers.claims = { name: 'Ada Lovelace' }
    expect(await honest.auth.getAccessToken(key)).toMatchObject({ state: 'current' })
    expect((await honest.account())?.id_token, honest.messages()).not.toBe(before)

    for (const change of [{ signer: pairs.next.privateKey }, { claims: { nonce: 'another' } }]) {
      const site = await open()
      await site.signIn()
      const held = (await site.account())?.id_token
      Object.assign(site.answers, change)
      expect(await site.auth.getAccessToken(key)).toMatchObject({ state: 'current', accessToken: 'second' })
      expect((await site.account())?.id_token).toBe(held)
      expect(site.messages()).toContain('the id_token of the refresh is not stored')
    }
  })
})

describe('keys that rotate', () => {
  it.each([{}, { kid: 'one' }])('OI-29 are found without a new id: %j', async (members) => {
    const header = { kid: undefined, ...members }
    const site = await openSite({ header, keys: [await publish(pairs.first, members)] })
    expect(await site.signIn(), site.messages()).toBe(true)
    site.answers.keys = [await publish(pairs.next, members)]
    site.answers.signer = pairs.next.privateKey
    expect(await site.signIn(), site.messages()).toBe(true)
    const requests = () => site.asked.filter((path) => path === '/jwks').length
    expect(requests()).toBe(2)
    site.answers.signer = pairs.first.privateKey
    for (let n = 0; n < 4; n++) expect(await site.signIn()).toBe(false)
    expect(requests()).toBe(2)
  })

  it('OI-29 are found among several without an id', async () => {
    const keys = [await publish(pairs.next, {}), await publish(pairs.first, {})]
    const site = await openSite({ header: { kid: undefined }, keys })
    expect(await site.signIn(), site.messages()).toBe(true)
    site.answers.keys = [await publish(pairs.next, {}), await publish(pairs.next, {})]
    const other = await openSite({ ...site.answers })
    expect(await other.signIn()).toBe(false)
  })
})

describe('messages', () => {
  const secret = new TextEncoder().encode('s'.repeat(64))
  const cases: readonly (readonly [string, Answers, Partial<OIDCConfig>, RegExp])[] = [
    [
      'another algorithm',
      { header: { alg: 'ES256' }, signer: undefined },
      {},
      /expected a JWT signed with RS256 \(by the provider's metadata\), got "ES256"\. Set `client\.id_token_signed_response_alg`/,
    ],
    [
      'the client secret',
      {
        metadata: { id_token_signing_alg_values_supported: ['HS256'] },
        header: { alg: 'HS256' },
        signer: secret,
      },
      {},
      /expected a JWT signed with one of RS256, .*, got "HS256"\. Set `client\.id_token_signed_response_alg`.*only HS256/,
    ],
    [
      'a nonce that was not sent',
      { claims: { nonce: 'n' } },
      { checks: ['pkce'] },
      /nonce.*needs `checks` with "nonce"/,
    ],
    [
      'another issuer',
      { claims: { iss: 'https://other.example' } },
      {},
      /got "https:\/\/other\.example"\)\. Set `issuer`/,
    ],
    ['another audience', { claims: { aud: 'other' } }, {}, /got "other"\)\. Set `clientId`/],
    ['an expired id_token', { claims: { exp: 1 } }, {}, /Check the clock/],
    [
      'no id_token',
      { tokens: { id_token: undefined } },
      {},
      /expected an id_token, got none\. .*must contain `openid`/,
    ],
    [
      'userinfo as text',
      { userinfo: { type: 'text/html', body: { sub: 'ada' } } },
      { idToken: false },
      /expected content-type application\/json, got "text\/html"\. .*`userinfo\.request`/,
    ],
    [
      'another issuer in the metadata',
      { metadata: { issuer: 'https://other.example' } },
      {},
      /got "https:\/\/other\.example"\. If that is the provider, set `issuer`/,
    ],
  ]
  it.each(cases)('OI-30 about %s name both values and the option', async (_, answers, options, message) => {
    const given = answers.header && !answers.signer ? { ...answers, signer: pairs.ec.privateKey } : answers
    const site = await openSite(given, options)
    await site.signIn().catch(() => false)
    expect(site.messages()).toMatch(message)
    expect(site.messages()).not.toMatch(/sss|eyJ/)
  })
})

describe('the scope of an account', () => {
  const scope = 'openid read activity:read_all'
  const authorization = { params: { scope } }

  it('REC-039 is the requested one if the token response names none', async () => {
    const site = await openSite({}, { authorization })
    await site.signIn()
    expect((await site.account())?.scope).toBe(scope)
    const narrower = await openSite({}, { authorization })
    await narrower.signIn({}, '?scope=openid')
    expect((await narrower.account())?.scope).toBe('openid')
  })

  it('REC-039 is the smaller one that the authorization response names, and never more', async () => {
    const site = await openSite({}, { authorization })
    await site.signIn({ scope: 'openid,read' })
    expect((await site.account())?.scope).toBe('openid,read')
    const forged = await openSite({}, { authorization })
    await forged.signIn({ scope: 'openid admin' })
    expect((await forged.account())?.scope).toBeUndefined()
    const told = await openSite({ tokens: { scope: 'openid' } }, { authorization })
    await told.signIn({ scope: 'read' })
    expect((await told.account())?.scope).toBe('openid')
  })
})

describe('a client that cannot authenticate', () => {
  it.each<Partial<OIDCConfig>>([
    { clientSecret: undefined },
    { client: { token_endpoint_auth_method: 'private_key_jwt' } },
  ])('OI-31 is refused before the user is sent to the provider: %j', async (options) => {
    const site = await openSite({}, options)
    const agent = openAgent(origin, site.auth.handler)
    const started = await agent.send('/auth/signin/idp', { form: { csrfToken: await csrfOf(agent) } })
    expect(started.headers.get('location')).toBe(`${origin}/auth/error?error=Configuration`)
    expect(site.messages()).toMatch(/expected a (clientSecret|private key)/)
  })
})
