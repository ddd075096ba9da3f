import type { Scene } from '../scene.ts'
import type { Promised, Truth } from '../truth.ts'
import { hadBefore } from './credentials.ts'
import { checkMail, day, useMail } from './mails.ts'
import { ownerOf } from './step.ts'
import type { Find, Step } from './step.ts'

/** Checks a session that begins by a proof in this browser, or by a code after such a proof, and notes it. */
export function openSession(step: Step, browser: string, user: string, find: Find): void {
  const { scene, before, claim, after } = step
  const { truth, world } = scene
  const facts = (truth.browsers[browser] ??= {})
  const now = world.clock.now()
  const was = before.truth.users[user]
  const waits = before.truth.browsers[browser]?.waits
  const isOf = (promised: Promised | undefined) => promised?.user === user && promised.epoch === was?.epoch
  const owner = ownerOf(truth, user)
  if (claim.proof) {
    // An account stays with its user, even if another person has proven the address since.
    const isKept = claim.proof.account !== undefined && hadBefore(before.seen.users[user], claim.proof)
    const rule = claim.proof.way === 'provider' ? 'AL-01' : undefined
    if (claim.proof.by !== owner && !isKept)
      find(
        rule,
        `the proof of ${claim.proof.by} opens a session of ${owner} at ${browser}`,
        `${claim.proof.by} gets a session as themselves, or none`,
      )
    checkMail(step, claim.proof, user, 'opens another session', find)
  } else if (!isOf(waits)) {
    find(
      'SF-10',
      `a code opens a session at ${browser}, although no first factor of this account waits there`,
      'the code is refused, because nothing waits for it',
    )
  }
  // An earlier session of this user in this browser already had the second factor.
  const wasIn = before.seen.who[browser] === user && before.truth.browsers[browser]?.session?.user === user
  const hasCode = claim.code?.isRight === true
  const passes = wasIn || hasCode
  if (was?.app && !passes && !isTrusted(before.truth, browser, user, scene))
    find(
      claim.code?.refusal?.id ?? 'SF-01',
      claim.code?.refusal
        ? `${claim.code.refusal.what} signs ${owner} in at ${browser}`
        : `${owner} is signed in at ${browser} without the second factor`,
      claim.code
        ? 'the code is refused, and the sign-in still waits'
        : 'the sign-in waits for the second factor',
    )
  const epoch = truth.users[user]?.epoch ?? 0
  const held = before.truth.browsers[browser]?.session
  const hasFactor = hasCode || (wasIn && held?.hasFactor === true)
  const first = claim.proof ?? waits
  const by = claim.proof ? claim.proof.account?.provider : waits?.by
  facts.session = {
    id: crypto.randomUUID(),
    user,
    epoch,
    at: now,
    hasFactor,
    way: first?.way,
    ...(by !== undefined && { by }),
  }
  if (claim.code?.remembers) facts.trusted = { id: crypto.randomUUID(), user, epoch, at: now }
  delete facts.waits
  useMail(truth, first?.mail, after.users[user], before.seen.users[user])
}

/** Returns whether a user may skip the second factor in a browser. */
function isTrusted({ browsers, users }: Truth, browser: string, user: string, { world }: Scene): boolean {
  const { trusted } = browsers[browser] ?? {}
  if (trusted?.user !== user || trusted.epoch !== users[user]?.epoch) return false
  return world.clock.now() - trusted.at <= day * 1000
}

/** Notes that a code, or a proof of a credential that the user had before, makes a session fresh again. */
export function renewProof({ scene, claim, before, action }: Step, browser: string, user: string): void {
  const { session } = scene.truth.browsers[browser] ?? {}
  const { proof, code } = claim
  if (session && code?.isRight && action.in === browser) {
    const at = scene.world.clock.now()
    Object.assign(session, { at, hasFactor: true })
    const facts = scene.truth.browsers[browser]
    if (facts && code.remembers) facts.trusted = { id: crypto.randomUUID(), user, epoch: session.epoch, at }
  }
  // With a second factor, the proof counts when the code is entered, or at once in a remembered browser.
  const isPending =
    before.truth.users[user]?.app !== undefined && !isTrusted(before.truth, browser, user, scene)
  if (!session || !proof || isPending || scene.truth.users[user]?.owner !== proof.by) return
  if (hadBefore(before.seen.users[user], proof))
    Object.assign(session, { at: scene.world.clock.now(), way: proof.way })
}

/** Checks that no session claims a stronger authentication than its user performed. */
export function checkAuthentications({ after, scene, claim, action }: Step, find: Find): void {
  for (const [browser, said] of Object.entries(after.says)) {
    const { session } = scene.truth.browsers[browser] ?? {}
    if (!said || !session) continue
    const saysMore = (said.at ?? 0) * 1000 > session.at || (said.hasFactor && !session.hasFactor)
    const refusal = browser === action.in ? claim.code?.refusal : undefined
    if (saysMore && refusal) {
      find(refusal.id, `${refusal.what} is accepted at ${browser}`, 'the code is refused')
      continue
    }
    if (said.at !== undefined && said.at * 1000 > session.at)
      find(
        'POL-04',
        `the session at ${browser} is newer than the last proof of its user`,
        'the session keeps the time of the last proof',
      )
    if (said.hasFactor && !session.hasFactor)
      find(
        'SF-01',
        `the session at ${browser} says that it has the second factor`,
        'the session says so only after a code or a passkey that is accepted',
      )
  }
}

/** Notes that a first factor which opened no session waits for the second, if the user has one. */
export function holdProof({ scene, claim, before, after, action }: Step): void {
  const { truth, world } = scene
  if (!claim.proof || action.in === undefined) return
  const facts = (truth.browsers[action.in] ??= {})
  const { proof } = claim
  const users = Object.entries(truth.users)
  // A provider may vouch for an address, and so sign in a user who has no account there yet.
  const [id, user] =
    users.find(([each]) => hadBefore(before.seen.users[each], proof)) ??
    users.find(([each]) => before.seen.users[each]?.address === proof.address && proof.way === 'mail') ??
    users.find(([, { owner }]) => proof.way === 'provider' && owner === proof.by) ??
    []
  if (id === undefined || !user?.app || after.who[action.in] === id) return
  if (before.seen.who[action.in] === id) return
  const held = before.truth.mails.find(({ id: each }) => each === proof.mail)
  const isValid = !held || (!held.used && held.epoch === before.truth.users[id]?.epoch)
  if (isValid)
    facts.waits = {
      id: crypto.randomUUID(),
      user: id,
      epoch: user.epoch,
      at: world.clock.now(),
      way: proof.way,
      ...(proof.mail !== undefined && { mail: proof.mail }),
      ...(proof.account && { by: proof.account.provider }),
    }
}

/** Notes that a browser may be remembered, although the server failed after the code. */
export function trustAfterFailure({ claim, before, scene, action }: Step): void {
  const { waits } = (action.in !== undefined && before.truth.browsers[action.in]) || {}
  if (action.in === undefined || !waits || !claim.hasFailed || !claim.code?.remembers) return
  const facts = scene.truth.browsers[action.in]
  if (facts) facts.trusted ??= { ...waits, id: crypto.randomUUID(), at: scene.world.clock.now() }
}
