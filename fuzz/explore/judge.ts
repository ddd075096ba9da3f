import type { RequirementId } from 'authmachine/spec'
import { isEdge } from '../charts/is-edge.ts'
import { findUndeclared } from '../world/find-undeclared.ts'
import type { HandledRequest } from '../world/world.ts'
import type { Action } from './action.ts'
import type { Credentials, Seen } from './observe.ts'
import type { Scene } from './scene.ts'
import type { Claim, Promised, Proof, SessionTruth, Truth } from './truth.ts'

/** What an action broke. */
export interface Finding {
  readonly id: RequirementId | undefined
  readonly says: string
}

/** What a configuration promises beyond what every library must. */
export interface Promises {
  /** The seconds after a proof within which users may change how they sign in; undefined if sessions do not record it. */
  readonly freshness?: number
  /** Whether a mailed link proves an address, and so is a way to sign in. */
  readonly mailsLinks: boolean
  /** The capabilities of the application: findings about others are left out. */
  readonly capabilities: ReadonlySet<string>
  /** Whether sessions can be ended: those in a store, and tokens with a list of revoked ones. */
  readonly endsSessions: boolean
}

interface Step {
  readonly action: Action
  readonly claim: Claim
  readonly before: { readonly seen: Seen; readonly truth: Truth }
  readonly after: Seen
  readonly scene: Scene
  readonly promises: Promises
}

/** Seconds for which a browser is remembered, and for which a mailed link works. */
const day = 86_400

/**
 * Compares what can be seen after an action with what the people really did, and brings the truth up to date. The rules are
 * those of the specification, written without the table of the code.
 */
export function judge(step: Step): Finding[] {
  const { scene, after, claim, action } = step
  const { truth } = scene
  const findings: Finding[] = []
  const find: Find = (id, says) => {
    const isPromised = id === undefined || findUndeclared(id, step.promises.capabilities) === undefined
    if (isPromised) findings.push({ id, says })
  }

  for (const id of Object.keys(after.users))
    if (!truth.users[id]) {
      const password = after.users[id]?.password === undefined ? undefined : claim.password
      if (claim.proof) truth.users[id] = { owner: claim.proof.by, epoch: 0, password }
      else find('FI-09', 'a user was created although nobody proved anything')
    }
  for (const id of Object.keys(truth.users)) if (!after.users[id]) delete truth.users[id]
  passToOwner(step)

  checkFaults(scene.world.replies, find)
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
      find(undefined, `${browser} has a session of ${ownerOf(truth, user)}, who proved nothing there`)
    else if (step.promises.endsSessions)
      find(session.epoch < 0 ? 'SE-10' : 'POL-03', `the session at ${browser} works, although it has ended`)
  }
  checkAuthentications(step, find)
  holdProof(step)
  for (const hop of scene.world.playback?.hops ?? [])
    if (!isEdge(hop)) find('MD-02', `${hop} is no edge of the charts`)
  return findings
}

/** The person who first proves the address of a user is its owner from then on. */
function passToOwner(step: Step): void {
  for (const [id, user] of Object.entries(step.scene.truth.users))
    if (step.claim.proof && isFirstProof(step, id)) user.owner = step.claim.proof.by
}

/** A mailed link proves an address, and so does a provider that vouches for it, when it leads into the user from outside. */
function isFirstProof({ before, after, claim, action }: Step, id: string): boolean {
  const [then, now] = [before.seen.users[id], after.users[id]]
  if (!then || !now || then.isProven || !claim.proof) return false
  const { way, account } = claim.proof
  if (way === 'mail') return now.isProven
  const isOutside = action.in !== undefined && before.seen.who[action.in] !== id
  const name = account && `${account.provider} ${account.id}`
  return name !== undefined && isOutside && !then.accounts.includes(name) && now.accounts.includes(name)
}

type Find = (id: RequirementId | undefined, says: string) => void

const ownerOf = (truth: Truth, user: string) => truth.users[user]?.owner ?? 'nobody'

function checkFaults(replies: readonly HandledRequest[], find: Find): void {
  for (const { request, reply } of replies) {
    if (reply.status >= 500)
      find('FI-01', `${request.method} ${new URL(request.url).pathname} returns ${reply.status}`)
  }
}

