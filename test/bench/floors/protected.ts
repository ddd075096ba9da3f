import { hash } from 'node:crypto'
import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import * as app from '../application.ts'
import type { Handle } from '../browser.ts'
import type { SignIn, Site } from '../sign-ins.ts'
import { createCodec, random, randomId, thirtyDays } from './codec.ts'
import * as guards from './guards.ts'

/**
 * Signs in with straight-line code that keeps the same promises as the library: limits on everything that a request or
 * a provider sends, deadlines for the provider, the store and the application, duplicate parameters refused, a new CSRF
 * token for each session, cookies and headers as the library sends them. It still serves this one application only. The
 * difference to the bare floor is the price of the promises; the difference to the library is the price of its design.
 */
export function openProtectedFlows(site: Site): Readonly<Record<SignIn, Handle>> {
  const session = createCodec(names.session)
  const checks = { state: createCodec(names.state), pkce: createCodec(names.pkce) }
  const links = createCodec(names.links)
  const challenges = createCodec(names.challenge)
  const wire = createCodec('encodedState')

  /** Ends a sign-in: the session, a new CSRF token, and no cookies of the flow. */
  function admit(visit: guards.Visit, claims: object, ...flowCookies: readonly string[]): Response {
    const value = session.seal(claims)
    return redirect(guards.readTarget(visit), [
      cookie(names.session, value, { expires: thirtyDays }),
      renewCsrf(),
      ...flowCookies.map(clear),
    ])
  }

  function beginOAuth(visit: guards.Visit): Response {
    guards.demandCsrf(visit)
    const target = guards.readTarget(visit)
    const state = wire.seal({ random: random(32) }, fifteenMinutes)
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
    const check = (name: 'state' | 'pkce', value: string) =>
      cookie(
        names[name],
        checks[name].seal({ value, provider: 'plain', checks: ['state', 'pkce'] }, fifteenMinutes),
        brief,
      )
    const isKept = decodeURIComponent(visit.cookies.get(names.callbackUrl) ?? '') === target
    return redirect(`${app.provider.authorization}?${query}`, [
      ...(isKept ? [] : [cookie(names.callbackUrl, encodeURIComponent(target))]),
      check('state', state),
      check('pkce', verifier),
    ])
  }

  async function finishOAuth(visit: guards.Visit): Promise<Response> {
    const [state, code, error, issuer] = ['state', 'code', 'error', 'iss'].map((name) =>
      guards.readOnce(visit, name),
    )
    const [held, pkce] = [
      checks.state.open(visit.cookies.get(names.state) ?? ''),
      checks.pkce.open(visit.cookies.get(names.pkce) ?? ''),
    ]
    if (held['provider'] !== 'plain' || pkce['provider'] !== 'plain') throw new Error('another provider')
    if (!state || !code || error || issuer || held['value'] !== state) throw new Error('wrong response')
    const { clientId, clientSecret } = app.provider
    const body = new URLSearchParams({
      redirect_uri: redirectUri,
      code,
      code_verifier: String(pkce['value']),
      grant_type: 'authorization_code',
    })
    const authorization = `Basic ${btoa(`${clientId}:${encodeURIComponent(clientSecret)}`)}`
    const token = await guards.fetchJson(app.provider.token, {
      method: 'POST',
      body,
      headers: { accept: 'application/json', authorization },
    })
    if (typeof token['access_token'] !== 'string' || !/^bearer$/i.test(String(token['token_type'])))
      throw new Error('no access token')
    const { sub, name, email, picture } = await guards.fetchJson(app.provider.userinfo, {
      headers: { accept: 'application/json', authorization: `Bearer ${token['access_token']}` },
    })
    if (typeof sub !== 'string' || sub === '') throw new Error('nobody')
    return admit(visit, { name, email, picture, sub: randomId() }, names.state, names.pkce)
  }

  async function signIn(visit: guards.Visit): Promise<Response> {
    guards.demandCsrf(visit)
    const user = await guards.inTime(authorize(visit.form))
    if (!user) throw new Error('wrong password')
    return admit(visit, { name: user.name, email: user.email, picture: user.image, sub: user.id })
  }

  async function requestLink(visit: guards.Visit): Promise<Response> {
    guards.demandCsrf(visit)
    const callbackUrl = guards.readTarget(visit)
    const email = normalise(visit.form['email'])
    await guards.inTime(site.store.getUserByEmail(email))
    const token = random(32, 'hex')
    const expires = new Date(Date.now() + oneDay * 1000)
    const stored = hash('sha256', token + app.secret)
    await guards.inTime(site.store.createVerificationToken({ identifier: email, token: stored, expires }))
    const url = `${app.origin}/auth/callback/email?${new URLSearchParams({ callbackUrl, token, email })}`
    await guards.inTime(sendMail(site, url))
    const mail = { identifier: email, provider: 'email' }
    const link = {
      hash: hashOf('email', email, token),
      address: hashOf('email', email),
      stored,
      expires,
      mail,
    }
    const sealed = links.seal({ links: [...readLinks(visit), link].slice(-5) }, oneDay)
    return redirect(`${app.origin}/auth/verify-request?provider=email&type=email`, [
      cookie(names.links, sealed, { expires: oneDay }),
    ])
  }

  async function followLink(visit: guards.Visit): Promise<Response> {
    const { headers } = visit.request
    if (previews.some((name) => /\b(prefetch|prerender|preview)\b/i.test(headers.get(name) ?? '')))
      throw new guards.Refused(200, 'preview')
    const [email, token] = [normalise(guards.readOnce(visit, 'email')), guards.readOnce(visit, 'token')]
    const hashed = hashOf('email', email, token)
    if (!readLinks(visit).some((link) => link.hash === hashed)) throw new Error('requested elsewhere')
    const key = { identifier: email, token: hash('sha256', token + app.secret) }
    const used = await guards.inTime(site.store.useVerificationToken(key))
    if (used?.token !== key.token || used.expires.getTime() <= Date.now()) throw new Error('unknown link')
    const user = await guards.inTime(site.store.getUserByEmail(email))
    if (!user?.emailVerified) throw new Error('new user')
    return admit(
      { ...visit, form: { callbackUrl: guards.readOnce(visit, 'callbackUrl') } },
      { name: user.name, email: user.email, picture: user.image, sub: user.id },
      names.links,
    )
  }

  /** Returns the links that this browser has requested. */
  function readLinks({ cookies }: guards.Visit): { hash: string }[] {
    const held = cookies.get(names.links)
    return held === undefined ? [] : (links.open(held)['links'] as { hash: string }[])
  }

  function offerPasskeys(visit: guards.Visit): Response {
    if (guards.readOnce(visit, 'action') !== 'authenticate') throw new guards.Refused(400, 'wrong action')
    const challenge = random(32)
    const sealed = { value: challenge, ceremony: 'authenticate', provider: 'passkey', offered: [] }
    const options = { rpId, challenge, timeout: 300_000, userVerification: 'required' }
    return answer(
      200,
      { 'content-type': 'application/json' },
      [cookie(names.challenge, challenges.seal(sealed, fifteenMinutes), brief)],
      JSON.stringify({ action: 'authenticate', options }),
    )
  }

  /** SimpleWebAuthn verifies the response, as it does for the library. */
  async function signInByPasskey(visit: guards.Visit): Promise<Response> {
    guards.demandCsrf(visit)
    if (visit.form['action'] !== 'authenticate') throw new Error('wrong ceremony')
    const data = visit.form['data'] ?? ''
    guards.demandFlat(data)
    const response = JSON.parse(data) as PasskeyResponse
    const challenge = challenges.open(visit.cookies.get(names.challenge) ?? '')
    if (challenge['ceremony'] !== 'authenticate' || challenge['provider'] !== 'passkey')
      throw new Error('wrong ceremony')
    const credentialID = Buffer.from(response.id, 'base64url').toString('base64')
    const passkey = await guards.inTime(site.store.getAuthenticator(credentialID))
    if (passkey?.credentialID !== credentialID) throw new Error('unknown passkey')
    const { verified, authenticationInfo } = await guards.inTime(
      verifyAuthenticationResponse({
        response,
        expectedChallenge: String(challenge['value']),
        expectedOrigin: app.origin,
        expectedRPID: rpId,
        requireUserVerification: true,
        credential: {
          id: response.id,
          publicKey: Buffer.from(passkey.credentialPublicKey, 'base64'),
          counter: 0,
        },
      }),
    )
    const counter = authenticationInfo.newCounter
    // Read again: another request may have used the passkey in the meantime.
    const current = await guards.inTime(site.store.getAuthenticator(credentialID))
    if (!verified || !current || counter <= current.counter)
      throw new Error('wrong signature, or a copied passkey')
    await guards.inTime(
      site.store.updateAuthenticatorCounter(credentialID, counter, { counter: current.counter }),
    )
    const { providerAccountId, userId } = passkey
    const user = await guards.inTime(site.store.getUserByAccount({ provider: 'passkey', providerAccountId }))
    if (user?.id !== userId) throw new Error('nobody')
    const claims = { name: user.name, email: null, picture: user.image, sub: user.id }
    return admit(visit, claims, names.challenge)
  }

  function signOut(visit: guards.Visit): Response {
    guards.demandCsrf(visit)
    return redirect(guards.readTarget(visit), [clear(names.session), renewCsrf()])
  }

  return {
    'OAuth sign-in': guard(beginOAuth, finishOAuth),
    'credentials sign-in': guard(signIn),
    'mailed link': guard(requestLink, followLink),
    'passkey sign-in': guard(signInByPasskey, offerPasskeys),
    'sign-out': guard(signOut),
  }
}

