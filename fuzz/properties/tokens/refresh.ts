import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Setup } from '../../targets/setup.ts'
import { throwing, rejecting, losing } from '../../world/fault-plan.ts'
import type { Fault } from '../../world/idp/faults.ts'
import { openRace } from '../../world/race.ts'
import { usersOf } from '../../world/people.ts'
import { property, type Property } from '../property.ts'
import { count, scheduler } from '../support/races.ts'
import { expire, getAccessToken, refreshSetup, sentTokens } from '../support/refresh.ts'
import { textsOf } from '../support/texts.ts'

const needs = ['clock', 'store', 'setup'] as const
const setups = { database: refreshSetup }

const tenantsHost = 'https://login.microsoftonline.com'
const [ourTenant, theirTenant] = [
  '11111111-aaaa-4bbb-8ccc-000000000001',
  '22222222-aaaa-4bbb-8ccc-000000000002',
]
// The oracle knows users by their addresses, which are stored only where the tenant owns their domain.
const claimsOf = (tid: string) => ({ tid, iss: `${tenantsHost}/${tid}/v2.0`, xms_edov: true })

/** An application that admits users of every tenant of a provider. */
const tenants: Setup = {
  ...refreshSetup,
  preset: { alpha: 'microsoft-entra-id' },
  provider: { alpha: { issuer: `${tenantsHost}/common/v2.0` } },
  idp: {
    alpha: {
      issuer: `${tenantsHost}/common/v2.0`,
      metadata: {
        issuer: `${tenantsHost}/{tenantid}/v2.0`,
        authorization_response_iss_parameter_supported: false,
      },
      users: usersOf('alpha').map(({ sub, claims }) => ({
        sub,
        claims: { ...claims, ...claimsOf(ourTenant) },
      })),
    },
  },
}

/** Refresh tokens that look like a lock. */
const marks = fc.oneof(
  fc.constantFrom('refreshing:9999999999999:x', 'refreshing:0:x'),
  fc.tuple(fc.constantFrom('refreshing', 'lock', 'pending'), fc.nat()).map((parts) => `${parts.join(':')}:x`),
)

/** Texts with a special meaning in some store or application. */
const strangeTokens = fc.oneof(
  marks,
  fc.constantFrom('null', '0', 'claimed', 'locked:', '{"token":1}', ' x ', "'--"),
  fc.stringMatching(/^[ -~]{1,80}$/),
)

