import { judgeDemands, judgeEnds, judgeWaiting, rows } from '../../support/account-policy/judge-row.ts'
import { openSite } from '../../support/account-policy/site.ts'
import { scenario } from '../scenario.ts'

/**
 * Tests each row of the policy, in both strategies: if a demand is not met, nothing changes, and after the change, its
 * classes have ended.
 */
export const accountPolicyScenarios = [
  ...rows
    .filter(({ isJudged }) => isJudged)
    .map((row) =>
      scenario(`POL-01 POL-02 EC-05 PW-10 demands what the row says: ${row.name}`, async ({ open }) =>
        judgeDemands(row, await openSite(open, row.strategy, row.user)),
      ),
    ),
  ...rows
    .filter(({ isHeld }) => isHeld)
    .map((row) =>
      scenario(`POL-01 waits for the second factor: ${row.name}`, async ({ open }) =>
        judgeWaiting(row, await openSite(open, row.strategy, row.user)),
      ),
    ),
  ...rows.map((row) =>
    scenario(`POL-03 POL-04 POL-07 POL-08 FT-15 ends what the row says: ${row.name}`, async ({ open }) =>
      judgeEnds(row, await openSite(open, row.strategy, row.user)),
    ),
  ),
]
