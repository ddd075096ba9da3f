import type { Credentials } from '../observe.ts'
import type { Proof, Truth } from '../truth.ts'
import type { Find } from './step.ts'

/** Seconds for which a browser is remembered, and for which a mailed link works. */
export const day = 86_400

/** Checks that a mailed link works once, until it expires, and until its account changes. */
export function checkMail(truth: Truth, { mail }: Proof, user: string, now: number, find: Find): void {
  const held = truth.mails.find(({ id }) => id === mail)
  if (!held) return
  if (held.used) find('SU-01', 'a link that was used opens another session')
  if (held.user === user && held.epoch !== truth.users[user]?.epoch)
    find('STM-02', 'a link from before a change of the account opens a session')
  if (now - held.at > day * 1000) find('SU-03', 'a link opens a session after its lifetime')
}

/** Notes that a link is used: one for a password by the new password, and every other one by the session. */
export function useMail(
  truth: Truth,
  mail: string | undefined,
  after?: Credentials,
  before?: Credentials,
): void {
  const held = truth.mails.find(({ id }) => id === mail)
  if (held && (held.kind !== 'password' || after?.password !== before?.password)) held.used = true
}
