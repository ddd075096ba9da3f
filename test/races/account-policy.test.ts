import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import { judgeDemands, judgeEnds, judgeWaiting, type Row, rows } from '../support/account-policy/judge-row.ts'
import { settle } from '../support/account-policy/site.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { sample } from '../support/thorough.ts'
import { openPolicyPlace, type PolicyPlace } from './policy-place.ts'

vi.setConfig({ hookTimeout: 90_000 })

describe('every row of the policy, in two processes with one PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  for (const strategy of ['database', 'jwt-stored'] as const)
    describe(strategy, () => {
      let place: PolicyPlace
      beforeAll(async () => {
        place = await openPolicyPlace(strategy, await server.createDatabase())
      })
      afterAll(() => place.stop())

      const open = async ({ user }: Row) => settle(await place.clear(), user)

      const ofStrategy = sample(
        rows.filter((row) => row.strategy === strategy),
        3,
      )

      for (const row of ofStrategy.filter(({ isJudged }) => isJudged))
        it(`POL-01 POL-02 demands what the row says: ${row.name}`, async () =>
          judgeDemands(row, await open(row)))

      for (const row of ofStrategy.filter(({ isHeld }) => isHeld))
        it(`POL-01 waits for the second factor: ${row.name}`, async () => judgeWaiting(row, await open(row)))

      for (const row of ofStrategy)
        it(`POL-03 POL-04 POL-07 POL-08 FT-15 ends what the row says: ${row.name}`, async () =>
          judgeEnds(row, await open(row)))
    })
})
