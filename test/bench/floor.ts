import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomFillSync,
  timingSafeEqual,
} from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as app from './application.ts'
import type { Contestant } from './contestants.ts'

/**
 * Produces the same responses with the shortest straight-line code for this one application: no configuration, no
 * checks for impossible cases, no error handling. This is what any implementation on the web's Request and Response
 * costs at least.
 */
export function createFloor() {
  const session = createCodec(app.cookies.session)
  const checks = {
    state: createCodec('__Secure-authjs.state'),
    pkce: createCodec('__Secure-authjs.pkce.code_verifier'),
  }
  const wire = createCodec('encodedState')
  const claims = { name: app.user.name, email: app.user.email, picture: app.user.image, sub: app.user.id }
  const store = app.storeOneSession('f'.repeat(64))

  const writeSession = (value: string) =>
    `${app.cookies.session}=${value}; Expires=${inThirtyDays().toUTCString()}; ${attributes}`
  const setSession = (headers: Headers, value: string) => headers.append('set-cookie', writeSession(value))
  const present = (name?: unknown, email?: unknown, image?: unknown, expires = inThirtyDays()) =>
    JSON.stringify({ user: { name, email, image }, expires: expires.toISOString() })

  function readSession(request: Request): Response {
    const { name, email, picture, sub } = session.open(cookieOf(request, app.cookies.session))
    const headers = new Headers(jsonHeaders)
    setSession(headers, session.seal({ name, email, picture, sub }))
    return new Response(present(name, email, picture), { headers })
  }

  /** Responds without Request and Response: the least that any implementation on node:http costs. */
  function serveSession({ headers }: IncomingMessage, outgoing: ServerResponse): void {
    const { name, email, picture, sub } = session.open(findCookie(headers.cookie, app.cookies.session))
    const body = present(name, email, picture)
    outgoing.writeHead(200, {
      ...jsonHeaders,
      'content-length': Buffer.byteLength(body),
      'set-cookie': writeSession(session.seal({ name, email, picture, sub })),
    })
    outgoing.end(body)
  }

  async function readStored(request: Request): Promise<Response> {
    const found = await store.getSessionAndUser?.(cookieOf(request, app.cookies.session))
    const { name, email, image } = found?.user ?? {}
    return new Response(present(name, email, image, found?.session.expires), { headers: jsonHeaders })
  }

  async function signIn(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text())
    demandCsrf(request, form)
    if (form.get('password') !== 'password') throw new Error('wrong password')
    return redirect(app.origin, (headers) => setSession(headers, session.seal(claims)))
  }

  async function beginOAuth(request: Request): Promise<Response> {
    demandCsrf(request, new URLSearchParams(await request.text()))
    const state = wire.seal({ random: random(32) })
    const verifier = random(32)
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: app.provider.clientId,
      scope: 'profile',
      redirect_uri: redirectUri,
      state,
      code_challenge: hash('sha256', verifier, 'base64url'),
      code_challenge_method: 'S256',
    })
    return redirect(`${app.provider.authorization}?${query}`, (headers) => {
      for (const [name, value] of [
        ['state', state],
        ['pkce', verifier],
      ] as const)
        headers.append(
          'set-cookie',
          `${checkNames[name]}=${checks[name].seal({ value, provider: 'plain' })}; ${attributes}`,
        )
    })
  }

  async function finishOAuth(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url)
    const state = checks.state.open(cookieOf(request, checkNames.state))
    const pkce = checks.pkce.open(cookieOf(request, checkNames.pkce))
    if (state.value !== searchParams.get('state')) throw new Error('wrong state')
    const { clientId, clientSecret } = app.provider
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: String(pkce.value),
    })
    const authorization = `Basic ${btoa(`${clientId}:${encodeURIComponent(clientSecret)}`)}`
    const granted = await fetch(app.provider.token, { method: 'POST', body, headers: { authorization } })
    const { access_token } = (await granted.json()) as { access_token: string }
    const reply = await fetch(app.provider.userinfo, { headers: { authorization: `Bearer ${access_token}` } })
    const { sub, name, email, picture } = (await reply.json()) as Record<string, unknown>
    return redirect(app.origin, (headers) => {
      setSession(headers, session.seal({ name, email, picture, sub }))
      for (const check of Object.values(checkNames))
        headers.append('set-cookie', `${check}=; Max-Age=0; ${attributes}`)
    })
  }

  return { readSession, serveSession, readStored, signIn, beginOAuth, finishOAuth, session, claims }
}

