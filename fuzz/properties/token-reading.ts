import fc from 'fast-check'
import { property, type Property } from './property.ts'
import { sealClaims } from './support/seal.ts'
import { type Claims, secret, salt, functionsOf, judge, now, row } from './support/tokens.ts'

export const tokenReadingProperties: readonly Property[] = [
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
    proves: ['JW-07', 'JW-11'],
    name: 'where the given decoder fails, there is no token, and no other decoder takes its place',
    story: 'An application decodes tokens by itself, and what it refuses is accepted all the same.',
    advice: 'Answer null for whatever a decoder throws.',
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
        throw new Error('a decoder that fails')
      }
      const decode = fails === 'throws' ? fail : async () => fail()
      const { told, claims } = await judge(() =>
        getToken({ req: { headers }, secret, salt, cookieName: salt, decode }),
      )
      world.hold('JW-11', claims === undefined, 'where the given decoder fails, another one takes its place')
      world.hold('JW-07', told === 'null', `where the given decoder ${fails}, it ends in ${told}`)
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
