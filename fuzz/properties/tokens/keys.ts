import fc from 'fast-check'
import { UnsecuredJWT } from 'jose'
import { property, type Property } from '../property.ts'
import { sealClaims } from '../support/seal.ts'
import { secret, salt, salts, functionsOf, judge, now, row } from '../support/tokens.ts'

const secrets = fc.stringMatching(/^[\x21-\x7e]{32,48}$/)

export const tokenKeyProperties: readonly Property[] = [
  property({
    ...row,
    proves: ['JW-05', 'RO-04'],
    name: 'accepts a token only for its own purpose and secret',
    story: 'An attacker copies the state of an abandoned sign-in into the session cookie, and is signed in.',
    advice: 'Derive the key from both the secret and the purpose.',
    runs: 80,
    input: fc.record({ from: salts, to: salts, one: secrets, other: fc.option(secrets) }),
    async run(world, { from, to, one, other }) {
      const { encode, decode } = functionsOf(world)
      const token = await encode({ token: { sub: 'ada' }, secret: one, salt: from })
      const second = await encode({ token: { sub: 'ada' }, secret: other ?? one, salt: to })
      const isSame = from === to && (other === null || other === one)
      const { outcome, claims } = await judge(() => decode({ token, secret: other ?? one, salt: to }))
      world.check(
        'JW-05',
        isSame === (claims !== undefined),
        `a token for ${from} read for ${to} decodes to ${outcome}`,
      )
      const kid = (text: string): unknown => {
        const header: unknown = JSON.parse(
          Buffer.from(text.split('.')[0] ?? '', 'base64url').toString() || '{}',
        )
        return typeof header === 'object' && header !== null ? Reflect.get(header, 'kid') : undefined
      }
      if (!isSame && kid(token) !== undefined)
        world.check('RO-04', kid(token) !== kid(second), `${from} and ${to} have the same key`)
    },
  }),

  property({
    ...row,
    proves: ['JW-11'],
    name: 'accepts no token without a secret or under a wrong one',
    story: 'A deployment without a secret admits anyone who signs with an empty key.',
    advice: 'Refuse empty secrets anywhere, and use a single decoder.',
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
        'sealed with an empty key',
        'unsecured',
        'plain',
        'with an invalid signature',
        'under another secret',
        'encoded',
      ),
    }),
    async run(world, { empty, forged }) {
      const { decode, encode, getToken } = functionsOf(world)
      const payload = { sub: 'eve', iat: now(world), exp: now(world) + 1000, jti: 'x' }
      const text = JSON.stringify(payload)
      const token = await {
        'sealed with an empty key': () => sealClaims(text, '', salt),
        unsecured: () => new UnsecuredJWT(payload).encode(),
        plain: () => text,
        'with an invalid signature': async () => `${new UnsecuredJWT(payload).encode()}AAAA`,
        'under another secret': () => encode({ token: payload, secret: `${secret}.`, salt }),
        encoded: () => encode({ token: payload, secret: empty, salt }).catch(() => 'none'),
      }[forged]()
      const decoded = await judge(() => decode({ token, secret: empty, salt }))
      const isListed =
        Array.isArray(empty) && empty.includes(secret) && forged === 'encoded' && empty[0] === secret
      if (!isListed)
        world.check(
          'JW-11',
          decoded.claims === undefined,
          `with the secret ${JSON.stringify(empty)}, a token ${forged} is accepted`,
        )
      if (forged !== 'encoded') {
        const right = await judge(() => decode({ token, secret, salt }))
        world.check('JW-11', right.claims === undefined, `a token ${forged} is accepted`)
      }
      const req = { headers: { authorization: `Bearer ${encodeURIComponent(token)}` } }
      const read = await judge(() => getToken({ req, secret, salt, cookieName: salt }))
      if (forged !== 'encoded')
        world.check('JW-11', read.claims === undefined, `a token ${forged} is read from a header`)
    },
  }),

  property({
    ...row,
    proves: ['RO-05'],
    name: 'issues and accepts no tokens under a blank secret',
    story: 'An environment variable contains only a space, and everyone knows the key.',
    advice: 'Treat secrets of white space as empty, and refuse them anywhere.',
    runs: 30,
    reaches: { listed: 5 },
    input: fc.record({
      blank: fc.constantFrom(' ', '   ', '\t'),
      given: fc.constantFrom('as a string', 'in a list', 'after another'),
    }),
    async run(world, { blank, given }) {
      const { decode, encode } = functionsOf(world)
      const configured = { 'as a string': blank, 'in a list': [blank], 'after another': [secret, blank] }[
        given
      ]
      const payload = { sub: 'eve', iat: now(world), exp: now(world) + 1000, jti: 'x' }
      const what = `with the secret ${JSON.stringify(configured)}`
      const token = await sealClaims(JSON.stringify(payload), blank, salt)
      const opened = await judge(() => decode({ token, secret: configured, salt }))
      world.check('RO-05', opened.claims === undefined, `${what}, a token that anyone can forge is accepted`)
      if (given === 'after another') return world.reach('listed')
      const made = await judge(async () => ({
        token: await encode({ token: payload, secret: configured, salt }),
      }))
      world.check('RO-05', made.claims === undefined, `${what}, a token is issued`)
    },
  }),

  property({
    ...row,
    proves: ['RO-05'],
    name: 'does not replace an empty secret with the one in the environment',
    story:
      'A deployment with an empty secret shares its key with every other application in that environment.',
    advice: 'Read the environment only if no secret is configured.',
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
      world.check(
        'RO-05',
        made.claims === undefined,
        `with the secret ${JSON.stringify(empty)}, a token is issued`,
      )
      const environment = 'a secret of the environment, long enough'
      const token = await encode({ token: { sub: 'ada' }, secret: environment, salt })
      const req = { headers: { cookie: `${salt}=${token}` } }
      for (const read of [
        () => decode({ token, secret: empty, salt }),
        () => getToken({ req, secret: empty, salt, cookieName: salt }),
      ]) {
        const { claims } = await judge(read)
        world.check(
          'RO-05',
          claims === undefined,
          `with the secret ${JSON.stringify(empty)}, a token under the environment’s secret is accepted`,
        )
      }
    },
  }),
]
