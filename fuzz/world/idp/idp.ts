import { base64url } from 'jose'
import { authenticateClient, expectClient } from './authenticate-client.ts'
import type { Idp, IdpClient, IdpOptions, IdpUser, LoggedRequest } from './contract.ts'
import {
  claimFaults,
  discoveryFaults,
  type Claims,
  type Fault,
  replayFault,
  responseFaults,
  applyFaults,
  tokenFaults,
  type TransportFault,
  userinfoFaults,
} from './faults.ts'
import { postForm, readForm } from './form-post.ts'
import { halfHash, isVerified } from './hashes.ts'
import { loadKeys, publishKeys } from './keys.ts'
import { describeAuthorization, describeVerifier, findGrantFault } from './refusals.ts'
import { signToken } from './sign-token.ts'
import { respondWithFault } from './transport.ts'

interface Grant {
  readonly client: IdpClient
  readonly user: IdpUser
  readonly query: URLSearchParams
  readonly code: string
  readonly faults: ReadonlySet<Fault>
  accessToken?: string
  /** The only refresh token that is valid now. */
  refreshToken?: unknown
}

const paths = {
  '/.well-known/openid-configuration': 'discovery',
  '/jwks': 'jwks',
  '/push': 'push',
  '/authorize': 'authorize',
  '/token': 'token',
  '/userinfo': 'userinfo',
} as const

