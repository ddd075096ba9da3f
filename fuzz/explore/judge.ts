import { isEdge } from '../charts/is-edge.ts'
import { findUndeclared } from '../world/find-undeclared.ts'
import type { HandledRequest } from '../world/world.ts'
import { checkCredentials } from './judge/changes.ts'
import { endCopies, noteEnds, noteLogout, passToOwner } from './judge/ends.ts'
import {
  checkAuthentications,
  holdProof,
  openSession,
  renewProof,
  trustAfterFailure,
} from './judge/sessions.ts'
import { ownerOf } from './judge/step.ts'
import type { Find, Finding, Step } from './judge/step.ts'

/**
 * Compares the observed state after an action with the real actions of the people, and updates the truth. The rules are
 * those of the specification, and do not use the policy table of the library.
 */
export function judge(step: Step): Finding[] {
  const { scene, after, claim, action } = step
  const { truth } = scene
  const findings: Finding[] = []
  const find: Find = (id, says, instead) => {
    const isPromised = id === undefined || findUndeclared(id, step.promises.capabilities) === undefined
    if (isPromised) findings.push({ id, says, instead })
  }

  for (const id of Object.keys(after.users))
    if (!truth.users[id]) {
      const password = after.users[id]?.password === undefined ? undefined : claim.password
      if (claim.proof) truth.users[id] = { owner: claim.proof.by, epoch: 0, password }
      else find('FI-09', 'a user was created although nobody proved anything', 'nothing is stored')
    }
  for (const id of Object.keys(truth.users)) if (!after.users[id]) delete truth.users[id]
  passToOwner(step)

  if (!claim.hasFailed) checkFaults(scene.world.replies, find)
  checkTokens(step, find)
  checkCredentials(step, find)
  noteEnds(step, find)
  noteLogout(step)
  endCopies(step)
  for (const [browser, user] of Object.entries(after.who)) {
    const facts = (truth.browsers[browser] ??= {})
    if (user === undefined) {
      delete facts.session
      continue
    }
    const { session } = facts
    const isTheirs = session?.user === user
    const isCarriedOn = isTheirs && session.epoch === (truth.users[user]?.epoch ?? -1)
    if (browser === action.in && (claim.proof || claim.code) && !isCarriedOn)
      openSession(step, browser, user, find)
    else if (isCarriedOn) renewProof(step, browser, user)
    else if (!isTheirs)
      find(
        undefined,
        `${browser} has a session of ${ownerOf(truth, user)}, who proved nothing there`,
        `${browser} has no session of another person`,
      )
    else if (step.promises.endsSessions)
      find(
        session.epoch < 0 ? 'SE-10' : 'POL-03',
        `the session at ${browser} works, although it has ended`,
        `nobody is signed in at ${browser} any longer`,
      )
  }
  // A session that must not exist would also break the rules about its authentication.
  if (findings.length === 0) checkAuthentications(step, find)
  trustAfterFailure(step)
  holdProof(step)
  for (const hop of scene.world.playback?.hops ?? [])
    if (!isEdge(hop, scene.world.charts))
      find('MD-02', `${hop} is no edge of the charts`, 'the run takes only edges of the charts')
  return findings
}

/** Checks that the application gets access tokens only of accounts that are linked. */
function checkTokens({ claim: { tokenOf }, before }: Step, find: Find): void {
  if (tokenOf === undefined) return
  const isLinked = Object.values(before.seen.users).some(({ accounts }) => accounts.includes(tokenOf))
  if (!isLinked)
    find(
      undefined,
      `the application gets an access token of ${tokenOf}, which is not linked`,
      'the application gets no token of this account',
    )
}

function checkFaults(replies: readonly HandledRequest[], find: Find): void {
  for (const { request, reply } of replies) {
    if (reply.status >= 500)
      find(
        'FI-01',
        `${request.method} ${new URL(request.url).pathname} returns ${reply.status}`,
        'the response is no server error',
      )
  }
}
