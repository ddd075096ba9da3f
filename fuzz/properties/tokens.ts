import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { anyCharacter, anyText } from '../arbitraries/any-text.ts'
import { SignJWT, UnsecuredJWT } from 'jose'
import type { TokenFunctions } from '../targets/target.ts'
import type { World } from '../world/world.ts'
import { property, type Property } from './property.ts'
import { keyOf, sealAnyHeader, sealClaims } from './support/seal.ts'

type Claims = Readonly<Record<string, unknown>>

const secret = 'a secret of tokens that is long enough'
const salt = '__Secure-authjs.session-token'
const salts = fc.constantFrom(
  salt,
  'authjs.session-token',
  'encodedState',
  '__Secure-authjs.state',
  '',
  'x',
  'ü',
)
const secrets = fc.stringMatching(/^[\x21-\x7e]{32,48}$/)

/** Objects as JSON knows them, with names that trip up assignments. */
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

const functionsOf = ({ tokens }: World): TokenFunctions => {
  if (!tokens) throw new Error('a property over tokens runs without them')
  return tokens
}

/** What decoding comes to, in one word; only `null` is a refusal that everybody understands. */
async function judge(
  work: () => Promise<unknown>,
): Promise<{ readonly claims?: Claims; readonly told: string }> {
  try {
    const claims = await work()
    if (claims === null) return { told: 'null' }
    return typeof claims === 'object'
      ? { claims: claims as Claims, told: 'claims' }
      : { told: typeof claims === 'string' ? claims : typeof claims }
  } catch (error) {
    return { told: `a throw of ${error instanceof Error ? error.name : String(error)}` }
  }
}

const rest = (claims: Claims | undefined) =>
  Object.fromEntries(Object.entries(claims ?? {}).filter(([name]) => !['iat', 'exp', 'jti'].includes(name)))

const now = (world: World) => Math.floor(world.clock.now() / 1000)
const row = { needs: ['tokens'], setups: { jwt: { strategy: 'jwt', providers: ['alpha'] } } } as const

/** Ways to change a token that leave something like a token. */
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
  'one less': (token, at) => token.slice(0, at) + token.slice(at + 1),
  'one more': (token, at, to) => token.slice(0, at) + String.fromCharCode(33 + (to % 90)) + token.slice(at),
  'cut short': (token, at) => token.slice(0, at),
  'the end alone': (token, at) => token.slice(at + 1),
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
  'a key of its own': (token) =>
    token
      .split('.')
      .map((part, n) => (n === 1 ? 'AAAA' : part))
      .join('.'),
  'a sixth part': (token) => `${token}.AAAA`,
  'a sixth part that is empty': (token) => `${token}.`,
  padding: (token) => `${token}=`,
  'white space': (token) => ` ${token}\n`,
  twice: (token) => token + token,
}

