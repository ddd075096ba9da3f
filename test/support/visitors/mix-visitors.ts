import { connect } from './exchange.ts'
import { createJudge } from './judge.ts'
import type { Exchange } from './ledger.ts'
import { createPerform } from './perform.ts'
import { planVisits } from './plan.ts'
import { createRandom } from './random.ts'
import { listKinds, type Site } from './requests.ts'
import { createVisitor } from './visitor.ts'

/** What two users and an anonymous visitor found on a site. */
export interface Mix {
  readonly requests: number
  /** A sentence for each fault of a response. */
  readonly faults: readonly string[]
}

/** The visitors leave after this many faults. */
const enough = 20

/**
 * Lets two users and an anonymous visitor send more than 200 requests to a running site, and judges each response against
 * all other requests and responses.
 *
 * @param seed determines the order of the requests
 */
export async function mixVisitors(site: Site, seed: number): Promise<Mix> {
  // Distinguishes the marks from those of earlier runs on the same site.
  const run = `${seed.toString(36)}x${Date.now().toString(36)}`
  const users = ['ada', 'bob'].map((name) => createVisitor(name, run))
  const visitors = { users, anonymous: createVisitor('anonymous', run) }
  const kinds = listKinds(site)
  const { send, close } = connect(site.origin)
  const [perform, judge] = [createPerform(send, kinds), createJudge()]
  const faults: string[] = []
  let requests = 0
  try {
    for (const visits of planVisits(kinds, visitors, createRandom(seed))) {
      const done: Exchange[] = []
      await Promise.all(visits.map((visit) => perform(visit, (exchange) => void done.push(exchange))))
      requests += done.length
      faults.push(...judge(done))
      if (faults.length >= enough) break
    }
  } finally {
    close()
  }
  return { requests, faults }
}