/** A session that begins: by a proof in this browser, or by a code after one. */
function openSession({ scene, before, claim, after }: Step, browser: string, user: string, find: Find): void {
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
    if (claim.proof.by !== owner && !isKept)
      find('AL-01', `the proof of ${claim.proof.by} opens a session of ${owner} at ${browser}`)
    checkMail(before.truth, claim.proof, user, now, find)
  } else if (!isOf(waits)) {
    find(
      'SF-10',
      `a code opens a session at ${browser}, although no first factor of this account waits there`,
    )
  }
  // A session of this user in this browser had the second factor already.
  const wasIn = before.seen.who[browser] === user && before.truth.browsers[browser]?.session?.user === user
  const hasCode = claim.code?.isRight === true
  const passes = wasIn || hasCode
  if (was?.app && !passes && !isTrusted(before.truth, browser, user, scene))
    find('SF-01', `${owner} is signed in at ${browser} without the second factor`)
  const epoch = truth.users[user]?.epoch ?? 0
  const held = before.truth.browsers[browser]?.session
  const hasFactor = hasCode || (wasIn && held?.hasFactor === true)
  const by = claim.proof?.account?.provider ?? waits?.by
  facts.session = {
    id: crypto.randomUUID(),
    user,
    epoch,
    at: now,
    hasFactor,
    ...(by !== undefined && { by }),
  }
  if (claim.code?.remembers) facts.trusted = { id: crypto.randomUUID(), user, epoch, at: now }
  delete facts.waits
  useMail(truth, claim.proof?.mail ?? waits?.mail, after.users[user], before.seen.users[user])
}

/** Tells whether a browser may leave out the second factor of a user. */
function isTrusted({ browsers, users }: Truth, browser: string, user: string, { world }: Scene): boolean {
  const { trusted } = browsers[browser] ?? {}
  if (trusted?.user !== user || trusted.epoch !== users[user]?.epoch) return false
  return world.clock.now() - trusted.at <= day * 1000
}

/** A mailed link works once, until it expires, and until its account changes. */
function checkMail(truth: Truth, { mail }: Proof, user: string, now: number, find: Find): void {
  const held = truth.mails.find(({ id }) => id === mail)
  if (!held) return
  if (held.used) find('SU-01', 'a link that was used opens another session')
  if (held.user === user && held.epoch !== truth.users[user]?.epoch)
    find('STM-02', 'a link from before a change of the account opens a session')
  if (now - held.at > day * 1000) find('SU-03', 'a link opens a session after its lifetime')
}

/** A link that sets a password is used up by the password, and every other one by the session. */
function useMail(truth: Truth, mail: string | undefined, after?: Credentials, before?: Credentials): void {
  const held = truth.mails.find(({ id }) => id === mail)
  if (held && (held.kind !== 'password' || after?.password !== before?.password)) held.used = true
}

/** A code, or a proof of a credential that the user had before, makes a session fresh again. */
function renewProof({ scene, claim, before, action }: Step, browser: string, user: string): void {
  const { session } = scene.truth.browsers[browser] ?? {}
  const { proof, code } = claim
  if (session && code?.isRight && action.in === browser) {
    const at = scene.world.clock.now()
    Object.assign(session, { at, hasFactor: true })
    const facts = scene.truth.browsers[browser]
    if (facts && code.remembers) facts.trusted = { id: crypto.randomUUID(), user, epoch: session.epoch, at }
  }
  // With a second factor, the proof counts as soon as the code is entered, or at once in a browser that is remembered.
  const isPending =
    before.truth.users[user]?.app !== undefined && !isTrusted(before.truth, browser, user, scene)
  if (!session || !proof || isPending || scene.truth.users[user]?.owner !== proof.by) return
  if (hadBefore(before.seen.users[user], proof)) session.at = scene.world.clock.now()
}

function hadBefore(credentials: Credentials | undefined, { way, account, address }: Proof): boolean {
  if (!credentials) return false
  if (account) return credentials.accounts.includes(`${account.provider} ${account.id}`)
  if (way === 'mail') return credentials.isProven && credentials.address === address
  return way === 'passkey' ? credentials.passkeys.length > 0 : credentials.password !== undefined
}

