import { CompactSign, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { attestWithCertificate } from '../../fuzz/world/webauthn/attestations.ts'
import { openAuthenticator, type Options } from '../../fuzz/world/webauthn/authenticator.ts'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { maxCookies } from '../../src/cookies/parse-cookies.ts'
import {
  maxBody,
  maxCookieHeader,
  maxFields,
  maxJsonDepth,
  maxPieces,
  maxUrl,
} from '../../src/http/limits.ts'
import { createAuth, customFetch } from '../../src/index.ts'
import { encode, getToken } from '../../src/jwt.ts'
import { longestJwt } from '../../src/oauth/id-token.ts'
import { sizeLimit } from '../../src/oauth/outbound-fetch.ts'
import Passkey from '../../src/providers/passkey.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import * as app from '../bench/application.ts'
import { cookiesOf, post } from '../bench/browser.ts'
import { count, fill, type Hostile, type Inputs, type Prepare, silent } from './hostile-input.ts'
import { chinese, hosts, marks, typedTexts } from './hostile-texts.ts'

/** All hostile inputs, each as long as the limits allow. */
export async function openHostile(): Promise<readonly Hostile[]> {
  const inputs: Readonly<Record<string, Inputs>> = {
    'Cookie header': await cookies(),
    form: forms(),
    'JSON body': bodies(),
    URL: urls(),
    'sign-in URL': signInUrls(),
    'bearer token': await tokens(),
    header: headers(),
    'content type': contentTypes(),
    'mail address': addresses(),
    passkey: await passkeys(),
    ...(await typedTexts()),
    ...(await responses()),
  }
  return Object.entries(inputs).flatMap(([parser, [plain, attacks]]) =>
    Object.entries(attacks).map(([name, attack]) => ({ parser, name, attack, plain })),
  )
}

const auth = createAuth({ ...app.configure(), logger: silent })
const base = `${app.origin}${app.basePath}`

/** A request to a handler, built again for each run, because its body can be read only once. */
function request(make: () => Request, handler = auth.handler): Prepare {
  return () => {
    const made = make()
    return () => handler(made)
  }
}

async function cookies(): Promise<Inputs> {
  const name = app.cookies.session
  const pad = 'x'.repeat(24_000)
  const token = await encode({ token: { ...app.claims, pad }, secret: app.secret, salt: name })
  const inPieces = (value: string) =>
    (value.match(/.{1,3800}/gs) ?? []).map((piece, n) => `${name}.${n}=${piece}`).join('; ')
  const wellFormed = inPieces(token)
  const size = wellFormed.length
  const pieces = (piece: string) => Array.from({ length: 10 }, (_, n) => `${name}.${n}=${piece}`).join(';')
  const filled = (text: string, rest: string) => `${text};${rest}`.slice(0, maxCookieHeader)
  const many = Math.floor((size - 500) / (maxCookies - 20))
  const others = (part: string) => `${part};`.repeat(maxCookies - 20)
  const ask = (cookie: string, path = 'session') => {
    const init = { headers: { cookie } }
    return request(() => new Request(`${base}/${path}`, init))
  }
  return [
    ask(wellFormed),
    {
      'malformed escapes': ask(filled(pieces('x'), others(`a=${fill(many - 3, '%')}`))),
      'pieces of escapes': ask(pieces(fill(size / 10 - 40, '%41'))),
      'pieces of escapes, the last malformed': ask(pieces(`${fill(size / 10 - 43, '%41')}%`)),
      'pieces of UTF-8 escapes': ask(pieces(fill(size / 10 - 40, '%e2%82%ac'))),
      'names that look like pieces': ask(filled('', others(`${name}.7=${fill(many - 40, 'x')}`))),
      'checks of many sign-ins': ask(
        filled(
          '',
          count((maxCookies - 20) * 43, ';', (n) => `__Secure-authjs.state.t${n.padStart(16, '0')}=x`),
        ),
        'callback/plain?code=x&state=y',
      ),
      'a forged token': ask(inPieces(`${token.slice(0, -2)}xx`)),
      'a token of dots': ask(pieces(fill(size / 10 - 40, '.'))),
      'blanks around names': ask(filled('', others(`${fill(many - 3, ' \t')}a= `))),
      'one name, all blanks': ask(`${fill(size, ' ')}a=1`),
      'more cookies than the limit': ask(fill(size, 'a=%;')),
      semicolons: ask(fill(size, ';')),
      'equals signs': ask(fill(size, '=')),
    },
  ]
}

function forms(): Inputs {
  const type = 'application/x-www-form-urlencoded'
  const start = `csrfToken=${app.csrf.token}&`
  const size = maxBody - start.length
  const send = (body: string, contentType = type) => {
    const headers = { cookie: app.heldCookies, 'content-type': contentType }
    return request(
      () => new Request(`${base}/callback/credentials`, { method: 'POST', headers, body: start + body }),
    )
  }
  const each = Math.floor(size / (maxFields - 20))
  const multipart = fill(size, '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n')
  return [
    send(`password=${'x'.repeat(size - 9)}`),
    {
      'as many fields as allowed': send(
        count(each * (maxFields - 20), '&', (n) => `${n}=${'x'.repeat(each - 6)}`),
      ),
      'one name': send(`${'a'.repeat(each - 1)}&`.repeat(maxFields - 20)),
      escapes: send(`a=${fill(size - 2, '%41')}`),
      'malformed escapes': send(`a=${fill(size - 2, '%')}`),
      'escapes that are not UTF-8': send(`a=${fill(size - 2, '%ff')}`),
      'plus signs': send(`a=${fill(size - 2, '+')}`),
      'UTF-8': send(`a=${'€'.repeat((size - 2) / 3)}`),
      'more fields than allowed': send(fill(size, 'a&')),
      'separators only': send(fill(size, '&')),
      'as many pieces as allowed': request(() => {
        const pieces = [start, `password=${'x'.repeat(size - maxPieces - 9)}`, ...fill(maxPieces - 2, 'x')]
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
            controller.close()
          },
        })
        const init = { method: 'POST', headers: { cookie: app.heldCookies, 'content-type': type }, body }
        return new Request(`${base}/callback/credentials`, { ...init, duplex: 'half' } as RequestInit)
      }),
      multipart: send(multipart, 'multipart/form-data; boundary=x'),
    },
  ]
}