export const refreshProperties: readonly Property[] = [
  property({
    proves: ['RO-06'],
    name: 'sends a refresh token once, however many requests need the access token at the same time',
    story: 'Two requests send the same refresh token. The provider assumes a theft, and revokes all of them.',
    advice: 'Claim the refresh token in the store by a comparison before you send it.',
    needs,
    setups,
    runs: 40,
    reaches: { 'one process': 8, 'two processes': 8 },
    input: fc.record({ count, more: fc.nat({ max: 3 }), isApart: fc.boolean(), scheduler }),
    async run(world, input) {
      await expire(world)
      const other = input.isApart ? await world.another(refreshSetup, 'same') : world
      const race = openRace(input.scheduler)
      world.enter(race)
      const askers = Array.from({ length: input.count + input.more }, (_, n) => (n % 2 ? other : world))
      const tokens = await race.run(askers.map((asker) => () => getAccessToken(asker)))
      const later = await getAccessToken(world)
      world.check('RO-06', sentTokens(world).length === 1, `${sentTokens(world).length} refreshes were sent`)
      world.assume(later !== undefined, 'no refresh succeeded')
      world.check(
        'RO-06',
        tokens.every((token) => token === undefined || token === later),
        'somebody received an access token that is not the newest',
      )
      world.check('RO-06', tokens.includes(later), 'the refresh reached nobody who waited for it')
      world.reach(input.isApart ? 'two processes' : 'one process')
    },
  }),

  property({
    proves: ['RO-07', 'RO-09'],
    name: 'tries again after a temporary failure of a refresh, with the same token',
    story: 'The provider fails for a minute, and all users have to sign in again.',
    advice: 'Give up a refresh token only when the provider answers invalid_grant.',
    needs,
    setups,
    runs: 30,
    reaches: { recovered: 20, 'token:400-busy': 2 },
    input: fc.record({
      refreshToken: fc.oneof(fc.constant('the first token'), marks),
      fault: fc.constantFrom<Fault>(
        'token:500',
        'token:500-json',
        'token:503-json',
        'token:400-busy',
        'token:network-error',
        'token:html',
        'token:empty',
      ),
      times: fc.integer({ min: 1, max: 3 }),
      pause: fc.integer({ min: 1, max: 600 }),
    }),
    async run(world, { refreshToken, fault, times, pause }) {
      await expire(world, refreshToken)
      world.idps.alpha.misbehave(fault)
      for (let n = 0; n < times; n++) {
        const token = await getAccessToken(world).catch(() => undefined)
        world.check('RO-07', token === undefined, `an expired access token counts as valid after ${fault}`)
        world.advance(pause)
      }
      world.idps.alpha.misbehave()
      const token = await getAccessToken(world)
      world.check('RO-07', token !== undefined, `the refresh token is lost after ${fault}`)
      const isSame = sentTokens(world).every((sent) => sent === refreshToken)
      world.check('RO-09', isSame, 'a retry sends another refresh token')
      world.reach('recovered')
      world.reach(fault)
    },
  }),

  property({
    proves: ['RO-07'],
    name: 'gives up a refresh token that the provider rejected, and says so every time',
    story: 'A page shows old data forever, and the user does not learn that they must sign in again.',
    advice: 'Remove the refresh token after invalid_grant.',
    needs,
    setups,
    runs: 20,
    reaches: { 'with 400': 2, 'with 200': 2 },
    input: fc.record({
      pauses: fc.array(fc.nat({ max: 600 }), { minLength: 1, maxLength: 3 }),
      // As some providers report errors.
      isOk: fc.boolean(),
    }),
    async run(world, { pauses, isOk }) {
      await expire(world)
      if (isOk) world.idps.alpha.misbehave('error-with-200')
      else world.idps.alpha.revokeTokens()
      world.reach(isOk ? 'with 200' : 'with 400')
      for (const pause of [0, ...pauses]) {
        world.advance(pause)
        const token = await getAccessToken(world).catch(() => undefined)
        world.check(
          'RO-07',
          token === undefined,
          'an expired access token counts as valid after invalid_grant',
        )
      }
      world.check('RO-07', sentTokens(world).length === 1, 'a rejected refresh token is sent again')
      world.idps.alpha.misbehave()
      await world.browser('ada').signIn('alpha', world.people.ada)
      const token = await getAccessToken(world)
      world.check('RO-07', token !== undefined, 'a new sign-in does not replace the rejected tokens')
    },
  }),

  property({
    proves: ['RO-08'],
    name: 'stores a new refresh token before anybody receives the access token',
    story:
      'The process ends after a refresh. The only valid refresh token is lost, and the user must sign in again.',
    advice: 'Return the access token only after the store has accepted both tokens.',
    needs: [...needs, 'faults'],
    setups,
    runs: 40,
    reaches: { 'a failed write': 6, 'a success': 4 },
    input: fc.record({
      call: fc.nat({ max: 5 }),
      fault: fc.constantFrom(throwing, rejecting, losing),
    }),
    async run(world, { call, fault }) {
      await expire(world)
      world.idps.alpha.addToTokens({ refresh_token: 'the second token', expires_in: 3600 })
      world.plan.arm('store', call, fault)
      const token = await getAccessToken(world).catch(() => undefined)
      const isHit = world.plan.calls[call] !== undefined
      world.plan.arm('none')
      const isSent = sentTokens(world).length > 0
      if (isSent && isHit) world.reach('a failed write')
      if (token === undefined) return
      world.reach('a success')
      world.check(
        'RO-08',
        textsOf(world.rows.accounts).some((text) => text.includes('the second token')),
        'somebody received an access token whose refresh token is not stored',
      )
    },
  }),

  property({
    proves: ['RO-09'],
    name: 'sends each refresh token back unchanged, whatever its text',
    story:
      'A provider issues a token that looks like a mark of the library, and the account is never refreshed again.',
    advice: 'Store metadata of a refresh token separately from its text, or escape the text.',
    needs,
    setups,
    runs: 60,
    reaches: { refreshed: 50 },
    input: fc.uniqueArray(strangeTokens, { minLength: 2, maxLength: 3 }),
    async run(world, [first = '', ...others]) {
      await expire(world, first)
      for (const next of others) {
        world.idps.alpha.addToTokens({ refresh_token: next, expires_in: 120 })
        const token = await getAccessToken(world)
        world.check(
          'RO-09',
          token !== undefined,
          'an account cannot be refreshed because of the text of its token',
        )
        world.advance(121)
      }
      const expected = [first, ...others].slice(0, -1)
      world.check(
        'RO-09',
        sentTokens(world).join('\n') === expected.join('\n'),
        'the provider received a refresh token that it did not issue',
      )
      world.reach('refreshed')
    },
  }),

  property({
    proves: ['OI-24'],
    name: 'accepts no tokens of another user at a refresh',
    story:
      'A confused provider answers with the tokens of another user, and the application shows their data.',
    advice: 'Compare iss and sub of a refreshed id_token with those of the sign-in.',
    needs,
    setups: { ...setups, tenants },
    runs: 30,
    reaches: { refused: 5, accepted: 3 },
    ...eachOf(['nothing', 'another sub', 'a sub in capitals', 'another iss', 'another tenant']),
    async run(world, change) {
      await expire(world)
      // Only a provider with tenants has several valid issuers.
      if (change === 'another tenant') world.idps.alpha.addToClaims(claimsOf(theirTenant))
      if (change === 'another sub') world.idps.alpha.addToClaims({ sub: 'bob-at-alpha' })
      if (change === 'a sub in capitals') world.idps.alpha.addToClaims({ sub: 'ADA-AT-ALPHA' })
      if (change === 'another iss') world.idps.alpha.misbehave('issuer-wrong')
      const token = await getAccessToken(world).catch(() => undefined)
      if (change === 'nothing') {
        world.assume(token !== undefined, 'a valid refresh fails')
        return world.reach('accepted')
      }
      world.check('OI-24', token === undefined, `a refresh with ${change} is accepted`)
      world.reach('refused')
    },
  }),
]
