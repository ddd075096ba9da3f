import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import { anyCharacter, anyText } from '../../arbitraries/any-text.ts'
import { SignJWT, UnsecuredJWT } from 'jose'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { keyOf, sealAnyHeader, sealClaims } from '../support/seal.ts'
import { type Claims, secret, salt, salts, functionsOf, judge, now, row } from '../support/tokens.ts'

/** JSON objects, including names that break assignments. */
const payloads = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(
          '__proto__',
          'constructor',
          'toString',
          '',
          'sub',
          'iat',
          'exp',
          'jti',
          'nbf0',
          'a.b',
          'ünï',
          '💥',
          '\u0000',
        ),
        anyText(10),
      ),
      fc.json({ maxDepth: 4, stringUnit: anyCharacter }),
    ),
    { maxLength: 6 },
  )
  .map((members) => `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`)

const rest = (claims: Claims | undefined) =>
  Object.fromEntries(Object.entries(claims ?? {}).filter(([name]) => !['iat', 'exp', 'jti'].includes(name)))

/** Changes that keep the shape of a token, or parts of it. */
const changes: Readonly<Record<string, (token: string, at: number, to: number) => string>> = {
  'another character': (token, at, to) => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ %é'
    return token.slice(0, at) + (letters[to % letters.length] ?? '') + token.slice(at + 1)
  },
  'the next letter at the end of a part': (token, at) => {
    const ends = [...token].flatMap((letter, n) =>
      token[n + 1] === '.' || n === token.length - 1 ? (letter === '.' ? [] : [n]) : [],
    )
    const end = ends[at % ends.length] ?? 0
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    return token.slice(0, end) + (letters[letters.indexOf(token[end] ?? '') ^ 1] ?? '') + token.slice(end + 1)
  },
  'one character less': (token, at) => token.slice(0, at) + token.slice(at + 1),
  'one character more': (token, at, to) =>
    token.slice(0, at) + String.fromCharCode(33 + (to % 90)) + token.slice(at),
  truncated: (token, at) => token.slice(0, at),
  'only its end': (token, at) => token.slice(at + 1),
  'two parts swapped': (token, at, to) => {
    const parts = token.split('.')
    const [a, b] = [at % parts.length, to % parts.length]
    return parts.map((part, n) => parts[n === a ? b : n === b ? a : n] ?? part).join('.')
  },
  'a part emptied': (token, at) =>
    token
      .split('.')
      .map((part, n) => (n === at % 5 ? '' : part))
      .join('.'),
  'an encrypted key': (token) =>
    token
      .split('.')
      .map((part, n) => (n === 1 ? 'AAAA' : part))
      .join('.'),
  'a sixth part': (token) => `${token}.AAAA`,
  'an empty sixth part': (token) => `${token}.`,
  padding: (token) => `${token}=`,
  'white space': (token) => ` ${token}\n`,
  twice: (token) => token + token,
}

const modifications = fc.record({
  how: fc.constantFrom(...Object.keys(changes)),
  // Thousandths of the token; a floating-point position would mostly be close to zero.
  at: fc.nat({ max: 999 }),
  to: fc.nat({ max: 1000 }),
})

/** The meaning of a modified token whose claims changed. */
const forged = {
  story: 'An attacker flips bits of a token until its claims change.',
  observed: 'another user',
} as const

