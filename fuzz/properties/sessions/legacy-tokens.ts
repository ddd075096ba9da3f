import fc from 'fast-check'
import { member } from '../../world/reply.ts'
import { property, type Property } from '../property.ts'
import { sealAnyHeader, sealClaims } from '../support/seal.ts'
import { now, salt, secret } from '../support/tokens.ts'

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
]
