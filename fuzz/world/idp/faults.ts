/** A new account whose address, which it owns, resembles that of Ada at alpha. */
const similar = (email: string) => (claims: Claims) => ({
  ...claims,
  sub: `owner of ${email.replace(/[^ -~]/g, '?')}`,
  email,
  email_verified: true,
  name: 'stranger',
  preferred_username: 'stranger',
})

/** A new account with a separate address, whose subject resembles that of Ada. */
const stranger = (name: string, change: (sub: string) => string) => (claims: Claims) => ({
  ...similar(addressAt(name, claims))(claims),
  sub: change(String(claims.sub).replace(/^[a-z]+/, 'ada')),
})

/** A subject of the maximum length, with this last character. */
const longest = (end: string) => `ada-at-alpha-${'x'.repeat(241)}${end}`

/** An address at a provider that belongs to none of the known people. */
const addressAt = (name: string, { sub }: Claims) =>
  `${name}@${String(sub).replace(/^.*-at-/, '')}.strangers.example`

/** Claims that users choose, and that need not be unique. */
const named = (text: string) => (claims: Claims) => ({
  ...claims,
  ...Object.fromEntries(chosenNames.map((each) => [each, text])),
})

const chosenNames = [
  'preferred_username',
  'name',
  'nickname',
  'username',
  'user_name',
  'login',
  'upn',
  'unique_name',
  'mail',
]

const markup = `stranger canaryquote"' onfocus=canaryscript x><img src=canarymarkup>`

const script = 'javascript:canaryscript()'

/** A new account with the address of Ada at alpha, which its owner did not prove. */
function withAddressOfAda(sub: string, verified: Claims) {
  return ({ email_verified: _, ...claims }: Claims): Claims => ({
    ...claims,
    sub,
    email: 'ada@alpha.example',
    ...verified,
  })
}