function bodies(): Inputs {
  const start = `{"csrfToken":"${app.csrf.token}",`
  const size = maxBody - start.length - 1
  const send = (rest: string) => {
    const headers = { cookie: app.heldCookies, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: `${start}${rest}}` }
    return request(() => new Request(`${base}/callback/credentials`, init))
  }
  const each = Math.floor(size / (maxFields - 20))
  const nest = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  return [
    send(`"password":"${'x'.repeat(size - 13)}"`),
    {
      'as many members as allowed': send(
        count(each * (maxFields - 20), ',', (n) => `"${n}":"${'x'.repeat(each - 12)}"`),
      ),
      'as many lists as allowed': send(`"a":[${`${nest(20)},`.repeat(Math.floor(maxFields / 21) - 2)}1]`),
      'as many levels as allowed': send(`"a":${nest(maxJsonDepth - 1)}`),
      'more levels than allowed': send(`"a":${nest(Math.floor(size / 2) - 4)}`),
      'more values than allowed': send(`"a":[${fill(size - 10, '0,')}0]`),
      'more members than allowed': send(count(size, ',', (n) => `"${n}":1`)),
      'escapes in a string': send(`"a":"${fill(size - 8, '\\u0041')}"`),
      'quotes in a string': send(`"a":"${fill(size - 8, '\\"')}"`),
      'a long number': send(`"a":${'9'.repeat(size - 5)}`),
      blanks: send(`"a":${' '.repeat(size - 6)}1`),
      'an unterminated string': send(`"a":"${'x'.repeat(size - 6)}`),
    },
  ]
}

