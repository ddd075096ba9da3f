import fc from 'fast-check'
import { property, type Property } from '../property.ts'
import { sealClaims } from '../support/seal.ts'
import { secret, salt, functionsOf, judge, now, row } from '../support/tokens.ts'

export const tokenLifetimeProperties: readonly Property[] = [
  property({
    ...row,
    proves: ['JW-04'],
    name: 'rejects a token without an expiry, or after it',
    story: 'A copied token works forever.',
    advice:
      'Require a finite exp, and compare it with the clock. Tolerate at most 15 s, and only where documented.',
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
      const told = `${times || 'no "exp"'}${begin}`.replace(/^,/, '')
      const token = await sealClaims(
        `{"sub":"ada","iat":${now(world)},"jti":"x"${times}${begin}}`,
        secret,
        salt,
      )
      const { outcome, claims } = await judge(() => decode({ token, secret, salt }))
      const isGood = input.late !== undefined && input.late > 0
      if (isGood) {
        world.assume(claims?.sub === 'ada', 'the target does not read Auth.js tokens')
        return
      }
      world.check('JW-04', claims === undefined, `a token with ${told} decodes to ${outcome}`)
      const own = await encode({ token: { sub: 'ada' }, secret, salt, maxAge: 100 })
      world.advance(100 + 16)
      const late = await judge(() => decode({ token: own, secret, salt }))
      world.check('JW-04', late.claims === undefined, 'a token is accepted 16 s after its expiry')
    },
  }),

  property({
    ...row,
    proves: ['JW-10'],
    name: 'accepts tokens in every year from 1970 to 2106, with every maxAge',
    story: 'On a day in 2038 nobody can sign in, or sessions no longer end.',
    advice: 'Never store times in 32 bits.',
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
      world.advance(moment - world.clock.now() / 1000)
      const token = await encode({ token: { sub: 'ada' }, secret, salt, maxAge })
      const { claims, outcome } = await judge(() => decode({ token, secret, salt }))
      world.check(
        'JW-10',
        claims !== undefined,
        `a token issued at ${moment} s, valid for ${maxAge} s, decodes to ${outcome}`,
      )
      world.check(
        'JW-10',
        claims?.iat === moment && claims.exp === moment + maxAge,
        `iat and exp are ${String(claims?.iat)} and ${String(claims?.exp)}`,
      )
      if (maxAge > 10_000_000_000) return
      world.advance(maxAge + 16)
      const late = await judge(() => decode({ token, secret, salt }))
      world.check(
        'JW-10',
        late.claims === undefined,
        `a token issued at ${moment} s is accepted after its expiry`,
      )
    },
  }),
]