/** Claims that users can change at a provider, and that do not identify them. */
const changes = {
  'address-changed': (claims) => ({
    ...claims,
    email: 'changed@other.example',
    name: 'changed',
    preferred_username: 'changed',
  }),
  'address-of-bob': (claims) => ({
    ...claims,
    email: 'bob@alpha.example',
    email_verified: true,
    name: 'bob',
    preferred_username: 'bob',
  }),
  /** A new account with the address of Ada at alpha, which the provider did not verify. */
  'unverified-address-of-ada': withAddressOfAda('a-stranger', { email_verified: false }),
  /** Another account of the same person, with a separate address. */
  'second-account': (claims) => similar(addressAt('second', claims))(claims),
  /** The account of a newcomer, and an account whose user only enters that address. */
  newcomer: (claims) => similar(addressAt('newcomer', claims))(claims),
  'unverified-address-of-newcomer': (claims) => ({
    ...claims,
    email: addressAt('newcomer', claims),
    email_verified: false,
  }),
  'address-with-tag': similar('ada+1@alpha.example'),
  'address-with-dot': similar('a.da@alpha.example'),
  'address-in-full-width': similar('\uFF41da@alpha.example'),
  'address-with-accent': similar('\u00E1da@alpha.example'),
  'address-at-subdomain': similar('ada@mail.alpha.example'),
  'address-with-accent-in-domain': similar('ada@\u00E1lpha.example'),
  'address-with-invisible-letter': similar('a\u200Bda@alpha.example'),
  'address-as-a-pattern': similar('%a@alpha.example'),
  'address-within': similar('da@alpha.example'),
  'address-around': similar('ada@alpha.example.evil.example'),
  /** A new account of each person, without an address. */
  'without-address': ({ email: _, email_verified: __, ...claims }) => ({
    ...claims,
    sub: `nobody ${String(claims.sub)}`,
    name: 'stranger',
    preferred_username: 'stranger',
  }),
  'address-before-a-null': similar('ada@alpha.example\u0000.evil.example'),
  /** The names that a user chooses, with and without the address that the provider verified. */
  'names-of-ada': named('ada@alpha.example'),
  'names-of-ada-without-address': ({ email: _, email_verified: __, ...claims }) =>
    named('ada@alpha.example')(claims),
  'unverified-address-in-text': withAddressOfAda('a-second-stranger', { email_verified: 'false' }),
  'address-without-verification': withAddressOfAda('a-third-stranger', {}),
  'sub-of-ada-in-capitals': stranger('in-capitals', (sub) => sub.toUpperCase()),
  'sub-of-ada-after-a-space': stranger('after-a-space', (sub) => ` ${sub}`),
  'sub-of-ada-before-a-space': stranger('before-a-space', (sub) => `${sub} `),
  'sub-of-ada-before-a-null': stranger('before-a-null', (sub) => `${sub}\u0000`),
  'sub-of-ada-with-a-suffix': stranger('with-a-suffix', (sub) => `${sub}1`),
  'sub-of-ada-without-its-end': stranger('without-its-end', (sub) => sub.slice(0, -1)),
  'sub-of-ada-as-a-pattern': stranger('as-a-pattern', (sub) => sub.replace(/^ada/, '%')),
  'sub-of-ada-with-an-accent': stranger('with-an-accent', (sub) => sub.replace(/^a/, '\u00E1')),
  'sub-of-ada-in-full-width': stranger('in-full-width', (sub) => sub.replace(/^a/, '\uFF41')),
  /** Pairs of new accounts, whose subjects are equal if they are cut or read as numbers. */
  'sub-longest-first': stranger('longest-first', () => longest('1')),
  'sub-longest-second': stranger('longest-second', () => longest('2')),
  'sub-great-first': stranger('great-first', () => '104857600000000000017'),
  'sub-great-second': stranger('great-second', () => '104857600000000000042'),
  'sub-padded-first': stranger('padded-first', () => '70'),
  'sub-padded-second': stranger('padded-second', () => '0070'),
  'sub-exponential-first': stranger('exponential-first', () => '1000'),
  'sub-exponential-second': stranger('exponential-second', () => '1e3'),
  'sub-hexadecimal-first': stranger('hexadecimal-first', () => '160'),
  'sub-hexadecimal-second': stranger('hexadecimal-second', () => '0xa0'),
  'sub-fractional-first': stranger('fractional-first', () => '120'),
  'sub-fractional-second': stranger('fractional-second', () => '120.0'),
  /** What a page may show of an account that an attacker registered. An application may keep what it stored first. */
  'name-with-markup': (claims) => ({
    ...similar(addressAt('markup', claims))(claims),
    ...Object.fromEntries(
      ['name', 'preferred_username', 'nickname', 'given_name', 'family_name'].map((each) => [each, markup]),
    ),
    picture: `https://evil.example/"><img src=canarymarkup>`,
  }),
  'links-with-script': (claims) => ({
    ...similar(addressAt('links', claims))(claims),
    ...Object.fromEntries(
      ['picture', 'profile', 'website', 'url', 'avatar_url', 'blog'].map((each) => [each, script]),
    ),
  }),
  'address-with-markup': (claims) => similar(addressAt('"<img/src=canarymarkup>"', claims))(claims),
  /** A subject that the provider alpha gave to Ada. */
  'sub-of-ada': (claims) => ({ ...claims, sub: 'ada-at-alpha' }),
} satisfies Record<string, (claims: Claims) => Claims>

/** What identifies Bob, in an id_token only. */
const ofBob = (claims: Claims) => ({
  ...claims,
  sub: 'bob-at-alpha',
  email: 'bob@alpha.example',
  name: 'bob',
  preferred_username: 'bob',
})