function urls(): Inputs {
  const size = maxUrl - 200
  const ask = (path: string) => {
    const url = `${base}/${path}`
    const init = { headers: { cookie: app.heldCookies } }
    return request(() => new Request(url, init))
  }
  const each = Math.floor(size / (maxFields - 20))
  return [
    ask(`signin?callbackUrl=/${'x'.repeat(size)}`),
    {
      'as many parameters as allowed': ask(
        `signin?${count(size, '&', (n) => `${n}=${'x'.repeat(Math.max(1, each - 6))}`)}`,
      ),
      'more parameters than allowed': ask(`session?${fill(size, 'a&')}`),
      escapes: ask(`signin?callbackUrl=${fill(size, '%41')}`),
      'malformed escapes': ask(`signin?callbackUrl=${fill(size, '%')}`),
      'a callbackUrl of dot segments': ask(`signin?callbackUrl=/${fill(2000, 'a/../')}`),
      ...Object.fromEntries(
        Object.entries(hosts).flatMap(([name, host]) =>
          [1750, 240].map((length) => [
            `a callbackUrl with ${name}, ${length} characters`,
            ask(`signin?${new URLSearchParams({ callbackUrl: host(length) })}`),
          ]),
        ),
      ),
      'an error to show': ask(`error?error=${fill(size / 3, '<')}`),
      'a response of the provider': ask(`callback/plain?code=x&state=${fill(size, '%c3%a9')}`),
      'a link of an unknown provider': ask(
        `callback/unknown?token=${'x'.repeat(size / 2)}&email=${fill(size / 2, '%EF%B7%BA')}`,
      ),
      slashes: ask(fill(size, '/')),
      'dot segments': ask(fill(size, 'a/../')),
      'encoded slashes': ask(`signin/${fill(size, '%2f')}`),
    },
  ]
}

function signInUrls(): Inputs {
  const size = maxUrl - 200
  const each = Math.floor(size / (maxFields - 20))
  const ask = (query: string) => request(() => post(`signin/plain?${query}`, {}))
  return [
    ask(`a=${'x'.repeat(size - 2)}`),
    {
      'as many parameters as allowed': ask(count(size, '&', (n) => `${n}=${'x'.repeat(each - 6)}`)),
      'one name': ask(`${'a'.repeat(each - 2)}=&`.repeat(maxFields - 20)),
    },
  ]
}

async function tokens(): Promise<Inputs> {
  const salt = 'authjs.session-token'
  const secret = [
    ...Array.from({ length: 3 }, (_, n) => `an older secret, number ${n}, that is long enough`),
    app.secret,
  ]
  const pad = 'x'.repeat(44_000)
  const token = await encode({ token: { ...app.claims, pad }, secret: app.secret, salt })
  const size = token.length
  const [header = '', , iv = '', ciphertext = '', tag = ''] = token.split('.')
  const open = (bearer: string) => {
    const req = { headers: new Headers({ authorization: `Bearer ${bearer}` }) }
    return () => () => getToken({ req, secret, cookieName: salt })
  }
  const withHeader = (text: string, body = ciphertext) =>
    `${Buffer.from(text).toString('base64url')}..${iv}.${body}.${tag}`
  const short = ciphertext.slice(0, 1000)
  const deep = Math.floor(size * 0.36)
  return [
    open(token),
    {
      forged: open(`${header}..${iv}.${ciphertext}.${'A'.repeat(tag.length)}`),
      'no key named': open(withHeader('{"alg":"dir","enc":"A256CBC-HS512"}')),
      'the older encryption': open(
        `${Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url')}..${'A'.repeat(16)}.${ciphertext}.${'A'.repeat(22)}`,
      ),
      'a deeply nested header': open(
        withHeader(`{"alg":"dir","a":${'['.repeat(deep)}${']'.repeat(deep)}}`, short),
      ),
      'a header with many members': open(
        withHeader(`{"alg":"dir",${count(2 * deep, ',', (n) => `"${n}":1`)}}`, short),
      ),
      dots: open(fill(size, '.')),
      escapes: open(fill(size, '%41')),
      blanks: open(fill(size, ' ')),
      'characters outside base64url': open(`${header}..${iv}.${fill(size, '+')}.${tag}`),
    },
  ]
}

function headers(): Inputs {
  const size = 16_000
  const ask = (given: Record<string, string>) => {
    const init = { headers: { cookie: app.heldCookies, ...given } }
    return request(() => new Request(`${base}/session`, init))
  }
  return [
    ask({ 'x-pad': 'x'.repeat(size) }),
    {
      'a long Host': ask({ host: fill(size, 'a.') }),
      'a Host of brackets': ask({ host: `[${fill(size, ':')}` }),
      'many headers': ask(
        Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`x-${n}`, 'x'.repeat(20)])),
      ),
      'forwarded headers': ask({ forwarded: fill(size, 'for="'), 'x-forwarded-host': 'x' }),
    },
  ]
}

function contentTypes(): Inputs {
  const size = 16_000
  const send = (type: string) => {
    const init = { method: 'POST', headers: { cookie: app.heldCookies, 'content-type': type }, body: 'a=1' }
    return request(() => new Request(`${base}/signout`, init))
  }
  return [
    send(`text/plain;a=${'x'.repeat(size)}`),
    {
      parameters: send(fill(size, ';a=b')),
      blanks: send(fill(size, ' \t')),
    },
  ]
}

