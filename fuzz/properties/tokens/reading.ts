import { inspect } from 'node:util'
import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { sealClaims } from '../support/seal.ts'
import { type Claims, secret, salt, functionsOf, judge, now, row } from '../support/tokens.ts'

export const tokenReadingProperties: readonly Property[] = [
  property({
    ...row,
    proves: ['JW-07'],
    name: 'reads a token from any headers without throwing',
    story: 'One request with a malformed header crashes a server.',
    advice: 'Return null for anything that is not a token.',
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
      // Every case includes a token that ends in the middle of an escape sequence.
      const cutOff = { cookie: `${salt}=${text}%E2%8`, authorization: `Bearer ${text}%E2%8` }
      for (const req of [
        { headers },
        { headers: new Headers(headers) },
        { headers: { cookie: cutOff.cookie } },
        { headers: { authorization: cutOff.authorization } },
      ]) {
        const { outcome, claims } = await judge(() => getToken({ req, secret, cookieName: salt, salt, raw }))
        world.check(
          'JW-07',
          raw ? !outcome.startsWith('an exception') : outcome === 'null',
          `the headers ${JSON.stringify(Object.fromEntries(new Headers(req.headers)))} return ${outcome}`,
        )
        world.check('JW-07', claims === undefined, 'garbage decodes to claims')
      }
      const decoded = await judge(() => decode({ token: text, secret, salt }))
      world.check('JW-07', decoded.claims === undefined, `${JSON.stringify(text)} decodes to claims`)
    },
  }),

  property({
    ...row,
    proves: ['JW-07', 'JW-11'],
    name: 'returns no token when a custom decoder fails',
    story: 'An application’s decoder rejects a token, and the library accepts it anyway.',
    advice: 'Return null when a decoder throws.',
    runs: 10,
    input: fc.record({
      fails: fc.constantFrom('throws', 'rejects'),
      place: fc.constantFrom('cookie', 'authorization'),
    }),
    async run(world, { fails, place }) {
      const { encode, getToken } = functionsOf(world)
      const good = await encode({ token: { sub: 'ada' }, secret, salt })
      const headers = place === 'cookie' ? { cookie: `${salt}=${good}` } : { authorization: `Bearer ${good}` }
      const fail = () => {
        throw new Error('the decoder failed')
      }
      const decode = fails === 'throws' ? fail : async () => fail()
      const { outcome, claims } = await judge(() =>
        getToken({ req: { headers }, secret, salt, cookieName: salt, decode }),
      )
      world.check('JW-11', claims === undefined, 'a token is accepted although the custom decoder fails')
      world.check(
        'JW-07',
        outcome === 'null',
        `when the custom decoder ${fails}, getToken returns ${outcome}`,
      )
    },
  }),

  property({
    ...row,
    proves: ['IL-03'],
    name: 'logs no token that it refuses',
    story: 'A log contains a session token that another service, or the same one a second later, accepts.',
    advice: 'Log the reason of a refusal, and never the token.',
    runs: 20,
    input: fc.record({
      refused: fc.constantFrom('under another secret', 'for another purpose', 'expired', 'cut off'),
      inCookie: fc.boolean(),
      hasDecoder: fc.boolean(),
    }),
    async run(world, { refused, inCookie, hasDecoder }) {
      const { decode, encode, getToken } = functionsOf(world)
      const sealed = await encode({
        token: { sub: 'ada' },
        secret: refused === 'under another secret' ? `${secret} once` : secret,
        salt: refused === 'for another purpose' ? 'x' : salt,
        maxAge: refused === 'expired' ? -60 : 60,
      })
      const token = refused === 'cut off' ? sealed.slice(0, -4) : sealed
      const logged: unknown[] = []
      const log = (...entry: readonly unknown[]) => void logged.push(...entry)
      const found = await getToken({
        req: { headers: inCookie ? { cookie: `${salt}=${token}` } : { authorization: `Bearer ${token}` } },
        secret,
        secureCookie: true,
        logger: { error: log, warn: log, debug: log },
        ...(hasDecoder && { decode: (params: never) => decode(params) }),
      })
      world.check('IL-03', found === null, `getToken accepts a token that is ${refused}`)
      const isLogged = inspect(logged, { depth: 5 }).includes(token.slice(-20))
      world.check('IL-03', !isLogged, `getToken logs a token that it refuses because it is ${refused}`)
    },
  }),

  property({
    ...row,
    proves: ['JW-09', 'JW-01'],
    name: 'rejects a token larger than a browser’s cookies can be',
    story: 'One request with an enormous token keeps the server busy.',
    advice: 'Compare the length with a limit first.',
    runs: 6,
    input: fc.integer({ min: 1200, max: 2000 }),
    async run(world, kilobytes) {
      const { decode, encode } = functionsOf(world)
      const padding = 'x'.repeat(kilobytes * 1024)
      const text = JSON.stringify({ sub: 'ada', iat: now(world), exp: now(world) + 1000, jti: 'x', padding })
      const tokens = [
        await sealClaims(text, secret, salt),
        `${await encode({ token: {}, secret, salt })}${padding}`,
      ]
      for (const token of tokens) {
        const { outcome, claims } = await judge(() => decode({ token, secret, salt }))
        world.check('JW-09', claims === undefined, `a token of ${kilobytes} KiB decodes to ${outcome}`)
      }
      const own = await encode({ token: { padding }, secret, salt }).catch(() => undefined)
      const { outcome } = await judge(() => decode({ token: own, secret, salt }))
      world.check('JW-01', own === undefined || outcome === 'claims', `a new token decodes to ${outcome}`)
    },
  }),

  property({
    ...row,
    proves: ['JW-12'],
    name: 'reads a token from the cookie first, then from the header, under the documented name',
    story: 'A header that a page can set overrides the user’s cookie.',
    advice: 'Read the cookie first, then exactly Bearer. Use the prefixed name only for a secure cookie.',
    runs: 120,
    input: fc.record({
      cookie: fc.option(fc.constantFrom('plain', 'prefixed', 'custom name')),
      chunks: fc.integer({ min: 1, max: 4 }),
      header: fc.option(fc.constantFrom('Bearer', 'bearer', 'BEARER', 'Basic', 'Token')),
      secureCookie: fc.boolean(),
      raw: fc.boolean(),
    }),
    async run(world, { cookie, chunks, header, secureCookie, raw }) {
      const { encode, getToken } = functionsOf(world)
      const names = {
        plain: 'authjs.session-token',
        prefixed: '__Secure-authjs.session-token',
        'custom name': 'mine',
      }
      const wanted = cookie === 'custom name' ? 'mine' : secureCookie ? names.prefixed : names.plain
      const inCookie = await encode({ token: { sub: 'ada' }, secret, salt: wanted })
      const inHeader = await encode({ token: { sub: 'bob' }, secret, salt: wanted })
      const size = Math.ceil(inCookie.length / chunks)
      const name = cookie === null ? '' : names[cookie]
      const parts = Array.from(
        { length: chunks },
        (_, n) => `${name}.${n}=${inCookie.slice(n * size, (n + 1) * size)}`,
      )
      const headers = {
        ...(cookie !== null && {
          cookie: chunks === 1 ? `a=b; ${name}=${inCookie}` : ['a=b', ...parts].join('; '),
        }),
        ...(header !== null && { authorization: `${header} ${inHeader}` }),
      }
      const req = new Request('https://app.example/', { headers })
      const found = await getToken({
        req,
        secret,
        secureCookie,
        raw,
        ...(cookie === 'custom name' && { cookieName: 'mine' }),
      })
      const isThere = cookie !== null && name === wanted
      const expected = isThere ? 'ada' : header === 'Bearer' ? 'bob' : undefined
      const says = `with ${cookie ?? 'no'} cookie and ${header ?? 'no'} header, ${raw ? 'raw, ' : ''}getToken returns ${JSON.stringify(found)}`
      if (raw)
        world.check('JW-12', found === { ada: inCookie, bob: inHeader, none: null }[expected ?? 'none'], says)
      else world.check('JW-12', (found as Claims | null)?.sub === expected, says)
    },
  }),
]
