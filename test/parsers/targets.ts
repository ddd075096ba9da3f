import { hkdfSync } from 'node:crypto'
import { parseCookie } from 'cookie'
import { CompactEncrypt } from 'jose'
import { systemPlatform } from '../../src/platform/clock.ts'
import { readChunked } from '../../src/cookies/chunks.ts'
import { decodePercent, parseCookies } from '../../src/cookies/parse-cookies.ts'
import { decodeBase64url, encodeBase64url } from '../../src/crypto/bytes.ts'
import { canonicaliseAddress, canonicaliseClaim } from '../../src/text/email-address.ts'
import { defaultRedirect, parseCallbackUrl } from '../../src/http/callback-url.ts'
import { isHost } from '../../src/text/host.ts'
import { parseBody } from '../../src/http/parse-body.ts'
import { parseRoute, parseVisit } from '../../src/http/parse-visit.ts'
import type { Refused, Visit } from '../../src/http/visit.ts'
import { expectIssuer } from '../../src/oauth/id-token.ts'
import { readProviderError, tellProviderError } from '../../src/oauth/provider-error.ts'
import { readJson, UnusableResponse } from '../../src/oauth/outbound-fetch.ts'
import { findExcessInText, maxJsonDepth } from '../../src/http/limits.ts'
import { createKeyring } from '../../src/token/keyring.ts'
import {
  dropStatement,
  isCheapAttestation,
  isCheapAuthenticatorData,
} from '../../src/webauthn/attestation.ts'
import { parseCredential } from '../../src/webauthn/credential.ts'
import { httpSettings } from '../http/settings.ts'

/** A parser, and the invariants for any input. */
export interface Target {
  /** Valid inputs, from which mutations start. */
  readonly seeds: readonly string[]
  /** Pieces of its syntax. */
  readonly words: readonly string[]
  /** @returns the outcome in a word or two @throws if an invariant is violated */
  readonly run: (input: string) => string | Promise<string>
}

/** The files whose branches the inputs are to reach. */
export const parserFiles = [
  'src/cookies/chunks.ts',
  'src/cookies/parse-cookies.ts',
  'src/text/email-address.ts',
  'src/text/host.ts',
  'src/http/callback-url.ts',
  'src/http/limits.ts',
  'src/http/parse-body.ts',
  'src/http/parse-visit.ts',
  'src/oauth/outbound-fetch.ts',
  'src/oauth/provider-error.ts',
  'src/token/compact.ts',
  'src/token/decrypt-token.ts',
  'src/webauthn/attestation.ts',
  'src/webauthn/credential.ts',
]

const site = 'https://app.test'
const form = 'application/x-www-form-urlencoded'
const settings = httpSettings()
const name = '__Secure-authjs.session-token'
const escapes = [
  '%',
  '%4',
  '%41',
  '%2f',
  '%00',
  '%ff',
  '%c3%a9',
  '%e2%82%ac',
  '%ed%a0%80',
  '%f4%90%80%80',
  '%C0%80',
]
const json = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\\u',
  '\\ud800',
  'null',
  '1e999',
  '-0',
  '"a":',
  '"__proto__":',
  ' ',
]
const odd = [
  '\0',
  '\t',
  '\r\n',
  '\u00a0',
  '\u202e',
  '\ufeff',
  '\ufdfa',
  '\u0130',
  '\u212a',
  '\ud800',
  '😀',
  'ß',
  '。',
]

// The same token in each process, since the corpus records its outcome.
const parserSecret = 'a secret of the parsers, long enough for anybody'
const keys = createKeyring([parserSecret], {
  randomBytes: (length) => new Uint8Array(length).fill(7),
})
const options = { salt: name, now: 0 }
const token = await keys.seal({ sub: '1', name: 'Ada' }, { ...options, maxAge: 60 })
const [cbcKey, gcmKey] = [64, 32].map((length) => {
  const info = `Auth.js Generated Encryption Key (${name})`
  return new Uint8Array(hkdfSync('sha256', parserSecret, name, info, length))
})
/** A token with this text, encrypted as a holder of the secret would. The text need not be claims. */
const sealText = (text: string, isLegacy: boolean) =>
  new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'dir', enc: isLegacy ? 'A256GCM' : 'A256CBC-HS512' })
    .encrypt((isLegacy ? gcmKey : cbcKey) ?? new Uint8Array())