/** Faults of claims: each maps the claims of a valid id_token. */
export const claimFaults = {
  ...changes,
  'id-token-of-bob': ofBob,
  'issuer-wrong': (claims) => ({ ...claims, iss: 'https://evil.example' }),
  'issuer-with-slash': (claims) => ({ ...claims, iss: `${String(claims.iss)}/` }),
  'issuer-in-capitals': (claims) => ({ ...claims, iss: String(claims.iss).toUpperCase() }),
  'issuer-prefix': (claims) => ({ ...claims, iss: `${String(claims.iss)}.evil.example` }),
  'issuer-within': (claims) => ({ ...claims, iss: `https://evil.example/${String(claims.iss)}` }),
  'issuer-missing': without('iss'),
  'audience-wrong': (claims) => ({ ...claims, aud: 'another-client' }),
  'audience-with-suffix': (claims) => ({ ...claims, aud: `${String(claims.aud)}-2` }),
  'audience-with-prefix': (claims) => ({ ...claims, aud: `other-${String(claims.aud)}` }),
  'audience-in-capitals': (claims) => ({ ...claims, aud: String(claims.aud).toUpperCase() }),
  'audience-cut': (claims) => ({ ...claims, aud: String(claims.aud).slice(0, 6) }),
  'audience-missing': without('aud'),
  'audience-extra': (claims) => ({ ...claims, aud: [claims.aud, 'another-client'] }),
  'audience-extra-azp-wrong': (claims) => ({
    ...claims,
    aud: [claims.aud, 'another-client'],
    azp: 'another-client',
  }),
  'audience-extra-azp-ours': (claims) => ({
    ...claims,
    aud: [claims.aud, 'another-client'],
    azp: claims.aud,
  }),
  'azp-wrong': (claims) => ({ ...claims, azp: 'another-client' }),
  'nonce-wrong': (claims) => ({ ...claims, nonce: 'bm9uY2Ugb2YgYW5vdGhlciB0cmFuc2FjdGlvbg' }),
  'nonce-cut': (claims) => ({ ...claims, nonce: String(claims.nonce).slice(0, 4) }),
  'nonce-empty': (claims) => ({ ...claims, nonce: '' }),
  'nonce-with-suffix': (claims) => ({ ...claims, nonce: `${String(claims.nonce)}x` }),
  'nonce-missing': without('nonce'),
  'nonce-unasked': (claims) => ({ ...claims, nonce: 'bm9ib2R5IGFza2VkIGZvciB0aGlz' }),
  expired: (claims) => ({ ...claims, exp: Number(claims.iat) - 31 }),
  'expired-long': (claims) => ({ ...claims, exp: Number(claims.iat) - 61 }),
  'expired-far': (claims) => ({ ...claims, exp: Number(claims.iat) - 600 }),
  'expired-within-tolerance': (claims) => ({ ...claims, exp: Number(claims.iat) - 28 }),
  'exp-missing': without('exp'),
  'exp-text': (claims) => ({ ...claims, exp: String(claims.exp) }),
  'nbf-future': (claims) => ({ ...claims, nbf: Number(claims.iat) + 32 }),
  'nbf-late': (claims) => ({ ...claims, nbf: Number(claims.iat) + 120 }),
  'nbf-far': (claims) => ({ ...claims, nbf: Number(claims.iat) + 600 }),
  'iat-far': (claims) => ({ ...claims, iat: Number(claims.iat) + 3600, exp: Number(claims.iat) + 7200 }),
  'iat-future': (claims) => ({ ...claims, iat: Number(claims.iat) + 31 }),
  'iat-within-tolerance': (claims) => ({ ...claims, iat: Number(claims.iat) + 30 }),
  'iat-missing': without('iat'),
  'sub-missing': without('sub'),
  'sub-empty': (claims) => ({ ...claims, sub: '' }),
  'sub-long': (claims) => ({ ...claims, sub: 'x'.repeat(256) }),
  'sub-longest': (claims) => ({ ...claims, sub: 'x'.repeat(255) }),
  'sub-number': (claims) => ({ ...claims, sub: 7 }),
  'sub-not-ascii': (claims) => ({ ...claims, sub: 'ann\u00e9' }),
  'sub-control': (claims) => ({ ...claims, sub: 'ann\u0000' }),
  'at-hash-missing': without('at_hash'),
  'at-hash-wrong': (claims) => ({ ...claims, at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }),
  'at-hash-number': (claims) => ({ ...claims, at_hash: 1 }),
  'c-hash-wrong': (claims) => ({ ...claims, c_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }),
} satisfies Record<string, (claims: Claims) => Claims>

