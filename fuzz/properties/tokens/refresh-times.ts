import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { type Fault, hanging } from '../../world/fault-plan.ts'
import { property, type Property } from '../property.ts'
import { waitFor } from '../support/flows.ts'
import { expire, getAccessToken, refreshSetup, sentTokens } from '../support/refresh.ts'

/** Seconds after the moment at which a minute of an access token is left. */
const delays = [-60, -2, 2, 58, 62, 86_400]

/** When access tokens are refreshed. */
export const refreshTimeProperties: readonly Property[] = [
  property({
    proves: ['OPT-008'],
    name: 'refreshes an access token in its last minute, and no earlier',
    story:
      'The application sends a token that expires on its way, or each page load costs a request to the provider, which then blocks the application.',
    advice: 'Compare the stored expiry in seconds with the current time, and refresh a minute before it.',
    severity: 'hardening',
    needs: ['clock', 'store', 'setup'],
    setups: { database: refreshSetup },
    runs: 20,
    parts: delays.map((late) => ({ late })),
    input: fc.record({ expiresIn: fc.integer({ min: 130, max: 7200 }), late: fc.constantFrom(...delays) }),
    async run(world, { expiresIn, late }) {
      world.idps.alpha.addToTokens({ refresh_token: 'the first token', expires_in: expiresIn })
      await world.browser('ada').signIn('alpha', world.people.ada)
      const [before] = world.rows.accounts
      world.advance(expiresIn - 60 + late)
      const token = await getAccessToken(world)
      const isRefreshed = sentTokens(world).length === 1
      const left = `${60 - late} s before its expiry`
      world.check(
        'OPT-008',
        isRefreshed === late > 0,
        `a token is ${isRefreshed ? '' : 'not '}refreshed ${left}`,
      )
      world.check('OPT-008', token !== undefined, `no token is returned ${left}`)
      const isCurrent = (token === before?.access_token) === late < 0
      world.check('OPT-008', isCurrent, `another token than the current one is returned ${left}`)
      await getAccessToken(world)
      const count = sentTokens(world).length
      world.check(
        'OPT-008',
        count === (late > 0 ? 1 : 0),
        `${count} refreshes are sent for two requests ${left}`,
      )
    },
  }),

  property({
    proves: ['RO-06'],
    name: 'sends a refresh token once, even if the provider takes five seconds to respond',
    story:
      'The provider is slow, another process sends the same refresh token, and the provider revokes both.',
    advice: 'Keep the claim for longer than a refresh can take.',
    needs: ['clock', 'store', 'setup', 'faults'],
    setups: { database: refreshSetup },
    runs: 5,
    async run(world) {
      await expire(world)
      const other = await world.another(refreshSetup, 'same')
      const others: Promise<unknown>[] = []
      const slow: Fault = {
        name: 'is slow',
        async apply(work) {
          const result = await work()
          world.clock.advance(5)
          others.push(getAccessToken(other))
          for (let turn = 0; turn < 30; turn++) await nextTurn()
          return result
        },
      }
      world.plan.arm('network', 0, slow)
      await getAccessToken(world)
      world.plan.arm('none')
      await waitFor(world, Promise.all(others))
      const count = sentTokens(world).length
      world.check('RO-06', count === 1, `${count} refreshes are sent while the first one runs`)
    },
  }),

  property({
    proves: ['RO-07'],
    name: 'refreshes an access token again after a process ended during a refresh',
    story: 'A server restarts during a refresh, and the user has no access token until the next sign-in.',
    advice: 'Let the claim of a refresh end after a few minutes.',
    needs: ['clock', 'store', 'setup', 'faults'],
    setups: { database: refreshSetup },
    runs: 2,
    input: fc.integer({ min: 300, max: 86_400 }),
    async run(world, later) {
      await expire(world)
      let end = () => {}
      const ending: Fault = {
        name: 'ends with its process',
        apply(work, plan) {
          end()
          return hanging.apply(work, plan)
        },
      }
      world.plan.arm('network', 0, ending)
      const process = world.plan.spawn(() => getAccessToken(world))
      end = process.kill
      process.result.catch(() => {})
      await world.plan.hung()
      world.plan.arm('none')
      world.advance(later)
      const other = await world.another(refreshSetup, 'same')
      const token = await getAccessToken(other)
      world.check('RO-07', token !== undefined, `no token is returned ${later} s after the process has ended`)
    },
  }),
]