type Step = (visit: guards.Visit) => Response | Promise<Response>
type PasskeyResponse = Parameters<typeof verifyAuthenticationResponse>[0]['response']

/** Reads a request within the limits, and refuses it with a response instead of an exception. */
function guard(post: Step, get?: Step): Handle {
  return async (request) => {
    try {
      const step = request.method === 'POST' ? post : request.method === 'GET' ? get : undefined
      if (!step) throw new guards.Refused(405, 'wrong method')
      return await step(await guards.readVisit(request))
    } catch (error) {
      return answer(error instanceof guards.Refused ? error.status : 403, {}, [])
    }
  }
}

const names = app.cookies
const rpId = 'app.test'
const redirectUri = `${app.origin}/auth/callback/plain`
const fifteenMinutes = 900
const oneDay = 86_400
const brief = { maxAge: fifteenMinutes, expires: fifteenMinutes }
const previews = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

function cookie(
  name: string,
  value: string,
  { maxAge, expires }: { readonly maxAge?: number; readonly expires?: number } = {},
): string {
  const age = maxAge === undefined ? '' : `Max-Age=${maxAge}; `
  const end = expires === undefined ? '' : `Expires=${new Date(Date.now() + expires * 1000).toUTCString()}; `
  return guards.demandFitting(`${name}=${value}; ${age}Path=/; ${end}HttpOnly; Secure; SameSite=Lax`)
}