function addresses(): Inputs {
  const size = 16_000
  const email = { id: 'email', name: 'E-mail', type: 'email', sendVerificationRequest() {} } as const
  const providers = [email] as unknown as AuthConfig['providers']
  const { handler } = createAuth({ ...app.configure(), logger: silent, providers, adapter: memoryAdapter() })
  const send = (address: string) => {
    const pad = 'x'.repeat(Math.max(0, size - encodeURIComponent(address).length))
    return request(() => post('signin/email', { email: address, pad }), handler)
  }
  return [
    send('ada@example.com'),
    {
      'characters that normalise to several': send(`${'\ufdfa'.repeat(900)}@example.com`),
      'a domain of such characters': send(`ada@${'\ufdfa'.repeat(900)}.example`),
      'a domain in many scripts': send(
        `ada@${Array.from({ length: 900 }, (_, n) => String.fromCodePoint(0x4e00 + 7 * n)).join('')}.example`,
      ),
      'a domain of marks': send(`ada@a${'\u0301\u0316'.repeat(490)}.example`),
      'a name of marks': send(`${marks(480)}@example.com`),
      'a name of marks that become two': send(`a${'\u0344'.repeat(240)}${'\u0334'.repeat(240)}@example.com`),
      'a longer name of marks that become two': send(
        `a${'\u0344'.repeat(490)}${'\u0334'.repeat(490)}@example.com`,
      ),
      'a name of many rows of marks': send(`${marks(60).repeat(8)}@example.com`),
      'a domain of one label in Chinese': send(`ada@${chinese(480)}`),
      'a domain of labels in Chinese': send(`ada@${`${chinese(62)}.`.repeat(4)}example`),
      'labels of punycode': send(`ada@${fill(980, 'xn--a.')}example`),
      dots: send(`${fill(980, 'a.')}@example.com`),
      'at signs': send(fill(990, '@')),
      'encoded words of RFC 2047': send(`${fill(980, '=?')}@example.com`),
      blanks: send(`${' '.repeat(980)}a`),
      'longer than allowed': send('a'.repeat(15_000)),
    },
  ]
}

async function passkeys(): Promise<Inputs> {
  const { handler } = createAuth({
    ...app.configure(),
    logger: silent,
    providers: [Passkey],
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' },
    experimental: { enableWebAuthn: true },
  })
  const query = new URLSearchParams({ action: 'register', email: app.user.email })
  const url = `${base}/webauthn-options/passkey?${query}`
  const asked = await handler(new Request(url, { headers: { cookie: app.heldCookies } }))
  const { options } = (await asked.clone().json()) as { options: Options }
  const answer = openAuthenticator(app.origin).create(options)
  const size = maxBody - 6000
  const certificate = Buffer.alloc(23_000, Buffer.from([5, 0]))
  const attest = () => attestWithCertificate(certificate)
  const { response: certified } = openAuthenticator(app.origin).create(options, { id: answer.id, attest })
  const send = (response: object) => {
    const data = JSON.stringify({ ...answer, response: { ...answer.response, ...response } })
    return request(() => post('callback/passkey', { action: 'register', data }, cookiesOf(asked)), handler)
  }
  const clientData = Buffer.from(String(answer.response.clientDataJSON), 'base64url').toString()
  // The size that the limits allow. The rest is padding.
  const clientDataWith = (rest: string) => ({
    clientDataJSON: Buffer.from(`${clientData.slice(0, -1)},${rest}}`).toString('base64url'),
  })
  const bytes = 24 * 1024 - 100
  const attested = (start: readonly number[], pattern: readonly number[]) => ({
    attestationObject: Buffer.concat([
      Buffer.from(start),
      Buffer.alloc(bytes - start.length, Buffer.from(pattern)),
    ]).toString('base64url'),
  })
  // {"fmt": "packed", "attStmt": {"alg": -7, "sig": h'00', "x5c": [h'30..', …]}, …
  const packed = Buffer.from(
    'a363666d74667061636b65646761747453746d74a363616c67266373696741006378356399ffff',
    'hex',
  )
  return [
    send({ pad: 'x'.repeat(size) }),
    {
      'deeply nested CBOR': send(attested([], [0x81])),
      'CBOR maps in maps': send(attested([], [0xa1, 0x00])),
      'CBOR tags': send(attested([], [0xc0])),
      'a CBOR list of unknown length': send(attested([0x9b, 0, 0, 0, 255, 255, 255, 255, 255], [0x00])),
      'a CBOR map with many members': send(attested([0xb9, 0xff, 0xff], [0x19, 0x01, 0x02, 0x00])),
      'empty CBOR strings': send(attested([0x99, 0xff, 0xff], [0x60])),
      'a CBOR string of invalid UTF-8': send(attested([0x79, 0xff, 0x00], [0xff])),
      'a certificate of many elements': send(certified),
      'many certificates': send(attested([...packed], [0x43, 0x30, 0x01, 0x00])),
      'deeply nested client data': send(
        clientDataWith(`"a":${'['.repeat(bytes / 2 - 500)}${']'.repeat(bytes / 2 - 500)}`),
      ),
      'client data with many members': send(clientDataWith(count(bytes - 500, ',', (n) => `"${n}":1`))),
      'as many transports as allowed': send({
        transports: Array.from({ length: maxFields - 20 }, () => 'x'.repeat(80)),
      }),
    },
  ]
}