export const tokenProperties: readonly Property[] = [
  property({
    ...row,
    proves: ['JW-01', 'JW-08'],
    name: 'returns a token’s claims unchanged when decoding, with its own iat, exp and jti',
    story: 'A claim is lost, or one from the caller overrides the expiry.',
    advice: 'Set iat, exp and jti after the payload, and build objects without assigning by name.',
    runs: 150,
    input: fc.record({ text: payloads, salt: salts, maxAge: fc.integer({ min: 1, max: 10_000_000 }) }),
    async run(world, { text, salt: purpose, maxAge }) {
      const { encode, decode } = functionsOf(world)
      const payload = JSON.parse(text) as Claims
      const token = await encode({ token: payload, secret, salt: purpose, maxAge })
      const { claims, outcome } = await judge(() => decode({ token, secret, salt: purpose }))
      world.check('JW-01', claims !== undefined, `a token of ${text} decodes to ${outcome}`)
      const [out, expected] = [rest(claims), rest(JSON.parse(JSON.stringify(payload)) as Claims)]
      world.check('JW-01', isDeepStrictEqual(out, expected), `${text} decodes to ${JSON.stringify(claims)}`)
      const { iat, exp, jti } = claims ?? {}
      world.check('JW-08', Number(iat) <= world.clock.now() / 1000, `iat is ${String(iat)}, later than now`)
      world.check(
        'JW-01',
        iat === now(world) && exp === now(world) + maxAge,
        `iat and exp are ${String(iat)} and ${String(exp)}`,
      )
      const second = await encode({ token: payload, secret, salt: purpose, maxAge })
      const again = await judge(() => decode({ token: second, secret, salt: purpose }))
      world.check(
        'JW-08',
        typeof jti === 'string' && jti !== again.claims?.jti,
        'two tokens have the same jti',
      )
      world.check(
        'JW-08',
        token.split('.')[2] !== second.split('.')[2],
        'two tokens have the same initialization vector',
      )
    },
  }),

  property({
    ...row,
    proves: ['JW-02'],
    name: 'never decodes a modified token',
    story: 'A token has several spellings, so that a list of revoked or used tokens misses some of them.',
    advice: 'Authenticate the whole token, and accept only canonical base64url.',
    runs: 300,
    input: modifications,
    async run(world, modification) {
      const { read, how } = await modify(world, modification)
      const isSame = read.claims?.sub === 'ada' && read.claims['role'] === 'user'
      world.check(
        'JW-02',
        read.claims === undefined || isSame,
        `a token with ${how} decodes to other claims`,
        forged,
      )
      world.check('JW-02', read.claims === undefined, `a token with ${how} decodes to the same claims`)
    },
  }),

  property({
    ...row,
    proves: ['JW-02'],
    name: 'decodes a modified token to null',
    story: 'A modified token causes an exception, and every page of its browser fails.',
    advice: 'Return null for everything that is not one of your tokens.',
    runs: 300,
    input: modifications,
    async run(world, modification) {
      const { token, read: modified, how } = await modify(world, modification)
      world.check('JW-02', modified.outcome === 'null', `a token with ${how} decodes to ${modified.outcome}`)
      const { decode } = functionsOf(world)
      const { claims } = await judge(() => decode({ token, secret, salt }))
      world.check('JW-02', claims?.sub === 'ada', 'an unmodified token does not decode')
      for (const other of [undefined, null, 7, true, {}, [token]]) {
        const read = await judge(() => decode({ token: other, secret, salt }))
        world.check('JW-02', read.outcome === 'null', `${JSON.stringify(other)} decodes to ${read.outcome}`)
      }
    },
  }),

  property({
    ...row,
    proves: ['JW-03', 'JW-02'],
    name: 'rejects a token with another algorithm or encryption',
    story: 'An attacker chooses an algorithm that needs no key, or one that keeps the server busy.',
    advice: 'Check alg and enc against a list, and reject zip and crit, before you derive any key.',
    runs: 150,
    ...eachOf([
      'JWS',
      'JWS with the key of tokens',
      'none',
      'A128GCM',
      'A192GCM',
      'A128CBC-HS256',
      'zip',
      'zip none',
      'an unknown zip',
      'crit',
      'RSA1_5',
      'RSA-OAEP',
      'PBES2-HS256+A128KW',
      'PBES2-HS512+A256KW',
      'A256KW',
      'A256GCMKW',
      'ECDH-ES',
      'none in a JWE',
      'enc none',
      'no enc',
      'no alg',
      'alg array',
    ]),
    async run(world, how) {
      const { decode } = functionsOf(world)
      const payload = { sub: 'ada', iat: now(world), exp: now(world) + 1000, jti: 'of-the-oracle' }
      const text = JSON.stringify(payload)
      const any = (header: object) => sealAnyHeader(text, secret, salt, header)
      const gcm = { alg: 'dir', enc: 'A256GCM' }
      const honest = await judge(async () =>
        decode({ token: await sealClaims(text, secret, salt), secret, salt }),
      )
      world.assume(honest.claims?.sub === 'ada', 'the target does not read Auth.js tokens')
      const shorter = async (enc: string, bytes: number) => {
        const { CompactEncrypt } = await import('jose')
        return new CompactEncrypt(new TextEncoder().encode(text))
          .setProtectedHeader({ alg: 'dir', enc })
          .encrypt((await keyOf(secret, salt, 64)).subarray(0, bytes))
      }
      const made: Readonly<Record<string, () => Promise<string> | string>> = {
        JWS: () =>
          new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret)),
        'JWS with the key of tokens': async () =>
          new SignJWT(payload).setProtectedHeader({ alg: 'HS512' }).sign(await keyOf(secret, salt, 64)),
        none: () => new UnsecuredJWT(payload).encode(),
        A128GCM: () => shorter('A128GCM', 16),
        A192GCM: () => shorter('A192GCM', 24),
        'A128CBC-HS256': () => shorter('A128CBC-HS256', 32),
        zip: () => any({ ...gcm, zip: 'DEF' }),
        'an unknown zip': () => any({ ...gcm, zip: 'NONE' }),
        'zip none': () => sealClaims(text, secret, salt).then((token) => withHeader(token, { zip: '' })),
        crit: () => any({ ...gcm, crit: ['exp'], exp: 1 }),
        'none in a JWE': () => any({ ...gcm, alg: 'none' }),
        'enc none': () => any({ ...gcm, enc: 'none' }),
        'no enc': () => any({ alg: 'dir' }),
        'no alg': () => any({ enc: 'A256GCM' }),
        'alg array': () => any({ ...gcm, alg: ['dir'] }),
      }
      const token = await (
        made[how] ?? (() => any({ ...gcm, alg: how, p2c: 10_000, p2s: 'c2FsdA', epk: {} }))
      )()
      const { outcome, claims } = await judge(() => decode({ token, secret, salt }))
      world.check('JW-03', claims === undefined, `a token with ${how} decodes to ${outcome}`)
      world.check('JW-02', outcome === 'null', `a token with ${how} decodes to ${outcome}`)
    },
  }),
]

interface Modification {
  readonly how: string
  readonly at: number
  readonly to: number
}

/** Decodes a token after a modification. */
async function modify(world: World, { how, at, to }: Modification) {
  const { encode, decode } = functionsOf(world)
  const token = await encode({ token: { sub: 'ada', role: 'user' }, secret, salt })
  const place = how.includes('part') ? to * 7 + at : Math.floor((at / 1000) * token.length)
  const changed = changes[how]?.(token, place, to) ?? ''
  world.assume(changed !== token, 'nothing was changed')
  return { token, how, read: await judge(() => decode({ token: changed, secret, salt })) }
}

/** Adds header members to a token, which its authentication does not cover. */
function withHeader(token: string, more: object): string {
  const [header = '', ...parts] = token.split('.')
  const read = JSON.parse(Buffer.from(header, 'base64url').toString()) as object
  return [Buffer.from(JSON.stringify({ ...read, ...more })).toString('base64url'), ...parts].join('.')
}