const encode = (text: string) => Buffer.from(text).toString('base64url')
const jwt = (claims: string) => `${encode('{"alg":"RS256"}')}.${encode(claims)}.AAAA`

const clientData = encode('{"type":"webauthn.create","challenge":"AAAA","origin":"https://app.test"}')
const attestation =
  'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVglAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAA'
/** A registration in a frame of another site. */
const framed = encode(
  '{"type":"webauthn.create","challenge":"AAAA","origin":"https://app.test","crossOrigin":true,"topOrigin":"https://other.test"}',
)
const registration = JSON.stringify({
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: clientData, attestationObject: attestation, transports: ['usb'] },
})

const assertion = JSON.stringify({
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: {
    clientDataJSON: encode('{"type":"webauthn.get","challenge":"AAAA","origin":"https://app.test"}'),
    authenticatorData: 'AAAA',
    signature: 'AAAA',
    userHandle: 'AAAA',
  },
})

/** @throws if the condition is false */
function hold(holds: boolean, says: string): void {
  if (!holds) throw new Error(says)
}

/** Header values are bytes, without line breaks. */
function toHeader(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '_').trim()
}

async function readBody(body: string, type: string): Promise<string> {
  const headers = { 'content-type': type }
  const read = await parseBody(new Request(site, { method: 'POST', headers, body }), systemPlatform)
  if ('refused' in read) return `${read.status}`
  hold(Object.getPrototypeOf(read.members) === null, 'members have a prototype')
  JSON.stringify(read.members)
  return `${Math.min(3, Object.keys(read.members).length)} members, ${Math.min(2, read.duplicates.length)} twice`
}

function judgeVisit(request: Request): string {
  const visit = parseVisit(request, settings)
  if (visit instanceof Promise) throw new Error('a GET is not parsed synchronously')
  return tellVisit(visit)
}

function tellVisit(visit: Visit | Refused): string {
  return 'refused' in visit ? `${visit.status}` : `${visit.action} ${visit.providerId === undefined}`
}

