import { createPublicKey, hash, verify } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as app from '../application.ts'
import type { Handle } from '../browser.ts'
import type { SignIn, Site } from '../sign-ins.ts'
import { createCodec, random, randomId, thirtyDays } from './codec.ts'

/**
 * Produces the same responses with the shortest straight-line code for this one application: no configuration, no
 * checks for impossible cases, no error handling. This is the least that any implementation on the web's Request and
 * Response costs.
 */
export function openBareReads() {
  const session = createCodec(app.cookies.session)
  const store = app.storeOneSession('f'.repeat(64))

  function readSession(request: Request): Response {
    const { name, email, picture, sub } = session.open(cookieOf(request, app.cookies.session))
    const headers = new Headers(jsonHeaders)
    headers.append('set-cookie', sessionCookie(session.seal({ name, email, picture, sub })))
    return new Response(present(name, email, picture), { headers })
  }

  function readNone(request: Request): Response {
    if (cookieOf(request, app.cookies.session) !== '') throw new Error('unexpected cookie')
    return new Response('null', { headers: jsonHeaders })
  }

  async function readStored(request: Request): Promise<Response> {
    const found = await store.getSessionAndUser?.(cookieOf(request, app.cookies.session))
    const { name, email, image } = found?.user ?? {}
    return new Response(present(name, email, image, found?.session.expires), { headers: jsonHeaders })
  }

  function readCsrf(request: Request): Response {
    const csrfToken = openCsrf(decodeURIComponent(cookieOf(request, app.cookies.csrf)))
    return new Response(JSON.stringify({ csrfToken }), { headers: jsonHeaders })
  }

  /** Responds without Request and Response: the least that any implementation on node:http costs. */
  function serveSession({ headers }: IncomingMessage, outgoing: ServerResponse): void {
    const { name, email, picture, sub } = session.open(findCookie(headers.cookie, app.cookies.session))
    const body = present(name, email, picture)
    outgoing.writeHead(200, {
      ...jsonHeaders,
      'content-length': Buffer.byteLength(body),
      'set-cookie': sessionCookie(session.seal({ name, email, picture, sub })),
    })
    outgoing.end(body)
  }

  return { readSession, readNone, readStored, readCsrf, serveSession, session }
}

/** The flows, in the same way. */
export function openBareFlows(site: Site): Readonly<Record<SignIn, Handle>> {
  const session = createCodec(app.cookies.session)
  const checks = { state: createCodec(names.state), pkce: createCodec(names.pkce) }
  const links = createCodec(names.links)
  const challenges = createCodec(names.challenge)
  const wire = createCodec('encodedState')

  async function beginOAuth(request: Request): Promise<Response> {
    await readForm(request)
    const state = wire.seal({ random: random(32) })
    const verifier = random(32)
    const query = new URLSearchParams({
      scope: 'profile',
      response_type: 'code',
      client_id: app.provider.clientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: hash('sha256', verifier, 'base64url'),
      code_challenge_method: 'S256',
    })
    return redirect(`${app.provider.authorization}?${query}`, [
      cookie(names.state, checks.state.seal({ value: state, provider: 'plain' })),
      cookie(names.pkce, checks.pkce.seal({ value: verifier, provider: 'plain' })),
    ])
  }

  async function finishOAuth(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url)
    const state = checks.state.open(cookieOf(request, names.state))
    const pkce = checks.pkce.open(cookieOf(request, names.pkce))
    if (state['value'] !== searchParams.get('state')) throw new Error('wrong state')
    const { clientId, clientSecret } = app.provider
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: String(pkce['value']),
    })
    const authorization = `Basic ${btoa(`${clientId}:${encodeURIComponent(clientSecret)}`)}`
    const granted = await fetch(app.provider.token, { method: 'POST', body, headers: { authorization } })
    const { access_token } = (await granted.json()) as { access_token: string }
    const reply = await fetch(app.provider.userinfo, { headers: { authorization: `Bearer ${access_token}` } })
    const { name, email, picture } = (await reply.json()) as Record<string, unknown>
    return redirect(app.origin, [
      sessionCookie(session.seal({ name, email, picture, sub: randomId() })),
      clear(names.state),
      clear(names.pkce),
    ])
  }

  async function signIn(request: Request): Promise<Response> {
    const form = await readForm(request)
    if (form.get('password') !== 'password') throw new Error('wrong password')
    return redirect(app.origin, [sessionCookie(session.seal(app.claims))])
  }

  async function requestLink(request: Request): Promise<Response> {
    const form = await readForm(request)
    const email = form.get('email') ?? ''
    await site.store.getUserByEmail(email)
    const token = random(32, 'hex')
    const expires = new Date(Date.now() + day)
    const stored = hash('sha256', token + app.secret)
    await site.store.createVerificationToken({ identifier: email, token: stored, expires })
    site.link = `${app.origin}/auth/callback/email?${new URLSearchParams({ callbackUrl: app.origin, token, email })}`
    return redirect(`${app.origin}/auth/verify-request?provider=email&type=email`, [
      cookie(
        names.links,
        links.seal({
          links: [{ hash: hashLink(email, token), stored, mail: { identifier: email, provider: 'email' } }],
        }),
      ),
    ])
  }

  async function followLink(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url)
    const [email, token] = [searchParams.get('email') ?? '', searchParams.get('token') ?? '']
    const [requested] = links.open(cookieOf(request, names.links))['links'] as { hash: string }[]
    if (requested?.hash !== hashLink(email, token)) throw new Error('requested elsewhere')
    const key = { identifier: email, token: hash('sha256', token + app.secret) }
    const used = await site.store.useVerificationToken(key)
    if (!used || used.expires.getTime() <= Date.now()) throw new Error('unknown link')
    const user = await site.store.getUserByEmail(email)
    const claims = { name: user?.name, email: user?.email, picture: user?.image, sub: user?.id }
    return redirect(app.origin, [clear(names.links), sessionCookie(session.seal(claims))])
  }

  function offerPasskeys(): Response {
    const challenge = random(32)
    const headers = new Headers(jsonHeaders)
    headers.append('set-cookie', cookie(names.challenge, challenges.seal({ value: challenge })))
    const options = { rpId: 'app.test', challenge, timeout: 300_000, userVerification: 'required' }
    return new Response(JSON.stringify({ action: 'authenticate', options }), { headers })
  }

  /** Verifies ES256 signatures without a library, for users who are known to be present and verified. */
  async function signInByPasskey(request: Request): Promise<Response> {
    const form = await readForm(request)
    const { id, response } = JSON.parse(form.get('data') ?? '') as Answer
    const challenge = challenges.open(cookieOf(request, names.challenge))
    const credentialID = Buffer.from(id, 'base64url').toString('base64')
    const passkey = await site.store.getAuthenticator(credentialID)
    const [client, data, signature] = [
      response.clientDataJSON,
      response.authenticatorData,
      response.signature,
    ].map((text) => Buffer.from(text, 'base64url')) as [Buffer, Buffer, Buffer]
    const said = JSON.parse(client.toString()) as { challenge: string; origin: string; type: string }
    if (said.challenge !== challenge['value'] || said.origin !== app.origin || said.type !== 'webauthn.get')
      throw new Error('another ceremony')
    if (!data.subarray(0, 32).equals(relyingParty) || (Number(data[32]) & 5) !== 5)
      throw new Error('another site')
    const signed = Buffer.concat([data, hash('sha256', client, 'buffer')])
    if (!passkey || !verify('sha256', signed, readKey(passkey.credentialPublicKey), signature))
      throw new Error('wrong signature')
    const counter = data.readUInt32BE(33)
    if (counter <= passkey.counter) throw new Error('copied passkey')
    await site.store.updateAuthenticatorCounter(credentialID, counter, { counter: passkey.counter })
    const key = { provider: 'passkey', providerAccountId: credentialID }
    const user = await site.store.getUserByAccount(key)
    const claims = { name: user?.name, email: null, picture: user?.image, sub: user?.id }
    return redirect(app.origin, [sessionCookie(session.seal(claims)), clear(names.challenge)])
  }

  async function signOut(request: Request): Promise<Response> {
    await readForm(request)
    return redirect(app.origin, [clear(app.cookies.session)])
  }

  return {
    'OAuth sign-in': (request) => (request.method === 'POST' ? beginOAuth(request) : finishOAuth(request)),
    'credentials sign-in': signIn,
    'mailed link': (request) => (request.method === 'POST' ? requestLink(request) : followLink(request)),
    'passkey sign-in': (request) => (request.method === 'POST' ? signInByPasskey(request) : offerPasskeys()),
    'sign-out': signOut,
  }
}

