import type { Credentials } from '../observe.ts'
import type { Proof, Truth } from '../truth.ts'
import type { Find, Step } from './step.ts'

/** Seconds for which a browser is remembered, and for which a mailed link works. */
export const day = 86_400

/**
 * Checks that a mailed link or code works once, and only until it expires or its account changes. A code also stops
 * working when the browser requests another one.
 */
export function checkMail(
  { before: { truth }, scene, promises }: Step,
  { mail }: Proof,
  user: string,
  effect: string,
  find: Find,
): void {
  const held = truth.mails.find(({ id }) => id === mail)
  if (!held) return
  if (held.used) find('SU-01', `a link that was used ${effect}`, 'the link is refused: it works once')
  if (held.user === user && held.epoch !== truth.users[user]?.epoch)
    find(
      'STM-02',
      `a link from before a change of the account ${effect}`,
      'the link is refused: the change has ended it',
    )
  if (scene.world.clock.now() - held.at > day * 1000)
    find('SU-03', `a link ${effect} after its lifetime`, 'the link is refused: it has expired')
  const isOlder = truth.mails.some(
    ({ kind, browser, at }) => kind === 'sign-in' && browser === held.browser && at > held.at,
  )
  if (isOlder && promises.mailsCodes && held.kind === 'sign-in')
    find(
      'CD-06',
      `a code ${effect}, although its browser requested another one since`,
      'only the newest code of a browser works',
    )
}

/**
 * Notes that a link is used: a link for a password when the new password is set, and every other link when the session
 * begins.
 */
export function useMail(
  truth: Truth,
  mail: string | undefined,
  after?: Credentials,
  before?: Credentials,
): void {
  const held = truth.mails.find(({ id }) => id === mail)
  if (held && (held.kind !== 'password' || after?.password !== before?.password)) held.used = true
}
