import { severities } from '../causes.ts'
import { findProperty } from '../properties/index.ts'
import { setupsOf } from '../properties/property.ts'
import { severityOf } from '../severities.ts'
import type { Application } from '../targets/url.ts'
import type { Driver } from '../targets/target.ts'
import { Unreached } from '../world/breach.ts'
import { openWorld } from '../world/world.ts'
import type { CampaignOptions } from './campaign.ts'
import { replayOf, withdraw } from './confirm.ts'
import { judgeEach } from './continue.ts'
import type { Job } from './job.ts'
import { judge } from './judge.ts'
import { afterItsEnd, outOfTime, type Judgement } from './verdict.ts'
import { whyNot } from './why-not.ts'

/** A job that did not start, and why. */
export interface Unstarted extends Job {
  readonly why: string
}

/** How often to run a failure again, because a running application's state cannot be replayed. */
const tries = 10

/**
 * Tests a running application in this thread, one property after the other, because there is only one set of ports. The most
 * severe requirements come first, because a slow application may not respond to all cases in time.
 *
 * @returns the jobs that did not start, each with the reason
 */
export async function judgeApplication(
  application: Application,
  jobs: readonly Job[],
  { time = Infinity, report }: Pick<CampaignOptions, 'time' | 'report'>,
): Promise<readonly Unstarted[]> {
  const { driveUrl } = await import('../targets/url.ts')
  const opened = await driveUrl(application)
  try {
    const driver = { ...opened, strategy: await findStrategy(opened, application) }
    const started = performance.now()
    const unstarted: Unstarted[] = []
    let hasEnded = false
    const judgeOnce = async (each: Job) => {
      const judgement = await judge(findProperty(each.property), each.setup, driver, each)
      const confirmed = each.path === undefined ? await tryAgain(judgement, driver, each) : judgement
      hasEnded ||= confirmed.broken === 'FI-12'
      return confirmed
    }
    for (const job of jobs.toSorted((a, b) => placeOf(a) - placeOf(b))) {
      const why = hasEnded ? afterItsEnd : performance.now() - started >= time ? outOfTime : undefined
      // A property that does not apply needs neither.
      if (why !== undefined && applies(job, driver)) unstarted.push({ ...job, why })
      else await judgeEach(job, judgeOnce, report)
    }
    return unstarted
  } finally {
    await opened.close()
  }
}

/** Returns the place of a property in the order of severities. */
function placeOf({ property: name }: Job): number {
  const { severity, proves } = findProperty(name)
  const all = severity ? [severity] : proves.map(severityOf)
  return Math.min(...all.map((each) => severities.indexOf(each)))
}

function applies({ property: name, setup }: Job, driver: Driver): boolean {
  const property = findProperty(name)
  const application = setupsOf(property)[setup]
  return application === undefined || whyNot(property, application, driver) === undefined
}

/** Detects the session strategy from the cookie of a sign-in. @throws {Error} if the sign-in fails */
async function findStrategy(driver: Driver, { description }: Application): Promise<'jwt' | 'database'> {
  const world = await openWorld(driver, {}, 0)
  const [provider] = [...driver.providers].filter((name) => name !== 'passkey')
  if (!provider) throw new Error(`${driver.name} has no provider that the oracle can use`)
  const browser = world.browser(world.people.ada.name)
  try {
    await browser.signIn(provider, world.people.ada)
  } catch (error) {
    if (!(error instanceof Unreached)) throw error
    throw new Error(`The first sign-in at ${driver.name} failed: ${error.message}`, { cause: error })
  }
  if (description) return description.session.stateless === true ? 'jwt' : 'database'
  const isToken = (value: string) => /^eyJ[\w-]+(\.[\w-]*){2,4}$/.test(value)
  const held = Object.entries(browser.cookies()).filter(([name]) => name.includes('session-token'))
  return held.some(([, value]) => isToken(value)) || held.length > 1 ? 'jwt' : 'database'
}

async function tryAgain(judgement: Judgement, driver: Driver, job: Job): Promise<Judgement> {
  const { finding, broken, verdict } = judgement
  if (verdict !== 'FAIL' || !finding) return judgement
  let failures = 0
  for (let n = 0; n < tries; n++) {
    const again = await judge(findProperty(job.property), job.setup, driver, replayOf(job, finding))
    if (again.verdict === 'FAIL' && again.broken === broken) failures += 1
  }
  if (failures === 0) return withdraw(judgement)
  return { ...judgement, finding: { ...finding, again: { failures, tries } } }
}