/** Faults of the token response: each maps a valid one. */
export const tokenFaults = {
  'token-type-missing': without('token_type'),
  'token-type-mac': (body) => ({ ...body, token_type: 'mac' }),
  'token-type-dpop': (body) => ({ ...body, token_type: 'DPoP' }),
  'token-type-capitals': (body) => ({ ...body, token_type: 'BEARER' }),
  'access-token-missing': without('access_token'),
  'access-token-empty': (body) => ({ ...body, access_token: '' }),
  'access-token-number': (body) => ({ ...body, access_token: 7 }),
  'error-with-200': () => ({ error: 'invalid_grant' }),
  'error-beside-tokens': (body) => ({ ...body, error: 'server_error' }),
  'id-token-missing': without('id_token'),
  'id-token-number': (body) => ({ ...body, id_token: 7 }),
  'id-token-garbage': (body) => ({ ...body, id_token: 'not.a.jwt' }),
  'expires-in-text': (body) => ({ ...body, expires_in: '1800' }),
  'expires-in-empty': (body) => ({ ...body, expires_in: '' }),
  'expires-in-blank': (body) => ({ ...body, expires_in: ' ' }),
  'expires-in-words': (body) => ({ ...body, expires_in: '1800 seconds' }),
  'expires-in-zero': (body) => ({ ...body, expires_in: 0 }),
  'expires-in-negative': (body) => ({ ...body, expires_in: -5 }),
  'expires-in-missing': without('expires_in'),
  'expires-in-null': (body) => ({ ...body, expires_in: null }),
  'expires-in-list': (body) => ({ ...body, expires_in: [1800] }),
  'expires-in-endless': (body) => ({ ...body, expires_in: 'Infinity' }),
  'scope-array': (body) => ({ ...body, scope: ['openid'] }),
  'more-than-usual': (body) => ({
    ...body,
    refresh_token: 'a-refresh-token',
    session_state: 'a-session-state',
    refresh_expires_in: 1800,
    'not-before-policy': 0,
    user: 'canary-member',
    name: 'canary-member',
  }),
} satisfies Record<string, (body: Claims) => Claims>

/** Faults of the userinfo response. */
export const userinfoFaults = {
  ...changes,
  'userinfo-sub-in-capitals': (body) => ({ ...body, sub: String(body.sub).toUpperCase() }),
  'userinfo-sub-empty': (body) => ({ ...body, sub: '' }),
  'userinfo-of-bob': ofBob,
  'userinfo-sub-wrong': (body) => ({ ...body, sub: 'somebody-else' }),
  'userinfo-sub-missing': without('sub'),
} satisfies Record<string, (body: Claims) => Claims>

/** Faults of the discovery document. */
export const discoveryFaults = {
  'discovery-issuer-wrong': (body) => ({ ...body, issuer: 'https://evil.example' }),
  'discovery-issuer-with-slash': (body) => ({ ...body, issuer: `${String(body.issuer)}/` }),
  'discovery-issuer-missing': without('issuer'),
  'discovery-issuer-number': (body) => ({ ...body, issuer: 7 }),
} satisfies Record<string, (body: Claims) => Claims>

