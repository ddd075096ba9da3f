import { expect } from 'vitest'
import type { Fault, Plan } from '../../../fuzz/world/fault-plan.ts'
import { ruleOf } from '../../../src/policy/table.ts'
import type { Agent } from '../browser-agent.ts'
import { newPassword, password } from '../passwords.ts'
import { enterCode } from '../second-factor.ts'
import { type Driver, drivers } from './drivers.ts'
import { endsClass, openAgent, type Row, rows } from './judge-row.ts'
import { nextCode, type Site } from './site.ts'
import { surround } from './surroundings.ts'

/** The rows that store a change, and end what existed before. */
export const storingRows: readonly Row[] = rows.filter(({ change }) => {
  const { ends, tells } = ruleOf(change)
  return ends.includes('trust') && tells.event !== 'signOut'
})

/** A call of the store that fails. */
export interface FailingCall {
  readonly at: number
  readonly fault: Fault
}

/**
 * Lets a call of the store fail during a change. If the change is stored nevertheless, everything that it ends has
 * ended.
 *
 * @returns the calls of the store, and whether the change was stored
 */
export async function judgeFault({ change }: Row, site: Site, plan: Plan, failing?: FailingCall) {
  const driver: Driver = drivers[change]
  const agent = await openAgent(change, site)
  const surroundings = await surround(site)
  await driver.prepare?.(site)
  const code = nextCode(site)
  if (driver.by === 'sign-in') await driver.make(site, agent)
  const before = await readRows(site)
  plan.arm('store', failing?.at, failing?.fault)
  await makeStored(driver, site, agent, code)
  const calls = [...plan.calls]
  plan.arm('none')
  const after = await readRows(site)
  const isStored = describeRows(after, change) !== describeRows(before, change)
  Object.assign(site.first, {
    email: after.user?.email ?? site.first.email,
    password: after.hash === before.hash ? password : newPassword,
  })
  const ended = surroundings.filter(
    (one) => endsClass(ruleOf(change).ends, one.class) && (one.class !== 'trust' || after.factor !== null),
  )
  const what = failing && `${calls[failing.at] ?? 'nothing'} ${failing.fault.name}`
  if (isStored)
    for (const one of ended) expect(await one.works(), `${what}: whether ${one.name} works`).toBe(false)
  return { calls, isStored }
}

/** Makes the part of a change that stores it. A function that the application calls may throw if it fails. */
async function makeStored(driver: Driver, site: Site, agent: Agent, code: string): Promise<void> {
  if (driver.by !== 'sign-in') await Promise.resolve(driver.make(site, agent)).catch(() => {})
  else {
    await enterCode(agent, code)
    await driver.finish?.(site, agent)
  }
}

/** Using a code also changes the second factor. Passwords and passkeys that end before a change are no change. */
function describeRows(
  { factor, ...rows }: object & { factor?: unknown; user?: unknown },
  change: Row['change'],
): string {
  if (ruleOf(change).ends.includes('unproven credentials')) return JSON.stringify(rows.user)
  return JSON.stringify([rows, drivers[change].by !== 'sign-in' && factor])
}

async function readRows({ app: { store }, id }: Site) {
  return {
    user: await store.getUser(id),
    hash: await store.getPassword(id),
    factor: await store.getFactor(id),
    accounts: await store.listAccountsByUserId(id),
    passkeys: await store.listAuthenticatorsByUserId(id),
  }
}