/** Responses of a provider during one sign-in, instead of the usual ones. */
type Answers = Readonly<Partial<Record<'discovery' | 'jwks' | 'token' | 'userinfo' | 'id_token', string>>>

async function responses(): Promise<Readonly<Record<string, Inputs>>> {
  const issuer = 'https://idp.test'
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    code_challenge_methods_supported: ['S256'],
  }
  const sign = (more: object, header: object = {}) =>
    new SignJWT({ ...app.user, ...more })
      .setProtectedHeader({ alg: 'RS256', kid: 'k', ...header })
      .setIssuer(issuer)
      .setAudience('client')
      .setSubject('1')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey)
  const signText = (payload: string) =>
    new CompactSign(new TextEncoder().encode(payload))
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .sign(privateKey)
  const signIn = (answers: Answers, idToken: string) => () => async () => {
    const documents: Readonly<Record<string, string>> = {
      '/.well-known/openid-configuration': answers.discovery ?? JSON.stringify(metadata),
      '/jwks': answers.jwks ?? JSON.stringify({ keys: [key] }),
      '/userinfo': answers.userinfo ?? JSON.stringify({ sub: '1', name: 'Ada' }),
      '/token':
        answers.token ??
        JSON.stringify({ access_token: 'a', token_type: 'bearer', id_token: answers.id_token ?? idToken }),
    }
    // Each sign-in has its own fetch function, so that no document is cached.
    const answer: typeof fetch = async (input) => {
      const { pathname } = new URL(input instanceof Request ? input.url : String(input))
      return new Response(documents[pathname] ?? '{}', { headers: { 'content-type': 'application/json' } })
    }
    const idp = { id: 'idp', name: 'Idp', type: 'oidc', issuer, clientId: 'client', clientSecret: 'secret' }
    const more = {
      checks: ['pkce'],
      idToken: answers.userinfo === undefined,
      profile: ({ sub, serial = sub, email }: Readonly<Record<string, string>>) => ({ id: serial, email }),
      [customFetch]: answer,
    }
    const providers = [{ ...idp, ...more }] as unknown as AuthConfig['providers']
    const { handler } = createAuth({ ...app.configure(), logger: silent, providers })
    const sent = await handler(post('signin/idp', {}))
    const headers = { cookie: `${app.heldCookies}; ${cookiesOf(sent)}` }
    return handler(new Request(`${base}/callback/idp?code=x`, { headers }))
  }
  const idToken = await sign({})
  const sized = (text: string) => `${text.slice(0, -1)},"pad":"${'x'.repeat(sizeLimit - text.length - 20)}"}`
  const size = sizeLimit - 3000
  const half = Math.floor(size / 2)
  const levels = `"a":${'['.repeat(half)}${']'.repeat(half)}`
  const members = count(size, ',', (n) => `"${n}":1`)
  const objects = `"a":[${fill(size - 20, '{},')}{}]`
  const numbers = `"a":[${fill(size - 20, '0,')}0]`
  const of = (name: keyof Answers, plain: object, others: Readonly<Record<string, string>> = {}): Inputs => {
    const text = JSON.stringify(plain)
    const shapes = { levels, members, objects, numbers }
    const attacks = Object.entries(shapes).flatMap(([shape, more]) => {
      const attack = `${text.slice(0, -1)},${more}}`
      return [
        [shape, attack],
        [`${shape}, after a byte order mark`, `\ufeff${attack}`],
      ]
    })
    const runs = [...attacks, ...Object.entries(others)].map(([shape, answer]) => [
      shape,
      signIn({ [name]: answer }, idToken),
    ])
    return [signIn({ [name]: sized(text) }, idToken), Object.fromEntries(runs) as Record<string, Prepare>]
  }
  const jwks = (keys: readonly object[]) => JSON.stringify({ keys })
  const modulus = (bits: number) => Buffer.alloc(bits / 8, 0xff).toString('base64url')
  const smallKey = { kty: 'RSA', kid: 'k', n: 'AQAB', e: 'AQAB' }
  const signature = `.${'A'.repeat(342)}`
  const forged = (header: string, payload: string) =>
    `${Buffer.from(header).toString('base64url')}.${Buffer.from(payload).toString('base64url')}${signature}`
  const room = Math.floor(longestJwt * 0.7)
  const inner = Math.floor(room / 2)
  const deep = `"a":${'['.repeat(inner)}${']'.repeat(inner)}`
  const tokenOf = async (id: Promise<string> | string) => ({
    access_token: 'a',
    token_type: 'bearer',
    id_token: await id,
  })
  return {
    'discovery document': of('discovery', metadata, {
      ...Object.fromEntries(
        Object.entries(hosts).flatMap(([name, host]) => [
          [`a token endpoint with ${name}`, JSON.stringify({ ...metadata, token_endpoint: host(size / 3) })],
          [
            `a short token endpoint with ${name}`,
            JSON.stringify({ ...metadata, token_endpoint: host(2000) }),
          ],
        ]),
      ),
      'lists of names': JSON.stringify({
        ...metadata,
        code_challenge_methods_supported: fill(size / 4, 'a').split(''),
      }),
    }),
    'key set': of(
      'jwks',
      { keys: [key] },
      {
        'keys of one id': jwks(Array.from({ length: size / 50 }, () => smallKey)),
        'keys of other ids': jwks(
          Array.from({ length: size / 60 }, (_, n) => ({ ...smallKey, kid: `k${n}` })),
        ),
        'a modulus of 16384 bits': jwks([{ kty: 'RSA', kid: 'k', n: modulus(16_384), e: modulus(64) }]),
        'an exponent of 3072 bits': jwks([{ kty: 'RSA', kid: 'k', n: modulus(3072), e: modulus(3072) }]),
        'a modulus as long as the response': jwks([
          { kty: 'RSA', kid: 'k', n: modulus(8 * 0.7 * size), e: 'AQAB' },
        ]),
      },
    ),
    'token response': of('token', await tokenOf(idToken)),
    'ID token': [
      signIn({ id_token: await sign({ pad: 'x'.repeat(room) }) }, idToken),
      {
        'deeply nested claims': signIn(
          { id_token: forged('{"alg":"RS256","kid":"k"}', `{${deep}}`) },
          idToken,
        ),
        'deeply nested claims, signed': signIn(
          { id_token: await signText(`{${deep},"iss":"${issuer}","aud":"client","sub":"1"}`) },
          idToken,
        ),
        'claims with many members': signIn(
          { id_token: await sign(JSON.parse(`{${count(room, ',', (n) => `"${n}":1`)}}`) as object) },
          idToken,
        ),
        'a deeply nested header': signIn({ id_token: forged(`{"alg":"RS256",${deep}}`, '{}') }, idToken),
        dots: signIn({ id_token: fill(size, '.') }, idToken),
        audiences: signIn({ id_token: await sign({ aud: fill(room / 4, 'a').split('') }) }, idToken),
      },
    ],
    userinfo: of(
      'userinfo',
      { sub: '1', name: 'Ada' },
      {
        'numbers that the id may come from': `{"sub":"1","serial":"${fill(255, '1e+')}","a":[${fill(90_000, '1e22,')}0]}`,
        'an e-mail address of marks': JSON.stringify({ sub: '1', email: `${marks(size / 2)}@example.com` }),
        'an e-mail address of Chinese labels': JSON.stringify({
          sub: '1',
          email: `ada@${chinese(size / 3)}`,
        }),
        'numbers, and a long id': `{"sub":"1","serial":"${fill(half, '1e+')}","a":[${fill(90_000, '1e22,')}0]}`,
      },
    ),
  }
}
