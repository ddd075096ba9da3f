import fc from 'fast-check'
import { secret } from '../../targets/configure.ts'
import { property, type Property } from '../property.ts'
import { demandUnnamedTokens } from '../support/revocations.ts'
import { sealAnyHeader } from '../support/seal.ts'
import { isSignedIn, readWith, sessionName } from '../support/sessions.ts'

export const tokenHeaderProperties: readonly Property[] = [
  property({
    proves: ['OI-09'],
    name: 'rejects a session token with unsupported critical headers',
    story: 'A token with special semantics is accepted as a plain one.',
    advice: 'Reject every token with `crit` in its header, before you derive any key.',
    needs: ['setup', 'clock'],
    setups: { jwt: { strategy: 'jwt' } },
    runs: 24,
    reaches: { 'such tokens are read': 12 },
    input: fc.record({
      crit: fc.constantFrom<unknown>(['exp'], ['b64'], ['x-of-nobody'], ['alg'], [''], [], null, 'exp', [1]),
      more: fc.constantFrom<object>({}, { exp: 1 }, { b64: true }, { 'x-of-nobody': 1 }),
    }),
    async run(world, { crit, more }) {
      demandUnnamedTokens(world)
      const browser = world.browser('ada')
      await browser.signIn('alpha', world.people.ada)
      const name = sessionName(world, browser)
      const now = Math.floor(world.clock.now() / 1000)
      const claims = JSON.stringify({
        sub: 'ada',
        name: 'ada',
        iat: now,
        exp: now + 1000,
        jti: 'of-the-oracle',
      })
      const plain = { alg: 'dir', enc: 'A256GCM' }
      const read = async (header: object) =>
        isSignedIn(await readWith(world, { [name]: await sealAnyHeader(claims, secret, name, header) }))
      world.assume(await read(plain), 'the target does not read Auth.js tokens')
      world.reach('such tokens are read')
      const header = { ...plain, ...more, crit }
      world.check(
        'OI-09',
        !(await read(header)),
        `a session token with ${JSON.stringify(header)} opens a session`,
      )
    },
  }),
]