/** Faults of the authorization response: each maps the parameters of a valid one. */
export const responseFaults = {
  'iss-missing': edit((query) => query.delete('iss')),
  'iss-wrong': edit((query) => query.set('iss', 'https://evil.example')),
  'iss-with-slash': edit((query) => query.set('iss', `${query.get('iss') ?? ''}/`)),
  'iss-empty': edit((query) => query.set('iss', '')),
  'iss-twice': edit((query) => query.append('iss', query.get('iss') ?? '')),
  'state-wrong': edit((query) => query.set('state', 'c3RhdGUgb2YgYW5vdGhlciB0cmFuc2FjdGlvbg')),
  'state-missing': edit((query) => query.delete('state')),
  'state-empty': edit((query) => query.set('state', '')),
  'state-twice': edit((query) => query.append('state', query.get('state') ?? '')),
  'code-missing': edit((query) => query.delete('code')),
  'code-empty': edit((query) => query.set('code', '')),
  'code-twice': edit((query) => query.append('code', 'another')),
  'error-twice': edit((query) => ['access_denied', 'server_error'].forEach((e) => query.append('error', e))),
  'access-denied': edit((query) => replaceCode(query, 'access_denied')),
  'error-of-its-own': edit((query) => replaceCode(query, '<script>alert(1)</script>')),
  jarm: edit((query) => query.set('response', 'e30.e30.')),
  implicit: edit((query) => query.set('id_token', 'e30.e30.')),
} satisfies Record<string, (query: URLSearchParams) => URLSearchParams>

/** Faults of the signature and its header, implemented in sign-token.ts. */
export const signatureFaults = [
  'signature-flipped',
  'signature-missing',
  'signature-foreign',
  'foreign-without-kid',
  'alg-none',
  'alg-none-in-capitals',
  'alg-hs256-public-key',
  'alg-hs256-secret',
  'alg-unknown',
  'alg-missing',
  'alg-swapped',
  'alg-unregistered',
  'kid-absent',
  'kid-unknown',
  'key-withdrawn',
  'crit-header',
  'jwk-header',
  'jku-header',
  'x5c-header',
  'typ-of-access-token',
] as const

/** The token response contains the first id_token that this provider issued. */
export const replayFault = 'id-token-earlier'

/** Faulty responses of any endpoint, implemented in transport.ts. */
export const transportFaults = [
  'network-error',
  'hang',
  'slow',
  'html',
  'html-with-json-type',
  'json-with-html-type',
  'json-with-sequence-type',
  'empty',
  '204',
  '302',
  '307',
  '400',
  '400-busy',
  '400-echo',
  '500',
  '500-json',
  '503-json',
  'oversize',
  'truncated',
  'invalid-utf8',
  'array',
  'null',
] as const

export const endpoints = ['discovery', 'jwks', 'token', 'userinfo'] as const

export type Claims = Record<string, unknown>
export type Endpoint = (typeof endpoints)[number]
export type TransportFault = (typeof transportFaults)[number]
export type SignatureFault = (typeof signatureFaults)[number]

/** The name of a fault; a transport fault names its endpoint: `token:hang`. */
export type Fault =
  | keyof typeof claimFaults
  | keyof typeof tokenFaults
  | keyof typeof userinfoFaults
  | keyof typeof discoveryFaults
  | keyof typeof responseFaults
  | SignatureFault
  | typeof replayFault
  | `${Endpoint | 'push'}:${TransportFault}`

/** Applies the faults in the table to a value. */
export function applyFaults<T>(
  value: T,
  table: Readonly<Record<string, (value: T) => T>>,
  faults: ReadonlySet<Fault>,
): T {
  return [...faults].reduce(
    (changed, fault) => (Object.hasOwn(table, fault) ? (table[fault]?.(changed) ?? changed) : changed),
    value,
  )
}

function without(member: string): (value: Claims) => Claims {
  return (value) => Object.fromEntries(Object.entries(value).filter(([name]) => name !== member))
}

function edit(change: (query: URLSearchParams) => void): (query: URLSearchParams) => URLSearchParams {
  return (query) => {
    const copy = new URLSearchParams(query)
    change(copy)
    return copy
  }
}

function replaceCode(query: URLSearchParams, error: string): void {
  query.delete('code')
  query.set('error', error)
  query.set('error_description', 'canary-description')
  query.set('error_uri', 'https://evil.example/help')
}