function clear(name: string): string {
  return cookie(name, '', { maxAge: 0 })
}

function renewCsrf(): string {
  const token = random(32, 'hex')
  return cookie(names.csrf, `${token}%7C${hash('sha256', token + app.secret)}`)
}

function redirect(location: string, cookies: readonly string[]): Response {
  return answer(302, { location }, cookies)
}

function answer(
  status: number,
  own: Readonly<Record<string, string>>,
  cookies: readonly string[],
  body: string | null = null,
): Response {
  const headers = new Headers({
    ...own,
    'cache-control': 'private, no-cache, no-store',
    expires: '0',
    pragma: 'no-cache',
  })
  for (const line of cookies) headers.append('set-cookie', line)
  return new Response(body, { status, headers })
}

async function authorize({ password }: Readonly<Record<string, string>>): Promise<typeof app.user | null> {
  return password === 'password' ? app.user : null
}

async function sendMail(site: Site, url: string): Promise<void> {
  site.link = url
}

const addressShape =
  /^[\p{L}\p{M}\p{N}!#$%&'*+\-/=?^_`{|}~.]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9-]{1,63}$/u

/** Returns the canonical form of an address in which only the local part may have letters outside ASCII. */
function normalise(text = ''): string {
  const address = text.length > 512 ? '' : text.trim().normalize('NFKC').toLowerCase()
  if (address.length > 254 || !addressShape.test(address)) throw new guards.Refused(400, 'not an address')
  return address
}

function hashOf(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url')
}