/** The floor's responses as jobs. */
export function openFloor(): Contestant {
  const { readSession, readStored, signIn, beginOAuth, finishOAuth, session, claims } = createFloor()
  const token = session.seal(claims)
  const held = `${app.heldCookies}; ${app.cookies.session}=${token}`
  const ask = (path: string, cookie: string) =>
    new Request(`${app.origin}/auth/${path}`, { headers: { cookie } })
  const form = (path: string, fields: object) =>
    new Request(`${app.origin}/auth/${path}`, {
      method: 'POST',
      headers: { cookie: app.heldCookies, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...fields, csrfToken: app.csrf.token, callbackUrl: app.origin }).toString(),
    })

  return {
    name: 'floor',
    jobs: {
      'session (JWT)': () => readSession(ask('session', held)),
      'session (none)': () => {
        const request = ask('session', app.heldCookies)
        if (cookieOf(request, app.cookies.session) !== '') throw new Error('missing cookie')
        return new Response('null', { headers: jsonHeaders })
      },
      'session (database)': () =>
        readStored(ask('session', `${app.heldCookies}; ${app.cookies.session}=${'f'.repeat(64)}`)),
      'OAuth sign-in': async () => {
        const sent = await beginOAuth(form('signin/plain', {}))
        const query = new URLSearchParams({
          code: 'a code',
          state: new URL(sent.headers.get('location') ?? '').searchParams.get('state') ?? '',
        })
        const set = sent.headers.getSetCookie().map((line) => line.slice(0, line.indexOf(';')))
        return finishOAuth(ask(`callback/plain?${query}`, `${app.heldCookies}; ${set.join('; ')}`))
      },
      'credentials sign-in': () => signIn(form('callback/credentials', { password: 'password' })),
      encode: () => session.seal(claims),
      decode: () => session.open(token),
      csrf: () => {
        const value = decodeURIComponent(cookieOf(ask('csrf', app.heldCookies), app.cookies.csrf))
        const csrfToken = openCsrf(value)
        return new Response(JSON.stringify({ csrfToken }), { headers: jsonHeaders })
      },
    },
  }
}

const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax'
const jsonHeaders = { 'content-type': 'application/json', 'cache-control': 'private, no-cache, no-store' }
const redirectUri = `${app.origin}/auth/callback/plain`
const checkNames = { state: '__Secure-authjs.state', pkce: '__Secure-authjs.pkce.code_verifier' }

function redirect(location: string, setCookies: (headers: Headers) => void): Response {
  const headers = new Headers({ location })
  setCookies(headers)
  return new Response(null, { status: 302, headers })
}

function inThirtyDays(): Date {
  return new Date((Math.floor(Date.now() / 1000) + 2_592_000) * 1000)
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

function openCsrf(cookie: string): string {
  const [token = '', given] = cookie.split('|')
  if (hash('sha256', token + app.secret) !== given) throw new Error('forged CSRF cookie')
  return token
}

function demandCsrf(request: Request, form: URLSearchParams): void {
  const token = openCsrf(decodeURIComponent(cookieOf(request, app.cookies.csrf)))
  if (form.get('csrfToken') !== token) throw new Error('wrong CSRF token')
}

const pool = Buffer.alloc(4096)
const drawn = { from: pool.length }

/** Takes an initialisation vector from a pool that is filled in one call. */
function drawVector(): Buffer {
  if (drawn.from === pool.length) {
    randomFillSync(pool)
    drawn.from = 0
  }
  return Buffer.from(pool.subarray(drawn.from, (drawn.from += 16)))
}

/** Generates a secret when it is needed, as the library does. */
function random(length: number): string {
  return randomFillSync(Buffer.alloc(length)).toString('base64url')
}

/** Tokens in the format of the protocol: JWE, `dir`, A256CBC-HS512, the key by HKDF. */
function createCodec(salt: string) {
  const info = `Auth.js Generated Encryption Key (${salt})`
  const bytes = Buffer.from(hkdfSync('sha256', app.secret, salt, info, 64))
  const kid = hash('sha512', JSON.stringify({ k: bytes.toString('base64url'), kty: 'oct' }), 'base64url')
  const header = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256CBC-HS512', kid })).toString('base64url')
  const signing = createSecretKey(bytes.subarray(0, 32))
  const sealing = createSecretKey(bytes.subarray(32))
  const aad = Buffer.from(header)
  const bits = Buffer.alloc(8)
  bits.writeBigUInt64BE(BigInt(aad.length * 8))
  const sign = (iv: Uint8Array, ciphertext: Uint8Array) =>
    createHmac('sha512', signing)
      .update(aad)
      .update(iv)
      .update(ciphertext)
      .update(bits)
      .digest()
      .subarray(0, 32)
  return {
    seal(claims: object): string {
      const iat = Math.floor(Date.now() / 1000)
      const uuid = randomFillSync(Buffer.alloc(16))
        .toString('hex')
        .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
      const text = JSON.stringify({ ...claims, iat, exp: iat + 2_592_000, jti: uuid })
      const iv = drawVector()
      const cipher = createCipheriv('aes-256-cbc', sealing, iv)
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const tag = sign(iv, ciphertext).toString('base64url')
      return `${header}..${iv.toString('base64url')}.${ciphertext.toString('base64url')}.${tag}`
    },
    open(token: string): Record<string, unknown> {
      const parts = token.split('.')
      const [iv, ciphertext, tag] = parts.slice(2).map((part) => Buffer.from(part, 'base64url'))
      if (parts[0] !== header || !iv || !ciphertext || !tag) throw new Error('foreign token')
      if (!timingSafeEqual(tag, sign(iv, ciphertext))) throw new Error('forged token')
      const decipher = createDecipheriv('aes-256-cbc', sealing, iv)
      const text = decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8')
      const claims = JSON.parse(text) as Record<string, unknown>
      if (Number(claims['exp']) <= Date.now() / 1000) throw new Error('expired token')
      return claims
    },
  }
}
