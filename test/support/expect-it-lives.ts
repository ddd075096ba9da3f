import { expect } from 'vitest'
import { findFreePort } from './free-port.ts'
import { runProgram, withDeadStore, type Program } from './run-program.ts'

/** The site of a guide, and how to start it. */
export interface Site extends Program {
  /** All variables that it needs. */
  readonly environment: Readonly<Record<string, string>>
  readonly basePath: string
  /** The page that reads the session. */
  readonly page: string
  /** Whether the configuration is checked when the server starts. Otherwise, the first request checks it. */
  readonly reportsAtStart: boolean
}

interface Trouble {
  readonly environment: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** What the log contains. */
  readonly says: string
  readonly isFaulty: boolean
}

/**
 * Starts a site without its secret, with a host that is not trusted, and with a store that is down. In each case, one
 * request after the other fails, the log says what to do, and the process continues.
 */
export async function expectItLives(site: Site): Promise<void> {
  const { AUTH_SECRET: _, ...rest } = site.environment
  const troubles: readonly Trouble[] = [
    { environment: rest, says: 'AUTH_SECRET', isFaulty: true },
    {
      environment: { ...site.environment, NODE_ENV: 'production', AUTH_URL: '' },
      says: 'AUTH_URL',
      isFaulty: true,
    },
    { environment: site.environment, args: withDeadStore, says: 'ECONNREFUSED', isFaulty: false },
  ]
  await Promise.all(troubles.map((trouble) => expectItToSurvive(site, trouble)))
}

async function expectItToSurvive(site: Site, { environment, args = [], says, isFaulty }: Trouble) {
  const program = { ...site, environment, args: [...args, ...site.args] }
  const server = await runProgram(program, await findFreePort())
  const log = async () => {
    await expect.poll(server.log, { timeout: 10_000, message: says }).toContain(says)
  }
  try {
    if (isFaulty && site.reportsAtStart) await log()
    const statuses = []
    for (const path of [site.page, site.page, `${site.basePath}/session`])
      statuses.push(await server.send(path))
    for (const status of statuses) expect([500, 503], `${says}: ${statuses.join()}`).toContain(status)
    await log()
    // A malformed Host header is the client's fault.
    expect(await server.send(site.page, { host: 'a b' }), says).toBeGreaterThanOrEqual(400)
    expect(server.hasEnded(), says).toBe(false)
  } finally {
    await server.end()
  }
}
