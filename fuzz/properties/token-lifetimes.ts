import fc from 'fast-check'
import { property, type Property } from './property.ts'
import { sealClaims } from './support/seal.ts'
import { secret, salt, functionsOf, judge, now, row } from './support/tokens.ts'

export const tokenLifetimeProperties: readonly Property[] = [
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
]