interface Answer {
  readonly id: string
  readonly response: Readonly<Record<'authenticatorData' | 'clientDataJSON' | 'signature', string>>
}

const day = 86_400_000
const flags = 'HttpOnly; Secure; SameSite=Lax'
const attributes = `Path=/; ${flags}`
/** JSON, and the headers against caches that the protocol demands (WIR-013). */
const jsonHeaders = {
  'content-type': 'application/json',
  'cache-control': 'private, no-cache, no-store',
  expires: '0',
  pragma: 'no-cache',
}
const redirectUri = `${app.origin}/auth/callback/plain`
const relyingParty = hash('sha256', 'app.test', 'buffer')
const names = app.cookies

function present(name?: unknown, email?: unknown, image?: unknown, expires = inThirtyDays()): string {
  return JSON.stringify({ user: { name, email, image }, expires: expires.toISOString() })
}

function cookie(name: string, value: string): string {
  return `${name}=${value}; ${attributes}`
}

function sessionCookie(value: string): string {
  return `${names.session}=${value}; Path=/; Expires=${inThirtyDays().toUTCString()}; ${flags}`
}

function clear(name: string): string {
  return `${name}=; Max-Age=0; ${attributes}`
}

function redirect(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location })
  for (const line of cookies) headers.append('set-cookie', line)
  return new Response(null, { status: 302, headers })
}

function inThirtyDays(): Date {
  return new Date((Math.floor(Date.now() / 1000) + thirtyDays) * 1000)
}

function cookieOf(request: Request, name: string): string {
  return findCookie(request.headers.get('cookie'), name)
}

function findCookie(header: string | null | undefined, name: string): string {
  const text = `; ${header}; `
  const start = text.indexOf(`; ${name}=`)
  if (start < 0) return ''
  return text.slice(start + name.length + 3, text.indexOf('; ', start + name.length + 3))
}

function openCsrf(value: string): string {
  const [token = '', given] = value.split('|')
  if (hash('sha256', token + app.secret) !== given) throw new Error('forged CSRF cookie')
  return token
}

async function readForm(request: Request): Promise<URLSearchParams> {
  const form = new URLSearchParams(await request.text())
  const token = openCsrf(decodeURIComponent(cookieOf(request, names.csrf)))
  if (form.get('csrfToken') !== token) throw new Error('wrong CSRF token')
  return form
}

function hashLink(email: string, token: string): string {
  return hash('sha256', JSON.stringify(['email', email, token]), 'base64url')
}

/** Reads the coordinates at their places in a COSE key on P-256. */
function readKey(cose: string) {
  const bytes = Buffer.from(cose, 'base64')
  const [x, y] = [bytes.subarray(10, 42), bytes.subarray(45, 77)].map((each) => each.toString('base64url'))
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
}