export const tokenProperties: readonly Property[] = [
  property({
    ...row,
    proves: ['JW-01', 'JW-08'],
    name: 'what goes into a token comes out of it, with its own times and number',
    story: 'A claim is lost, or one that the caller put in passes for the expiry.',
    advice: 'Set iat, exp and jti after the payload; build objects without assigning to names.',
    runs: 150,
    input: fc.record({ text: payloads, salt: salts, maxAge: fc.integer({ min: 1, max: 10_000_000 }) }),
    async run(world, { text, salt: purpose, maxAge }) {
      const { encode, decode } = functionsOf(world)
      const payload = JSON.parse(text) as Claims
      const token = await encode({ token: payload, secret, salt: purpose, maxAge })
      const { claims, told } = await judge(() => decode({ token, secret, salt: purpose }))
      world.hold('JW-01', claims !== undefined, `a token of ${text} decodes to ${told}`)
      const [out, expected] = [rest(claims), rest(JSON.parse(JSON.stringify(payload)) as Claims)]
      world.hold('JW-01', isDeepStrictEqual(out, expected), `${text} comes back as ${JSON.stringify(claims)}`)
      const { iat, exp, jti } = claims ?? {}
      world.hold('JW-08', Number(iat) <= world.clock.now() / 1000, `iat is ${String(iat)}, later than now`)
      world.hold(
        'JW-01',
        iat === now(world) && exp === now(world) + maxAge,
        `iat and exp are ${String(iat)} and ${String(exp)}`,
      )
      const second = await encode({ token: payload, secret, salt: purpose, maxAge })
      const again = await judge(() => decode({ token: second, secret, salt: purpose }))
      world.hold('JW-08', typeof jti === 'string' && jti !== again.claims?.jti, 'two tokens have one jti')
      world.hold(
        'JW-08',
        token.split('.')[2] !== second.split('.')[2],
        'two tokens have one initialization vector',
      )
    },
  }),
  property({
    ...row,
    proves: ['JW-02'],
    name: 'a token that was changed anywhere decodes to null',
    story:
      'Somebody changes a token bit by bit until it says what they want, or until the application breaks.',
    advice:
      'Authenticate all of the token, take canonical base64url alone, and answer null for everything else.',
    runs: 300,
    input: fc.record({
      how: fc.constantFrom(...Object.keys(changes)),
      // Of a thousand parts of the token; a floating-point number would be next to nothing mostly.
      at: fc.nat({ max: 999 }),
      to: fc.nat({ max: 1000 }),
    }),
    async run(world, { how, at, to }) {
      const { encode, decode } = functionsOf(world)
      const token = await encode({ token: { sub: 'ada', role: 'user' }, secret, salt })
      const place = how.includes('part') ? to * 7 + at : Math.floor((at / 1000) * token.length)
      const changed = changes[how]?.(token, place, to) ?? ''
      world.demand(changed !== token, 'nothing was changed')
      const { told } = await judge(() => decode({ token: changed, secret, salt }))
      world.hold('JW-02', told === 'null', `a token with ${how} decodes to ${told}`)
      const { claims } = await judge(() => decode({ token, secret, salt }))
      world.hold('JW-02', claims?.sub === 'ada', 'a token as it was made does not decode')
      for (const other of [undefined, null, 7, true, {}, [token]]) {
        const read = await judge(() => decode({ token: other, secret, salt }))
        world.hold('JW-02', read.told === 'null', `${JSON.stringify(other)} decodes to ${read.told}`)
      }
    },
  }),
  property({
    ...row,
    proves: ['JW-03', 'JW-02'],
    name: 'a token that is protected in another way is refused',
    story: 'Somebody picks an algorithm that needs no key, or one that keeps the server busy.',
    advice: 'Compare alg and enc with a list, and refuse zip and crit, before any key is derived.',
    runs: 150,
    input: fc.constantFrom(
      'JWS',
      'JWS with the key of tokens',
      'none',
      'A128GCM',
      'A192GCM',
      'A128CBC-HS256',
      'zip',
      'zip none',
      'zip of a kind that is none',
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
    ),
    async run(world, how) {
      const { decode } = functionsOf(world)
      const payload = { sub: 'ada', iat: now(world), exp: now(world) + 1000, jti: 'of-the-oracle' }
      const text = JSON.stringify(payload)
      const any = (header: object) => sealAnyHeader(text, secret, salt, header)
      const gcm = { alg: 'dir', enc: 'A256GCM' }
      const honest = await judge(async () =>
        decode({ token: await sealClaims(text, secret, salt), secret, salt }),
      )
      world.demand(honest.claims?.sub === 'ada', 'tokens of the ecosystem are none to it')
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
        'zip of a kind that is none': () => any({ ...gcm, zip: 'NONE' }),
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
      const { told, claims } = await judge(() => decode({ token, secret, salt }))
      world.hold('JW-03', claims === undefined, `a token with ${how} decodes to ${told}`)
      world.hold('JW-02', told === 'null', `a token with ${how} decodes to ${told}`)
    },
  }),
  property({
    ...row,
    proves: ['JW-04'],
    name: 'a token without an expiry, or after it, is none',
    story: 'A token that somebody copied once is good for ever.',
    advice:
      'Demand a finite exp, and compare it with the clock; tolerate 15 s at most, and only where that is said.',
    runs: 160,
    input: fc.oneof(
      fc
        .constantFrom(
          'absent',
          'null',
          '"4102444800"',
          'true',
          '[4102444800]',
          '{}',
          '1e400',
          '-1',
          '0',
          '""',
        )
        .map((exp) => ({ exp })),
      fc.integer({ min: -1_000_000, max: -16 }).map((late) => ({ late })),
      fc.integer({ min: 1, max: 1_000_000 }).map((late) => ({ late })),
      fc.integer({ min: 16, max: 1_000_000 }).map((nbf) => ({ nbf })),
    ),
    async run(world, input: { exp?: string; late?: number; nbf?: number }) {
      const { decode, encode } = functionsOf(world)
      const times =
        input.exp === undefined
          ? `,"exp":${now(world) + (input.late ?? 1000)}`
          : input.exp === 'absent'
            ? ''
            : `,"exp":${input.exp}`
      const begin = input.nbf === undefined ? '' : `,"nbf":${now(world) + input.nbf}`
      const token = await sealClaims(
        `{"sub":"ada","iat":${now(world)},"jti":"x"${times}${begin}}`,
        secret,
        salt,
      )
      const { told, claims } = await judge(() => decode({ token, secret, salt }))
      const isGood = input.late !== undefined && input.late > 0
      if (isGood) {
        world.demand(claims?.sub === 'ada', 'tokens of the ecosystem are none to it')
        return
      }
      world.hold('JW-04', claims === undefined, `a token with ${times}${begin} decodes to ${told}`)
      const own = await encode({ token: { sub: 'ada' }, secret, salt, maxAge: 100 })
      world.pass(100 + 16)
      const late = await judge(() => decode({ token: own, secret, salt }))
      world.hold('JW-04', late.claims === undefined, 'a token is good 16 s after its expiry')
    },
  }),
  property({
    ...row,
    proves: ['JW-05', 'RO-04'],
    name: 'a token is good for one purpose and one secret',
    story: 'The state of a sign-in that was broken off is put into the session cookie, and opens a session.',
    advice: 'Derive the key from the secret and the purpose both.',
    runs: 80,
    input: fc.record({ from: salts, to: salts, one: secrets, other: fc.option(secrets) }),
    async run(world, { from, to, one, other }) {
      const { encode, decode } = functionsOf(world)
      const token = await encode({ token: { sub: 'ada' }, secret: one, salt: from })
      const second = await encode({ token: { sub: 'ada' }, secret: other ?? one, salt: to })
      const isSame = from === to && (other === null || other === one)
      const { told, claims } = await judge(() => decode({ token, secret: other ?? one, salt: to }))
      world.hold(
        'JW-05',
        isSame === (claims !== undefined),
        `a token for ${from} read for ${to} decodes to ${told}`,
      )
      const kid = (text: string): unknown => {
        const header: unknown = JSON.parse(
          Buffer.from(text.split('.')[0] ?? '', 'base64url').toString() || '{}',
        )
        return typeof header === 'object' && header !== null ? Reflect.get(header, 'kid') : undefined
      }
      if (!isSame && kid(token) !== undefined)
        world.hold('RO-04', kid(token) !== kid(second), `the keys of ${from} and ${to} are one`)
    },
  }),
  property({
    ...row,
    proves: ['JW-07'],
    name: 'whatever headers hold, reading a token of them throws nothing',
    story: 'One request with a broken header takes a server down.',
    advice: 'Answer null for everything that is no token.',
    runs: 400,
    input: fc.record({
      place: fc.constantFrom('cookie', 'authorization', 'both', 'value', 'bearer'),
      text: fc.oneof(
        fc.string({
          unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
          maxLength: 60,
        }),
        fc.constantFrom(
          'Bearer %',
          'Bearer %E0%A4%A',
          'Bearer',
          'Bearer  ',
          'Bearer a.b.c',
          `${salt}=%`,
          `${salt}=`,
          `=;=;`,
          `${salt}.0=x`,
          `${salt}.0`,
          '%',
          '%ff',
          '....',
          'a.b.c.d.e',
          'e30.e30.e30.e30.e30',
        ),
        fc.stringMatching(/^[A-Za-z0-9_-]{0,20}(?:\.[A-Za-z0-9_-]{0,20}){1,6}$/),
      ),
      raw: fc.boolean(),
    }),
    async run(world, { place, text, raw }) {
      const { getToken, decode } = functionsOf(world)
      const headers: Record<string, string> = {
        ...((place === 'cookie' || place === 'both') && { cookie: text }),
        ...(place === 'value' && { cookie: `${salt}=${text}` }),
        ...((place === 'authorization' || place === 'both') && { authorization: text }),
        ...(place === 'bearer' && { authorization: `Bearer ${text}` }),
      }
      // What is cut off in the middle of an escape is in every case.
      const cutOff = { cookie: `${salt}=${text}%E2%8`, authorization: `Bearer ${text}%E2%8` }
      for (const req of [
        { headers },
        { headers: new Headers(headers) },
        { headers: { cookie: cutOff.cookie } },
        { headers: { authorization: cutOff.authorization } },
      ]) {
        const { told, claims } = await judge(() => getToken({ req, secret, cookieName: salt, salt, raw }))
        world.hold(
          'JW-07',
          raw ? !told.startsWith('a throw') : told === 'null',
          `the headers ${JSON.stringify(Object.fromEntries(new Headers(req.headers)))} give ${told}`,
        )
        world.hold('JW-07', claims === undefined, 'garbage gives claims')
      }
      const decoded = await judge(() => decode({ token: text, secret, salt }))
      world.hold('JW-07', decoded.claims === undefined, `${JSON.stringify(text)} decodes to claims`)
    },
  }),
  property({
    ...row,
    proves: ['JW-09', 'JW-01'],
    name: 'a token larger than any cookie jar is refused',
    story: 'One request with an enormous token keeps the server busy.',
    advice: 'Compare the length with a limit before anything else.',
    runs: 6,
    input: fc.integer({ min: 1200, max: 2000 }),
    async run(world, kilobytes) {
      const { decode, encode } = functionsOf(world)
      const ballast = 'x'.repeat(kilobytes * 1024)
      const text = JSON.stringify({ sub: 'ada', iat: now(world), exp: now(world) + 1000, jti: 'x', ballast })
      const tokens = [
        await sealClaims(text, secret, salt),
        `${await encode({ token: {}, secret, salt })}${ballast}`,
      ]
      for (const token of tokens) {
        const { told, claims } = await judge(() => decode({ token, secret, salt }))
        world.hold('JW-09', claims === undefined, `a token of ${kilobytes} KiB decodes to ${told}`)
      }
      const own = await encode({ token: { ballast }, secret, salt }).catch(() => undefined)
      const { told } = await judge(() => decode({ token: own, secret, salt }))
      world.hold(
        'JW-01',
        own === undefined || told === 'claims',
        `a token that was just made decodes to ${told}`,
      )
    },
  }),
  property({
    ...row,
    proves: ['JW-10'],
    name: 'tokens work in every year from 1970 to 2106, for every age',
    story: 'On one day in 2038 nobody can sign in, or nobody is signed out any more.',
    advice: 'Never take times through 32 bits.',
    needs: ['tokens', 'clock'],
    runs: 80,
    input: fc.record({
      moment: fc.oneof(
        fc.constantFrom(0, 1, 2 ** 31 - 2, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1),
        fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      ),
      maxAge: fc.oneof(
        fc.constantFrom(1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 1e12, 1e15),
        fc.integer({ min: 1, max: 10_000_000_000 }),
      ),
    }),
    async run(world, { moment, maxAge }) {
      const { encode, decode } = functionsOf(world)
      world.pass(moment - world.clock.now() / 1000)
      const token = await encode({ token: { sub: 'ada' }, secret, salt, maxAge })
      const { claims, told } = await judge(() => decode({ token, secret, salt }))
      world.hold(
        'JW-10',
        claims !== undefined,
        `a token of the second ${moment}, good for ${maxAge} s, decodes to ${told}`,
      )
      world.hold(
        'JW-10',
        claims?.iat === moment && claims.exp === moment + maxAge,
        `iat and exp are ${String(claims?.iat)} and ${String(claims?.exp)}`,
      )
      if (maxAge > 10_000_000_000) return
      world.pass(maxAge + 16)
      const late = await judge(() => decode({ token, secret, salt }))
      world.hold(
        'JW-10',
        late.claims === undefined,
        `a token of the second ${moment} is good after its expiry`,
      )
    },
  }),
  property({
    ...row,
    proves: ['JW-11', 'JW-07'],
    name: 'without a key, or with a wrong one, nothing is ever accepted',
    story: 'A deployment without its secret lets everybody in who signs with nothing.',
    advice: 'Refuse empty secrets, wherever they stand, and decode in one way alone.',
    runs: 100,
    input: fc.record({
      empty: fc.constantFrom<unknown>(
        '',
        undefined,
        null,
        0,
        false,
        [],
        [''],
        [undefined],
        ['', secret],
        [secret, ''],
        '   ',
        '\t',
        [' '],
        [secret, '  '],
      ),
      forged: fc.constantFrom(
        'under nothing',
        'under what is blank',
        'unsecured',
        'plain',
        'signed with nothing',
        'under another',
        'encoded',
      ),
    }),
    async run(world, { empty, forged }) {
      const { decode, encode, getToken } = functionsOf(world)
      const payload = { sub: 'eve', iat: now(world), exp: now(world) + 1000, jti: 'x' }
      const text = JSON.stringify(payload)
      const token = await {
        'under nothing': () => sealClaims(text, '', salt),
        'under what is blank': () => sealClaims(text, blankOf(empty), salt),
        unsecured: () => new UnsecuredJWT(payload).encode(),
        plain: () => text,
        'signed with nothing': async () => `${new UnsecuredJWT(payload).encode()}AAAA`,
        'under another': () => encode({ token: payload, secret: `${secret}.`, salt }),
        encoded: () => encode({ token: payload, secret: empty, salt }).catch(() => 'none'),
      }[forged]()
      const decoded = await judge(() => decode({ token, secret: empty, salt }))
      const isListed =
        Array.isArray(empty) && empty.includes(secret) && forged === 'encoded' && empty[0] === secret
      if (!isListed)
        world.hold(
          'JW-11',
          decoded.claims === undefined,
          `with ${JSON.stringify(empty) ?? 'no secret'} a token ${forged} is accepted`,
        )
      if (forged !== 'encoded') {
        const right = await judge(() => decode({ token, secret, salt }))
        world.hold('JW-11', right.claims === undefined, `a token ${forged} is accepted`)
      }
      const req = { headers: { authorization: `Bearer ${encodeURIComponent(token)}` } }
      const own = () => Promise.reject(new Error('a decoder that fails'))
      const good = await encode({ token: { sub: 'ada' }, secret, salt })
      const through = await judge(() =>
        getToken({
          req: { headers: { cookie: `${salt}=${good}` } },
          secret,
          salt,
          cookieName: salt,
          decode: own,
        }),
      )
      world.hold(
        'JW-11',
        through.claims === undefined,
        'where the given decoder fails, another one takes its place',
      )
      world.hold(
        'JW-07',
        through.told === 'null',
        `where the given decoder fails, it ends in ${through.told}`,
      )
      const read = await judge(() => getToken({ req, secret, salt, cookieName: salt }))
      if (forged !== 'encoded')
        world.hold('JW-11', read.claims === undefined, `a token ${forged} is read from a header`)
    },
  }),
  property({
    ...row,
    proves: ['JW-11', 'RO-05'],
    name: 'an empty secret is not made up for by the environment’s',
    story: 'A deployment whose secret is empty by mistake shares one with whatever else runs there.',
    advice: 'Look into the environment only when no secret is given.',
    needs: ['tokens', 'setup'],
    setups: {
      jwt: {
        strategy: 'jwt',
        providers: ['alpha'],
        env: { AUTH_SECRET: 'a secret of the environment, long enough' },
      },
    },
    runs: 10,
    input: fc.constantFrom<unknown>('', ' ', [], ['']),
    async run(world, empty) {
      const { decode, encode, getToken } = functionsOf(world)
      const made = await judge(async () => ({ token: await encode({ token: {}, secret: empty, salt }) }))
      world.hold('JW-11', made.claims === undefined, `with ${JSON.stringify(empty)} a token is made`)
      const environment = 'a secret of the environment, long enough'
      const token = await encode({ token: { sub: 'ada' }, secret: environment, salt })
      const req = { headers: { cookie: `${salt}=${token}` } }
      for (const read of [
        () => decode({ token, secret: empty, salt }),
        () => getToken({ req, secret: empty, salt, cookieName: salt }),
      ]) {
        const { claims } = await judge(read)
        world.hold(
          'RO-05',
          claims === undefined,
          `with ${JSON.stringify(empty)} the environment’s secret opens`,
        )
      }
    },
  }),
  property({
    ...row,
    proves: ['JW-12'],
    name: 'a token is looked for in the cookie, then in the header, under the documented name',
    story: 'A header that a page can set counts for more than the cookie of the user.',
    advice: 'Cookies first; Bearer exactly; the prefixed name only when the cookie is a secure one.',
    runs: 120,
    input: fc.record({
      cookie: fc.option(fc.constantFrom('plain', 'prefixed', 'own name')),
      pieces: fc.integer({ min: 1, max: 4 }),
      header: fc.option(fc.constantFrom('Bearer', 'bearer', 'BEARER', 'Basic', 'Token')),
      secureCookie: fc.boolean(),
      raw: fc.boolean(),
    }),
    async run(world, { cookie, pieces, header, secureCookie, raw }) {
      const { encode, getToken } = functionsOf(world)
      const names = {
        plain: 'authjs.session-token',
        prefixed: '__Secure-authjs.session-token',
        'own name': 'mine',
      }
      const wanted = cookie === 'own name' ? 'mine' : secureCookie ? names.prefixed : names.plain
      const inCookie = await encode({ token: { sub: 'ada' }, secret, salt: wanted })
      const inHeader = await encode({ token: { sub: 'bob' }, secret, salt: wanted })
      const size = Math.ceil(inCookie.length / pieces)
      const name = cookie === null ? '' : names[cookie]
      const parts = Array.from(
        { length: pieces },
        (_, n) => `${name}.${n}=${inCookie.slice(n * size, (n + 1) * size)}`,
      )
      const headers = {
        ...(cookie !== null && {
          cookie: pieces === 1 ? `a=b; ${name}=${inCookie}` : ['a=b', ...parts].join('; '),
        }),
        ...(header !== null && { authorization: `${header} ${inHeader}` }),
      }
      const req = new Request('https://app.example/', { headers })
      const found = await getToken({
        req,
        secret,
        secureCookie,
        raw,
        ...(cookie === 'own name' && { cookieName: 'mine' }),
      })
      const isThere = cookie !== null && name === wanted
      const expected = isThere ? 'ada' : header === 'Bearer' ? 'bob' : undefined
      const says = `with ${cookie ?? 'no'} cookie and ${header ?? 'no'} header, ${raw ? 'raw, ' : ''}it finds ${JSON.stringify(found)}`
      if (raw)
        world.hold('JW-12', found === { ada: inCookie, bob: inHeader, none: null }[expected ?? 'none'], says)
      else world.hold('JW-12', (found as Claims | null)?.sub === expected, says)
    },
  }),
]

/** The secret in a configuration that is none. */
function blankOf(secrets: unknown): string {
  return [secrets].flat().find((each): each is string => typeof each === 'string' && each.trim() === '') ?? ''
}

/** The token with more in its header, which its authentication does not cover. */
function withHeader(token: string, more: object): string {
  const [header = '', ...parts] = token.split('.')
  const read = JSON.parse(Buffer.from(header, 'base64url').toString()) as object
  return [Buffer.from(JSON.stringify({ ...read, ...more })).toString('base64url'), ...parts].join('.')
}
