import fc from 'fast-check'
import { member } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { demandUnnamedTokens } from '../support/revocations.ts'
import { sealAnyHeader, sealClaims } from '../support/seal.ts'
import { functionsOf, judge, now, salt, secret } from '../support/tokens.ts'

export const legacyTokenProperties: readonly Property[] = [
  property({
    proves: ['OPT-022'],
    name: 'refuses a legacy session token after the configured cut-off',
    story:
      'A migration ended long ago, and a format that shares a key with the current one is still accepted.',
    advice: 'Let the configuration set the date until which legacy tokens are accepted.',
    setups: {
      jwt: {
        strategy: 'jwt',
        providers: ['alpha'],
        config: { secret, jwt: { acceptLegacyTokens: false } },
      },
    },
    runs: 10,
    input: fc.record({ sub: fc.uuid(), maxAge: fc.integer({ min: 60, max: 86_400 }) }),
    async run(world, { sub, maxAge }) {
      demandUnnamedTokens(world)
      const text = JSON.stringify({ sub, name: 'Ada', iat: now(world), exp: now(world) + maxAge })
      const read = async (token: string) => {
        const headers = { cookie: `${salt}=${token}` }
        return world.send(new Request(`${world.origin}${world.basePath}/session`, { headers }))
      }
      const current = await read(await sealClaims(text, secret, salt))
      world.assume(member(current.json, 'user') !== undefined, 'a current token is not accepted')
      const legacy = await read(await sealAnyHeader(text, secret, salt, { alg: 'dir', enc: 'A256GCM' }))
      world.check('OPT-022', legacy.json === null, `an A256GCM token is accepted: ${legacy.text}`)
    },
  }),
  property({
    proves: ['OPT-022'],
    name: 'accepts legacy tokens until the configured moment, and from then on refuses them everywhere',
    story:
      'The end of a migration passes, and old tokens still open sessions, or users are signed out early.',
    advice: 'Compare the current time with the moment in milliseconds, wherever a token is read.',
    needs: ['setup', 'clock', 'tokens'],
    setups: { jwt: { strategy: 'jwt', providers: ['alpha'], config: { secret } } },
    runs: 30,
    reaches: { before: 5, at: 2, after: 5 },
    input: fc.record({
      sub: fc.uuid(),
      wait: fc.integer({ min: 1, max: 86_400 }),
      // Milliseconds until the moment.
      left: fc.constantFrom(60_000, 1000, 999, 1, 0, -1, -999, -1000, -60_000),
    }),
    async run(base, { sub, wait, left }) {
      demandUnnamedTokens(base)
      const acceptLegacyTokens = new Date(base.clock.now() + wait * 1000 + left)
      const world = await base.another(
        { strategy: 'jwt', providers: ['alpha'], config: { secret, jwt: { acceptLegacyTokens } } },
        'own',
      )
      const text = JSON.stringify({ sub, iat: now(world), exp: now(world) + 2 * wait + 60 })
      const token = await sealAnyHeader(text, secret, salt, { alg: 'dir', enc: 'A256GCM' })
      world.advance(wait)
      const headers = { cookie: `${salt}=${token}` }
      const read = await world.send(new Request(`${world.origin}${world.basePath}/session`, { headers }))
      const { decode, getToken } = functionsOf(world)
      const req = new Request(world.origin, { headers })
      const results = {
        'The session route': read.json,
        decode: await decode({ token, secret, salt, acceptLegacyTokens }),
        getToken: await getToken({ req, secret, secureCookie: true, acceptLegacyTokens }),
      }
      for (const [reader, result] of Object.entries(results)) {
        const says = `${reader} ${result === null ? 'refuses' : 'accepts'} a legacy token ${left} ms before the end`
        world.check('OPT-022', (result !== null) === left > 0, says)
      }
      const never = await decode({ token, secret, salt, acceptLegacyTokens: false })
      world.check('OPT-022', never === null, 'decode accepts a legacy token in spite of its parameter')
      const always = await decode({ token, secret, salt })
      world.check('OPT-022', always !== null, 'decode refuses a legacy token by default')
      const invalid = { token, secret, salt, acceptLegacyTokens: new Date(Number.NaN) }
      const { claims } = await judge(() => decode(invalid))
      world.check('OPT-022', claims === undefined, 'decode accepts a legacy token until an invalid date')
      world.reach(left > 0 ? 'before' : left === 0 ? 'at' : 'after')
    },
  }),
]