export const targets: Readonly<Record<string, Target>> = {
  cookies: {
    seeds: ['a=1; b=2', `${name}.0=abc; ${name}.1=def`, `${name}=${token}`, '__Host-authjs.csrf-token=a%7Cb'],
    words: [
      ...escapes,
      '=',
      ';',
      '; ',
      `${name}.0=`,
      `${name}.1=x`,
      '__Host-',
      '__proto__=',
      '"',
      ',',
      ' ',
      '\t',
    ],
    run(input) {
      const header = toHeader(input)
      const cookies = parseCookies(header)
      if (cookies.tooMany) return 'too many'
      const expected = parseCookie(header)
      for (const each of cookies.names()) hold(cookies.get(each) === expected[each], `${each} differs`)
      const all = Object.keys(expected).filter((each) => each !== '')
      hold(all.length === cookies.names().length, 'names are missing')
      const joined = readChunked(cookies, name)
      judgeVisit(new Request(`${site}/auth/session`, { headers: { cookie: header } }))
      return `${Math.min(3, all.length)} names, ${cookies.names().some(cookies.isDuplicate)}, ${joined?.length === 0 || joined === undefined}`
    },
  },
  percent: {
    seeds: ['abc', '%41%e2%82%ac', '%f0%9f%98%80'],
    words: [...escapes, ...odd, '%e0', '%80', '%bf', '%f1'],
    run(input) {
      let expected: string | undefined
      try {
        expected = decodeURIComponent(input)
      } catch {}
      hold(decodePercent(input) === expected, 'decodeURIComponent disagrees')
      return expected === undefined ? 'malformed' : expected === input ? 'as it is' : 'decoded'
    },
  },
  form: {
    seeds: ['csrfToken=abc&email=a%40b.c', 'a=1&a=2', 'password=x+y%26'],
    words: [...escapes, '&', '=', '+', '&a=', '__proto__=', '?', ';', '[]'],
    run: (input) => readBody(input, form),
  },
  'JSON body': {
    seeds: ['{"csrfToken":"abc","json":true}', '{"data":{"a":[1,2,{}]}}'],
    words: [...json, ...odd],
    run: (input) => readBody(input, 'application/json'),
  },
  'JSON limits': {
    seeds: ['{"a":["\\"]",{}]}', '[[[]]]', `${'['.repeat(64)}${']'.repeat(64)}`],
    words: json,
    run(input) {
      const excess = findExcessInText(input, { values: 50 })
      if (excess !== undefined) return excess
      let value: unknown
      try {
        value = JSON.parse(input)
      } catch {
        return 'no JSON'
      }
      const isDeep = (each: unknown, levels: number): boolean =>
        typeof each === 'object' &&
        each !== null &&
        (levels > maxJsonDepth || Object.values(each).some((inner) => isDeep(inner, levels + 1)))
      hold(!isDeep(value, 1), 'it is too deep, and was accepted')
      return 'JSON'
    },
  },
  route: {
    seeds: ['/auth/session', '/auth/callback/github', '/auth/signin/', '/auth/webauthn-options/passkey'],
    words: [
      '/',
      '//',
      '.',
      '..',
      '%2f',
      '%2e',
      '\\',
      ';',
      '/auth',
      'signin',
      'callback',
      '__proto__',
      'SESSION',
    ],
    run(input) {
      const route = parseRoute(input, '/auth')
      if (!route) return 'none'
      const spelt = `/auth/${route.action}${route.providerId === undefined ? '' : `/${route.providerId}`}`
      hold(input === spelt || input === `${spelt}/`, 'the route has another spelling')
      return route.action
    },
  },
  URL: {
    seeds: ['/auth/session?a=1', '/auth/callback/github?code=x&state=y', '/auth/signin?callbackUrl=%2Fthere'],
    words: [...escapes, '/', '//', '?', '&', '#', '\\', '@', ':', '..', '/auth/', 'error=', 'callbackUrl='],
    run(input) {
      const url = URL.parse(`${site}/${input}`)
      return url ? judgeVisit(new Request(url.href.replace(/^https:\/\/[^/]*@/, 'https://'))) : 'no URL'
    },
  },
  request: {
    seeds: [
      'GET /auth/session\nhost: app.test',
      'POST /auth/signin/github\ncontent-type: application/x-www-form-urlencoded\n\ncsrfToken=a',
      'POST /auth/session\ncontent-type: application/json; charset=utf-8\ncontent-length: 9\n\n{"data":1}',
      'HEAD /auth/csrf\ncookie: a=1\nx-auth-return-redirect: 1',
    ],
    words: [
      ...escapes,
      'PUT ',
      'POST ',
      '/auth/',
      'signout',
      '\n',
      '\n\n',
      ':',
      'host: a b',
      'content-length: 999999',
      'content-type: text/plain',
      'content-type: application/json',
      'cookie: a=1;',
      'a&',
    ],
    async run(input) {
      const [head = '', ...rest] = input.split('\n\n')
      const [line = '', ...lines] = head.split('\n')
      const [method = '', path = ''] = line.split(' ')
      const url = URL.parse(path, site)
      if (!url || url.origin !== site) return 'no URL'
      let request: Request
      try {
        const headers = lines.map((each): [string, string] => {
          const colon = each.indexOf(':')
          return [each.slice(0, colon).trim(), toHeader(each.slice(colon + 1))]
        })
        const body = rest.length > 0 ? rest.join('\n\n') : null
        request = new Request(url, { method, headers, body })
      } catch {
        return 'no request'
      }
      return tellVisit(await parseVisit(request, settings))
    },
  },
  host: {
    seeds: ['app.test', 'app.test:3000', '[::1]:80', '127.0.0.1'],
    words: [
      '.',
      ':',
      '[',
      ']',
      '::',
      '/',
      '?',
      '#',
      '@',
      '\\',
      '%41',
      ' ',
      '_',
      '-',
      '0x7f',
      '65536',
      'xn--a',
      '。',
    ],
    run(input) {
      if (!isHost(input)) return 'refused'
      const url = URL.parse(`http://${input}/path?query`)
      if (!url) return 'no URL'
      hold(url.pathname === '/path' && url.search === '?query' && url.username === '', 'it changes the path')
      return 'host'
    },
  },
  'callback URL': {
    seeds: ['/there', 'https://app.test/there?a=b#c', 'https://other.test', '/a/../b'],
    words: [
      ...escapes,
      ...odd,
      '/',
      '//',
      '\\',
      '?',
      '#',
      '@',
      ':',
      'https://',
      'javascript:',
      'app.test',
      '.',
      '..',
    ],
    run(input) {
      const followed = defaultRedirect({ url: input, baseUrl: site })
      hold(followed === site || followed.startsWith(`${site}/`), `it redirects to ${followed}`)
      const parsed = parseCallbackUrl(input, site)
      if (parsed === undefined) return 'absent'
      hold(/^https?:\/\//.test(parsed), 'the scheme changes')
      hold(parseCallbackUrl(parsed, site) === parsed, 'it changes when it is parsed again')
      return new URL(parsed).origin === site ? 'own' : 'foreign'
    },
  },
  address: {
    seeds: ['ada@example.com', ' Ann@Bücher.example ', 'a.b+c@xn--bcher-kva.example'],
    words: [
      ...odd,
      '@',
      '.',
      '..',
      '"',
      '<',
      '>',
      ',',
      '(',
      ')',
      '=?',
      '%',
      '-',
      '_',
      '+',
      'xn--',
      '1',
      '\u0301',
    ],
    run(input) {
      const address = canonicaliseAddress(input)
      if (address === undefined) return 'none'
      hold(canonicaliseAddress(address) === address, 'it changes when it is parsed again')
      hold(/^[^\s@<>",]+@[a-z0-9.-]+$/.test(address), 'it is not canonical')
      hold(Buffer.byteLength(address) <= 254, 'it is too long')
      const claimed = canonicaliseClaim(input)
      hold(claimed === undefined || claimed === address, 'the address from a provider differs')
      return `${address === input ? 'as it is' : 'changed'}, ${claimed === undefined}`
    },
  },
  token: {
    seeds: [
      token,
      `${encode('{"alg":"dir","enc":"A256GCM"}')}..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA`,
    ],
    words: [
      '.',
      '..',
      '=',
      '-',
      '_',
      '+',
      'A',
      'AAAA',
      encode('{"alg":"dir"}'),
      encode('{"enc":"A256GCM","alg":"dir"}'),
    ],
    async run(input) {
      const opened = await keys.open(input, options)
      hold('refused' in opened || input === token, 'a forged token opens')
      return 'refused' in opened ? opened.refused : 'opened'
    },
  },
  claims: {
    seeds: [
      '{"sub":"1","iat":0,"exp":60,"jti":"a"}',
      '{"exp":60,"nbf":0}',
      'legacy {"sub":"1","exp":60}',
      '{"exp":-1}',
      '{"exp":60,"nbf":61}',
    ],
    words: [...json, ...odd, '"exp":', '"nbf":', '"iat":', '60', '1e3', '"60"', 'legacy '],
    async run(input) {
      const isLegacy = input.startsWith('legacy ')
      const text = isLegacy ? input.slice('legacy '.length) : input
      const opened = await keys.open(await sealText(text, isLegacy), options)
      if ('refused' in opened) return opened.refused
      const { exp, nbf = 0 } = opened.claims
      hold(Number(exp) > 0 && Number(nbf) <= 0, 'claims that are not in force open')
      hold(JSON.stringify(opened.claims) !== undefined, 'the claims are not JSON')
      return opened.isLegacy ? 'legacy' : 'opened'
    },
  },
  base64url: {
    seeds: ['AAAA', 'AQ', 'AAE', ''],
    words: ['A', 'Q', '-', '_', '=', '+', '/', 'é', '\0'],
    run(input) {
      const bytes = decodeBase64url(input)
      hold(bytes === undefined || encodeBase64url(bytes) === input, 'there are two spellings')
      return bytes ? 'bytes' : 'none'
    },
  },
  credential: {
    seeds: [registration, assertion, registration.replace(clientData, framed)],
    words: [
      ...json,
      ...odd,
      '"AAAA"',
      '"id":',
      '"response":',
      clientData,
      encode('{"crossOrigin":[[]]}'),
      '"userHandle":""',
      '"userHandle":1,',
      '"rawId":"',
      '"type":"public-key"',
      '"transports":[]',
    ],
    run(input) {
      const body = { action: input.includes('signature') ? 'authenticate' : 'register', data: input }
      const read = parseCredential({ body, duplicates: [] } as unknown as Visit)
      if (!read) return 'none'
      JSON.stringify(read)
      return `${read.crossOrigin}, ${read.topOrigin === undefined}, ${read.transports.length}`
    },
  },
  CBOR: {
    seeds: [attestation, encode('\xa0')],
    words: ['gQ', 'oA', '_w', 'AAAA', 'YA', 'mw', 'aGF1dGhEYXRh', 'WCU', 'wMDA'],
    run(input) {
      const bytes = Buffer.from(input, 'base64url')
      return `${isCheapAttestation(bytes)}, ${isCheapAuthenticatorData(bytes)}, ${dropStatement(input) !== undefined}`
    },
  },
  'provider response': {
    seeds: ['{"access_token":"a","token_type":"bearer"}', '{"keys":[{"kty":"RSA","n":"AQAB"}]}'],
    words: [...json, ...odd, 'text/html\n', 'application/problem+json; charset=utf-8\n'],
    async run(text) {
      const [type = '', input] = /^[a-z]+\/[^\n]*\n/.test(text)
        ? text.split('\n', 2)
        : ['application/json', text]
      const headers = { 'content-type': toHeader(type) }
      try {
        return typeof (await readJson(new Response(input, { headers })))
      } catch (error) {
        if (error instanceof UnusableResponse) return error.message
        throw error
      }
    },
  },
  'provider error': {
    seeds: [
      'Bearer error="invalid_token", error_description="expired"',
      '{"error":"invalid_client"}',
      '{"error":"invalid_grant","error_description":"the code aaa.bbb.ccc is used"}',
    ],
    words: [
      'error="',
      '"',
      '\\"',
      '\\',
      ',',
      'error_description="',
      ...json,
      ...odd,
      'a@b',
      '?x=',
      'A1'.repeat(20),
    ],
    async run(input) {
      const headers = { 'www-authenticate': toHeader(input) }
      const problem = await readProviderError(new Response(input, { status: 401, headers }))
      if (!problem) return 'none'
      const text = tellProviderError(problem, ['secret'])
      hold(/^[ -~…]*$/.test(text) && text.length < 2000, 'the log contains raw provider text')
      return `${typeof problem.error}, ${typeof problem.description}`
    },
  },
  'ID token': {
    seeds: [jwt('{"iss":"https://idp.test/1/","tid":"1"}')],
    words: ['.', encode('{"tid":"../"}'), encode('{"tid":{}}'), jwt('[]'), jwt('{"tid":"a/b"}'), '=', 'AAAA'],
    run(input) {
      const issuer = 'https://idp.test/{tenantid}/'
      const read = readIssuer(issuer, input)
      if (read instanceof UnusableResponse) return 'refused'
      hold(/^https:\/\/(?:idp\.test\/[\w-]+\/|issuer\.invalid)$/.test(read), `the issuer is ${read}`)
      return read.includes('idp.test') ? 'tenant' : 'none'
    },
  },
}

function readIssuer(issuer: string, idToken: string): string | UnusableResponse {
  try {
    return expectIssuer({ preset: { issuerTemplate: issuer } }, { issuer }, idToken)
  } catch (error) {
    if (error instanceof UnusableResponse) return error
    throw error
  }
}