/** Checks that only the user changes how they sign in, with everything that this needs, and keeps a way in. */
function checkCredentials(step: Step, find: Find): void {
  const { before, after, scene, claim, action, promises } = step
  const { truth } = scene
  for (const id of Object.keys(before.seen.users))
    if (!after.users[id] && !claim.byApplication) judgeChanges(step, id, ['the account was deleted'], find)
  for (const [user, now] of Object.entries(after.users)) {
    const then = before.seen.users[user]
    for (const account of now.accounts) {
      const owner = ownerOf(truth, user)
      const isNew = !then?.accounts.includes(account)
      if (isNew && !account.includes(` ${owner}-`))
        find('AL-01', `the account ${account} is linked to ${owner}`)
    }
    if (!then) continue
    if (countWays(then, promises) > 0 && countWays(now, promises) === 0)
      find('ACP-09', `${ownerOf(truth, user)} has lost the last way to sign in`)
    const isIn = action.in !== undefined && before.truth.browsers[action.in]?.session?.user === user
    const changes = [
      ...listChanges(then, now),
      ...(claim.enrolled && isIn && then.hasFactor ? ['the app was replaced'] : []),
      ...(claim.renewed?.user === user ? ['the recovery codes were renewed'] : []),
    ]
    if (changes.length === 0 || claim.byApplication || !action.in) continue
    judgeChanges(step, user, changes, find)
  }
}

/** A change of an account needs its session, a recent one with its second factor, or a proof of as much. */
function judgeChanges(
  { before, after, scene, claim, action, promises }: Step,
  user: string,
  changes: string[],
  find: Find,
): void {
  const { truth, world } = scene
  if (action.in === undefined) return
  const was = before.truth.users[user]
  const said = `${was?.owner ?? ownerOf(truth, user)}’s account: ${changes.join(', ')}`
  const held = before.truth.browsers[action.in]?.session
  const wasIn = before.seen.who[action.in] === user && held?.user === user
  const isProven = claim.proof && hadBefore(before.seen.users[user], claim.proof)
  const hasCode = claim.code?.isRight === true
  if (!wasIn && after.who[action.in] !== user) find('POL-01', `${said}, without a session`)
  if (wasIn && was?.app && !held.hasFactor && !hasCode) find('POL-02', `${said}, without the second factor`)
  const isStale = wasIn && world.clock.now() - held.at > (promises.freshness ?? Infinity) * 1000
  const demandsFresh = changes.some((change) => !/password|address/.test(change))
  if (isStale && demandsFresh && !isProven && !hasCode)
    find('POL-02', `${said}, by a session that is not fresh`)
}

function countWays(
  { accounts, passkeys, isProven, password }: Credentials,
  { mailsLinks }: Promises,
): number {
  return accounts.length + passkeys.length + (isProven && (mailsLinks || password !== undefined) ? 1 : 0)
}

/** Names the changes of an account. */
function listChanges(before: Credentials, after: Credentials): string[] {
  const added = (some: readonly string[], others: readonly string[]) =>
    others.some((each) => !some.includes(each))
  return [
    ...(added(before.accounts, after.accounts) ? ['an account was added'] : []),
    ...(added(after.accounts, before.accounts) ? ['an account was removed'] : []),
    ...(added(before.passkeys, after.passkeys) ? ['a passkey was added'] : []),
    ...(added(after.passkeys, before.passkeys) ? ['a passkey was removed'] : []),
    ...(before.password === after.password ? [] : ['the password was set']),
    ...(before.address === after.address ? [] : ['the address was changed']),
    ...(before.isProven === after.isProven ? [] : ['the address was proven']),
    ...(before.hasFactor === after.hasFactor ? [] : ['the second factor was set or removed']),
  ]
}

/** Changes that end what is open, pending or trusted. Adding a way to sign in ends nothing. */
const ending = /removed|password|address|second factor/

/** A provider's logout ends the sessions that it opened, and what waits because of it, in every copy. */
function noteLogout({ scene: { truth }, claim }: Step): void {
  const { loggedOut } = claim
  if (!loggedOut) return
  const isEnded = (each: { readonly user: string; readonly by?: string | undefined } | undefined) =>
    each?.by === loggedOut.provider && truth.users[each.user]?.owner === loggedOut.person
  for (const browser of Object.values(truth.browsers))
    for (const facts of [browser, browser.saved]) {
      if (facts?.session && isEnded(facts.session)) facts.session.epoch = -1
      if (facts && isEnded(facts.waits)) delete facts.waits
    }
}

