import fc from 'fast-check'
import { UnsecuredJWT } from 'jose'
import { property, type Property } from './property.ts'
import { sealClaims } from './support/seal.ts'
import { secret, salt, salts, functionsOf, judge, now, row } from './support/tokens.ts'

const secrets = fc.stringMatching(/^[\x21-\x7e]{32,48}$/)

export const tokenKeyProperties: readonly Property[] = [
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
    proves: ['JW-11'],
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
      ),
      forged: fc.constantFrom(
        'under nothing',
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
      const read = await judge(() => getToken({ req, secret, salt, cookieName: salt }))
      if (forged !== 'encoded')
        world.hold('JW-11', read.claims === undefined, `a token ${forged} is read from a header`)
    },
  }),

  property({
    ...row,
    proves: ['RO-05'],
    name: 'under a blank secret no token is made, and none is opened',
    story: 'A line of the environment has nothing but a blank behind its name, and everybody knows the key.',
    advice: 'Refuse secrets of white space alone as empty ones, wherever they stand.',
    runs: 30,
    reaches: { listed: 5 },
    input: fc.record({
      blank: fc.constantFrom(' ', '   ', '\t'),
      given: fc.constantFrom('alone', 'in a list', 'behind another'),
    }),
    async run(world, { blank, given }) {
      const { decode, encode } = functionsOf(world)
      const asked = { alone: blank, 'in a list': [blank], 'behind another': [secret, blank] }[given]
      const payload = { sub: 'eve', iat: now(world), exp: now(world) + 1000, jti: 'x' }
      const what = `with the secret ${JSON.stringify(asked)}`
      const token = await sealClaims(JSON.stringify(payload), blank, salt)
      const opened = await judge(() => decode({ token, secret: asked, salt }))
      world.hold('RO-05', opened.claims === undefined, `${what} a token is opened that anybody can make`)
      if (given === 'behind another') return world.reach('listed')
      const made = await judge(async () => ({ token: await encode({ token: payload, secret: asked, salt }) }))
      world.hold('RO-05', made.claims === undefined, `${what} a token is made`)
    },
  }),

  property({
    ...row,
    proves: ['RO-05'],
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
      world.hold('RO-05', made.claims === undefined, `with ${JSON.stringify(empty)} a token is made`)
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
]
