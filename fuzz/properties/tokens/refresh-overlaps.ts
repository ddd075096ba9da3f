import fc from 'fast-check'
import { eachOf } from '../../arbitraries/every-of.ts'
import type { Fault } from '../../world/fault-plan.ts'
import { property, type Property } from '../property.ts'
import { expire, getAccessToken, refreshSetup } from '../support/refresh.ts'
import { textsOf } from '../support/texts.ts'

/** How the refresh ends while the user signs in again. */
const outcomes = ['succeeds', 'fails', 'is rejected'] as const

export const refreshOverlapProperties: readonly Property[] = [
  property({
    proves: ['OPT-001'],
    name: 'keeps a refresh token that the provider does not send again at a later sign-in',
    story: 'A user signs in again, and the application can no longer refresh the tokens of the account.',
    advice: 'Change only the columns whose tokens the provider sent.',
    needs: ['clock', 'store', 'setup'],
    setups: { database: refreshSetup },
    runs: 10,
    input: fc.integer({ min: 1, max: 3 }),
    async run(world, times) {
      await expire(world, 'the only token')
      for (let n = 0; n < times; n++) await world.browser('ada').signIn('alpha', world.people.ada)
      const isKept = textsOf(world.rows.accounts).some((text) => text.includes('the only token'))
      world.check('OPT-001', isKept, `the refresh token is gone after ${times} sign-ins without one`)
    },
  }),

  property({
    proves: ['OPT-001', 'RO-07'],
    name: 'keeps the tokens of a sign-in that finished during a refresh, however the refresh ends',
    story: 'A user signs in again to repair an account, and an older refresh removes the new tokens.',
    advice: 'Store the outcome of a refresh only if the store still holds what the refresh claimed.',
    needs: ['clock', 'store', 'setup', 'faults'],
    setups: { database: refreshSetup },
    runs: 30,
    reaches: Object.fromEntries(outcomes.map((outcome) => [outcome, 3])),
    ...eachOf(outcomes),
    async run(world, outcome) {
      const { ada } = world.people
      await expire(world)
      const browser = world.browser('ada')
      const arrival = await browser.visit('alpha', ada)
      const overlap: Fault = {
        name: 'takes until the user has signed in again',
        async apply(work) {
          if (outcome === 'is rejected') world.idps.alpha.revokeTokens()
          const response = outcome === 'fails' ? undefined : await work()
          world.idps.alpha.addToTokens({ refresh_token: 'of the sign-in', expires_in: 3600 })
          await browser.arrive(arrival)
          if (response === undefined) throw new Error('unavailable')
          return response
        },
      }
      // Discovery and keys are known from the first sign-in, so the next request is the refresh.
      world.plan.arm('network.fetch', 0, overlap)
      await getAccessToken(world).catch(() => undefined)
      world.plan.arm('none')
      world.assume((await browser.whoAmI()) === ada.name, 'the sign-in during the refresh fails')
      const isKept = textsOf(world.rows.accounts).some((text) => text.includes('of the sign-in'))
      world.check('OPT-001', isKept, `a refresh that ${outcome} replaces the tokens of a later sign-in`)
      const token = await getAccessToken(world).catch(() => undefined)
      world.check('RO-07', token !== undefined, `after a refresh that ${outcome}, there is no access token`)
      world.reach(outcome)
    },
  }),
]