/** Creates an OpenID provider without a socket. It consents without a page, and misbehaves on request. */
export function createIdp(options: IdpOptions): Idp {
  const { issuer, clients, users, now = Date.now, alg = 'RS256' } = options
  const root = issuer.replace(/\/$/, '')
  const log: LoggedRequest[] = []
  const refusals: string[] = []
  const issued: string[] = []
  const grants: Grant[] = []
  const pushed = new Map<string, URLSearchParams>()
  const usedAssertions = new Set<string>()
  let user = users[0]
  let faults: ReadonlySet<Fault> = new Set(options.misbehave)
  let generation: 'first' | 'next' = 'first'
  let earliest: string | undefined
  let added: Claims = {}
  let addedClaims: Claims = {}

  const findClient = (wanted: string | null): IdpClient | undefined => {
    if (!clients) return wanted ? { id: wanted } : undefined
    return clients.find(({ id }) => id === wanted)
  }

  const metadata = (): Claims => ({
    issuer,
    pushed_authorization_request_endpoint: `${root}/push`,
    authorization_endpoint: `${root}/authorize`,
    token_endpoint: `${root}/token`,
    userinfo_endpoint: `${root}/userinfo`,
    jwks_uri: `${root}/jwks`,
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    claims_supported: [
      'sub',
      'iss',
      'aud',
      'exp',
      'iat',
      'nonce',
      'auth_time',
      'name',
      'email',
      'email_verified',
    ],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'form_post'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: [
      'client_secret_basic',
      'client_secret_post',
      'client_secret_jwt',
      'private_key_jwt',
    ],
    token_endpoint_auth_signing_alg_values_supported: ['HS256', 'ES256', 'RS256'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...options.metadata,
  })

  const sign = async (claims: Claims, client: IdpClient, by: ReadonlySet<Fault>) => {
    // After a rotation, the first keys are no longer published.
    const { rsa, ec } = (await loadKeys())[by.has('key-withdrawn') ? 'first' : generation]
    const forHmac: ReadonlySet<Fault> = alg === 'HS256' ? new Set([...by, 'alg-hs256-secret']) : by
    // The key for the other algorithm is published, too.
    const isOther = by.has('alg-unregistered')
    return signToken(claims, (alg === 'ES256') !== isOther ? ec : rsa, client.secret ?? '', forHmac)
  }

  const authenticate = (request: Request, body: URLSearchParams) =>
    authenticateClient(clients, request.headers, body, {
      audiences: [issuer, `${root}/token`],
      now: now(),
      usedAssertions,
    })

  const refuseClient = (reason: string): Response => {
    options.explain?.(reason)
    refusals.push(reason)
    return refuse('invalid_client', 401, options.explain && reason)
  }

  const refuseGrant = (reason: string): Response => {
    refusals.push(reason)
    return refuse('invalid_grant')
  }

  /** Returns the pushed request that a URL refers to, once, or else the parameters of the URL. */
  const readAuthorizationRequest = (query: URLSearchParams): URLSearchParams | undefined => {
    const reference = query.get('request_uri')
    const isPushOnly =
      options.metadata?.require_pushed_authorization_requests === true ||
      findClient(query.get('client_id'))?.pushes === true
    if (reference === null) return isPushOnly ? undefined : query
    const held = pushed.get(reference)
    pushed.delete(reference)
    return held?.get('client_id') === query.get('client_id') ? held : undefined
  }

  const handlers = {
    discovery: async () => Response.json(applyFaults(metadata(), discoveryFaults, faults)),

    jwks: async () => Response.json(await publishKeys(generation, faults)),

    async push(request: Request, body: URLSearchParams) {
      const client = await authenticate(request, body)
      if (typeof client === 'string') return refuseClient(client)
      if (body.has('request_uri') || body.get('client_id') !== client.id) return refuse('invalid_request')
      const reference = `urn:ietf:params:oauth:request_uri:${randomText()}`
      pushed.set(reference, body)
      return Response.json({ request_uri: reference, expires_in: 60 }, { status: 201 })
    },

    async authorize(_: Request, asked: URLSearchParams) {
      const query = readAuthorizationRequest(asked)
      const client = findClient(asked.get('client_id'))
      if (!query) return new Response('invalid request', { status: 400 })
      if (!client && clients && options.explain) {
        const reason = expectClient(clients, asked.get('client_id') ?? '')
        options.explain(reason)
        return new Response(reason, { status: 400 })
      }
      const redirectUri = query.get('redirect_uri') ?? ''
      const isRegistered = client?.redirectUris?.includes(redirectUri) ?? true
      if (
        !client ||
        !user ||
        !isRegistered ||
        !URL.canParse(redirectUri) ||
        query.get('response_type') !== 'code'
      ) {
        refusals.push(describeAuthorization(query, redirectUri))
        return new Response('invalid request', { status: 400 })
      }
      const code = randomText()
      grants.push({ client, user, query, code, faults })
      const good = new URLSearchParams({ code, state: query.get('state') ?? '', iss: issuer })
      if (!query.has('state')) good.delete('state')
      if (options.metadata?.authorization_response_iss_parameter_supported === false) good.delete('iss')
      const sent = applyFaults(good, responseFaults, faults)
      if (query.get('response_mode') === 'form_post') return postForm(redirectUri, sent)
      const location = new URL(redirectUri)
      for (const [name, value] of sent) location.searchParams.append(name, value)
      return new Response(null, { status: 302, headers: { location: location.href } })
    },

    async token(request: Request, body: URLSearchParams) {
      const client = await authenticate(request, body)
      if (typeof client === 'string') return refuseClient(client)
      if (body.get('grant_type') === 'refresh_token') return renew(client, body.get('refresh_token'))
      const grant = grants.find(({ code }) => code === body.get('code'))
      const fault = findGrantFault(grant, client, body)
      if (!grant || fault !== undefined) return refuseGrant(fault ?? '')
      if (options.enforcesPkce !== false && !(await isVerified(grant.query, body.get('code_verifier'))))
        return refuseGrant(describeVerifier(grant.query, body))
      grant.accessToken = randomText()
      const by = new Set([...grant.faults, ...faults])
      const isOpenId = grant.query.get('scope')?.split(' ').includes('openid') === true
      const claims = applyFaults(await idClaims(grant, grant.accessToken, by), claimFaults, by)
      const idToken = isOpenId ? await sign(claims, client, by) : undefined
      earliest ??= idToken
      issued.push(grant.accessToken, ...(idToken === undefined ? [] : [idToken]))
      const good = {
        access_token: grant.accessToken,
        token_type: 'Bearer',
        expires_in: 3600,
        scope: grant.query.get('scope') ?? '',
        ...(isOpenId && { id_token: by.has(replayFault) ? earliest : idToken }),
        ...added,
      }
      const sent = applyFaults<Claims>(good, tokenFaults, by)
      grant.refreshToken = sent.refresh_token
      return Response.json(sent)
    },

    async userinfo(request: Request, parameters: URLSearchParams) {
      const inHeader = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
      const inUrl = parameters.get('access_token')
      // A request must not send the token in two ways (RFC 6750 2).
      if (inHeader !== undefined && inUrl !== null) return refuse('invalid_request')
      const shown = inHeader ?? inUrl
      const grant = grants.find(({ accessToken }) => shown !== null && accessToken === shown)
      if (!grant) return refuse('invalid_token', 401)
      const by = new Set([...grant.faults, ...faults])
      const claims = applyFaults<Claims>({ sub: grant.user.sub, ...grant.user.claims }, userinfoFaults, by)
      if (!grant.client.signsUserinfo) return Response.json(claims)
      const jwt = await sign({ iss: issuer, aud: grant.client.id, ...claims }, grant.client, by)
      return new Response(jwt, { headers: { 'content-type': 'application/jwt' } })
    },
  }

  /** Responds to a refresh. Each refresh token works once, unless the response is about to get lost. */
  const renew = async (client: IdpClient, held: string | null): Promise<Response> => {
    const grant = grants.find((each) => held !== null && each.refreshToken === held)
    if (grant?.client.id !== client.id) return refuse('invalid_grant')
    const accessToken = randomText()
    const { nonce: _, ...claims } = await idClaims(grant, accessToken, faults)
    const sent = applyFaults<Claims>(
      {
        access_token: accessToken,
        refresh_token: randomText(),
        token_type: 'Bearer',
        expires_in: 3600,
        id_token: await sign(applyFaults<Claims>(claims, claimFaults, faults), client, faults),
        ...added,
      },
      tokenFaults,
      faults,
    )
    if (![...faults].some((fault) => fault.startsWith('token:'))) {
      grant.accessToken = accessToken
      grant.refreshToken = sent.refresh_token
    }
    return Response.json(sent)
  }

  const idClaims = async (
    { user: owner, client, query }: Grant,
    accessToken: string,
    by: ReadonlySet<Fault>,
  ): Promise<Claims> => {
    const iat = Math.floor(now() / 1000)
    // A forger omits optional claims that could expose the token.
    const isForged = [...by].some((fault) => fault.startsWith('alg-'))
    const nonce = query.get('nonce')
    return {
      iss: options.tokenIssuer?.(owner) ?? issuer,
      aud: client.id,
      sub: owner.sub,
      iat,
      exp: iat + 600,
      ...(!isForged && { at_hash: await halfHash(accessToken) }),
      ...(nonce !== null && { nonce }),
      ...(query.has('max_age') && { auth_time: iat }),
      ...owner.claims,
      ...addedClaims,
    }
  }

  const handle = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const path = url.href.slice(root.length).replace(/\?.*$/, '')
    const endpoint =
      url.href.startsWith(root) && Object.hasOwn(paths, path) ? paths[path as keyof typeof paths] : 'unknown'
    const parameters =
      request.method === 'POST' ? new URLSearchParams(await request.text()) : url.searchParams
    log.push({ endpoint, method: request.method, url: request.url, headers: request.headers, parameters })
    if (endpoint === 'unknown')
      return (user && options.elsewhere?.(request, user)) ?? new Response('not found', { status: 404 })
    const good = await handlers[endpoint](request, parameters)
    const fault = [...faults].find((each) => each.startsWith(`${endpoint}:`))
    return fault
      ? respondWithFault(fault.slice(endpoint.length + 1) as TransportFault, request, good, parameters)
      : good
  }

  const send = async (request: Request): Promise<Response> => {
    if (new URL(request.url).origin !== new URL(issuer).origin) throw new TypeError('fetch failed')
    const response = await handle(request)
    if (response.type === 'error') throw new TypeError('fetch failed')
    const location = response.status >= 300 && response.status < 400 && response.headers.get('location')
    return location && request.redirect === 'follow' ? send(new Request(location)) : response
  }

  return {
    issuer,
    handle,
    fetch: (input, init) => send(new Request(input, init)),
    log,
    refusals,
    issued,
    requestsTo: (endpoint) => log.filter((entry) => entry.endpoint === endpoint),
    misbehave: (...named) => void (faults = new Set(named)),
    addToTokens: (members) => void (added = members),
    addToClaims: (claims) => void (addedClaims = claims),
    save() {
      log.length = 0
      const kept = grants.map((grant) => ({ ...grant }))
      return () => {
        log.length = 0
        grants.splice(0, grants.length, ...kept.map((grant) => ({ ...grant })))
      }
    },
    choose: (sub) => void (user = users.find((each) => each.sub === sub)),
    forget: () => void (earliest = undefined),
    rotate: () => void (generation = 'next'),
    revokeTokens() {
      for (const grant of grants) grant.refreshToken = undefined
    },
    sign: (claims, ...named) => sign(claims, findClient(String(claims.aud)) ?? { id: '' }, new Set(named)),
    async authorize(target) {
      const response = await handle(new Request(target))
      const redirectUri = grants.at(-1)?.query.get('redirect_uri') ?? ''
      const location = response.headers.get('location')
      if (location !== null) return { redirectUri, mode: 'query', parameters: new URL(location).searchParams }
      if (response.status !== 200)
        throw new Error(`The provider refused the sign-in: ${await response.text()}`)
      return { redirectUri, mode: 'form_post', parameters: readForm(await response.text()) }
    },
  }
}

function refuse(error: string, status = 400, description = 'canary-description'): Response {
  return Response.json({ error, error_description: description }, { status })
}

function randomText(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)))
}