/** Ends what a change ends. The browser that asked for it keeps its session, or opens another one in the same step. */
function noteEnds(step: Step, find: Find): void {
  const { before, after, scene, claim, action } = step
  const { truth } = scene
  for (const [id, user] of Object.entries(truth.users)) {
    const [then, now] = [before.seen.users[id], after.users[id]]
    const changes = then && now ? listChanges(then, now).filter((change) => ending.test(change)) : []
    const isEnrolled =
      claim.enrolled !== undefined && action.in !== undefined && isIn(before.truth, action.in, id)
    const isEnded = claim.ended?.user === id
    const isFirst = isFirstProof(step, id)
    if (changes.length === 0 && !isEnrolled && !isEnded && !isFirst) continue
    user.epoch += 1
    const isReset =
      isFirst || (changes.some((change) => /password/.test(change)) && claim.proof !== undefined)
    const keeps = isEnded ? claim.ended.keeps : !isReset
    const { session } = (action.in !== undefined && truth.browsers[action.in]) || {}
    // A copy of the cookies holds the same session.
    if (keeps && session?.user === id) for (const each of copiesOf(truth, session.id)) each.epoch = user.epoch
    if (keeps && action.in !== undefined && isIn(before.truth, action.in, id) && after.who[action.in] !== id)
      find('POL-03', `the session at ${action.in} has ended, although its user keeps it with this change`)
    if (isEnrolled) {
      user.formerApp = user.app
      user.app = claim.enrolled
      if (session?.user === id) session.hasFactor = true
    }
    if (then?.hasFactor && !now?.hasFactor) delete user.app
    if (claim.renewed?.user === id && user.app) user.app.recovery = claim.renewed.recovery
    if (then?.password !== now?.password) {
      user.formerPassword = user.password
      user.password = claim.password
      useMail(truth, claim.proof?.mail, now, then)
    }
    if (claim.proof?.mail !== undefined && then?.address !== now?.address)
      useMail(truth, claim.proof.mail, now, then)
  }
}

/** A sign-out ends the session and the waiting sign-in of a browser, also in copies of its cookies. */
function endCopies({ before, after, scene, claim, action }: Step): void {
  if (!claim.signedOut || action.in === undefined || after.who[action.in] !== undefined) return
  const { session, waits } = before.truth.browsers[action.in] ?? {}
  const isCopy = (id: string | undefined, of: string | undefined) => id !== undefined && id === of
  delete scene.truth.browsers[action.in]?.waits
  for (const facts of Object.values(scene.truth.browsers))
    for (const each of [facts, facts.saved]) {
      if (each?.session && isCopy(each.session.id, session?.id)) each.session.epoch = -1
      if (isCopy(each?.waits?.id, waits?.id)) delete each?.waits
    }
}

function copiesOf({ browsers }: Truth, id: string): SessionTruth[] {
  const all = Object.values(browsers).flatMap(({ session, saved }) => [session, saved?.session])
  return all.filter((each): each is SessionTruth => each?.id === id)
}

function isIn({ browsers }: Truth, browser: string, user: string): boolean {
  return browsers[browser]?.session?.user === user
}

/** No session says more about the authentication of its user than the user did. */
function checkAuthentications({ after, scene }: Step, find: Find): void {
  for (const [browser, said] of Object.entries(after.says)) {
    const { session } = scene.truth.browsers[browser] ?? {}
    if (!said || !session) continue
    if (said.at !== undefined && said.at * 1000 > session.at)
      find('POL-04', `the session at ${browser} is newer than the last proof of its user`)
    if (said.hasFactor && !session.hasFactor)
      find('SF-01', `the session at ${browser} says that it has the second factor`)
  }
}

/** A first factor that opened no session waits for the second, if the user has one. */
function holdProof({ scene, claim, before, after, action }: Step): void {
  const { truth, world } = scene
  if (!claim.proof || action.in === undefined) return
  const facts = (truth.browsers[action.in] ??= {})
  const { proof } = claim
  const users = Object.entries(truth.users)
  // A provider may vouch for an address, and so lead into a user who has no account there yet.
  const [id, user] =
    users.find(([each]) => hadBefore(before.seen.users[each], proof)) ??
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
      ...(proof.mail !== undefined && { mail: proof.mail }),
      ...(proof.account && { by: proof.account.provider }),
    }
}
