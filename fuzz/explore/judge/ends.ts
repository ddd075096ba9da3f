import type { SessionTruth, Truth } from '../truth.ts'
import { isFirstProof, listChanges } from './credentials.ts'
import { checkMail, useMail } from './mails.ts'
import type { Find, Step } from './step.ts'

/** Makes the person who first proves the address of a user its owner. */
export function passToOwner(step: Step): void {
  for (const [id, user] of Object.entries(step.scene.truth.users))
    if (step.claim.proof && isFirstProof(step, id)) user.owner = step.claim.proof.by
}

/** Changes that end sessions, pending operations and trust. Adding a way to sign in ends nothing. */
const ending = /removed|password|address|second factor/

/**
 * After a logout at a provider, ends the sessions that it opened and the sign-ins that wait because of it, in every
 * copy.
 */
export function noteLogout({ scene: { truth }, claim }: Step): void {
  const { loggedOut } = claim
  if (!loggedOut) return
  const isEnded = (each: { readonly user: string; readonly by?: string | undefined } | undefined) =>
    each?.by === loggedOut.provider && truth.users[each.user]?.owner === loggedOut.person
  for (const browser of Object.values(truth.browsers))
    for (const facts of [browser, browser.saved]) {
      if (facts?.session && isEnded(facts.session)) facts.session.epoch = -1
      if (facts?.waits && isEnded(facts.waits)) facts.waits.epoch = -1
    }
}

/**
 * Ends the access that a change ends. The browser that requested the change keeps its session, or opens another one in
 * the same step.
 */
export function noteEnds(step: Step, find: Find): void {
  const { before, after, scene, claim, action } = step
  const { truth } = scene
  for (const [id, user] of Object.entries(truth.users)) {
    const [then, now] = [before.seen.users[id], after.users[id]]
    const changes = then && now ? listChanges(then, now).filter((change) => ending.test(change)) : []
    const isEnrolled =
      claim.enrolled !== undefined && action.in !== undefined && isIn(before.truth, action.in, id)
    const isEnded = claim.ended?.user === id
    const isFirst = isFirstProof(step, id)
    if (then && now) forgetProviders(truth, id, then.accounts, now.accounts)
    if (changes.length === 0 && !isEnrolled && !isEnded && !isFirst) continue
    user.epoch += 1
    const isReset =
      isFirst || (changes.some((change) => /password/.test(change)) && claim.proof !== undefined)
    const keeps = isEnded ? claim.ended.keeps : !isReset
    const { session } = (action.in !== undefined && truth.browsers[action.in]) || {}
    // A copy of the cookies holds the same session.
    if (keeps && session?.user === id) for (const each of copiesOf(truth, session.id)) each.epoch = user.epoch
    if (
      keeps &&
      !claim.hasFailed &&
      action.in !== undefined &&
      isIn(before.truth, action.in, id) &&
      after.who[action.in] !== id
    )
      find(
        'POL-03',
        `the session at ${action.in} has ended, although its user keeps it with this change`,
        'only the other sessions end',
      )
    if (isEnrolled) {
      user.formerApp = user.app
      const { knownTo, ...app } = claim.enrolled
      user.app = app
      if (knownTo !== user.owner)
        find(
          'SF-13',
          `${user.owner} has an app whose secret ${knownTo} has seen`,
          'the page that another person opened enrols no app',
        )
      if (session?.user === id) session.hasFactor = true
    }
    if (then?.hasFactor && !now?.hasFactor) delete user.app
    if (claim.renewed?.user === id && user.app) user.app.recovery = claim.renewed.recovery
    if (then?.password !== now?.password) {
      user.formerPassword = user.password
      user.password = claim.password
      useMail(truth, claim.proof?.mail, now, then)
    }
    if (claim.proof?.mail !== undefined && then && then.address !== now?.address) {
      checkMail(step, claim.proof, id, 'changes the address', find)
      useMail(truth, claim.proof.mail, now, then)
    }
  }
}

/** A provider whose account was unlinked no longer ends sessions of the user. */
function forgetProviders(
  { browsers }: Truth,
  user: string,
  before: readonly string[],
  after: readonly string[],
): void {
  const removed = before.filter((account) => !after.includes(account)).map((account) => account.split(' ')[0])
  for (const { session, saved } of Object.values(browsers))
    for (const each of [session, saved?.session])
      if (each?.user === user && removed.includes(each.by)) each.by = undefined
}

/** Ends the session and the waiting sign-in of a browser after a sign-out, even in copies of its cookies. */
export function endCopies({ before, after, scene, claim, action }: Step): void {
  if (!claim.signedOut || action.in === undefined || after.who[action.in] !== undefined) return
  const { session, waits } = before.truth.browsers[action.in] ?? {}
  const isCopy = (id: string | undefined, of: string | undefined) => id !== undefined && id === of
  Object.assign(scene.truth.browsers[action.in] ?? {}, { waits: undefined })
  for (const facts of Object.values(scene.truth.browsers))
    for (const each of [facts, facts.saved]) {
      if (each?.session && isCopy(each.session.id, session?.id)) each.session.epoch = -1
      if (each?.waits && isCopy(each.waits.id, waits?.id)) each.waits.epoch = -1
    }
}

function copiesOf({ browsers }: Truth, id: string): SessionTruth[] {
  const all = Object.values(browsers).flatMap(({ session, saved }) => [session, saved?.session])
  return all.filter((each): each is SessionTruth => each?.id === id)
}

function isIn({ browsers }: Truth, browser: string, user: string): boolean {
  return browsers[browser]?.session?.user === user
}
