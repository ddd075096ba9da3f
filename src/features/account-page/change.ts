import type { Settings } from '../../config/settings.ts'
import { chooseSessions, isLive, readUserSessions } from '../../session/user-sessions.ts'
import { check, checking } from '../../policy/check-change.ts'
import { ruleOf } from '../../policy/table.ts'
import { tell } from '../../policy/tell.ts'
import { removeUser } from '../../session/remove-user.ts'
import { step } from '../../flows/engine/step.ts'
import { requireStore } from '../../flows/engine/world.ts'

/** The changes that the forms of the page request, each with the event that leads to it. */
const changes = {
  'end-session': 'session.chosen',
  'end-other-sessions': 'others.chosen',
  'name-passkey': 'name.chosen',
} as const

/** The changes that need a recent sign-in. */
const sensitive = {
  unlink: 'way.chosen',
  'renew-recovery-codes': 'codes.chosen',
  'remove-factor': 'removal.chosen',
  'delete-user': 'deletion.chosen',
} as const

function isOneOf<T extends object>(table: T, name: unknown): name is keyof T {
  return typeof name === 'string' && Object.hasOwn(table, name)
}

/** Tells whether the adapter or the list of revocations can end one session of the user, or all other sessions. */
export function canEnd(change: 'end-session' | 'end-other-sessions', settings: Settings): boolean {
  const { session, store, jwt } = settings
  if (session.strategy === 'database') return store?.has('listSessionsByUserId') ?? false
  return change === 'end-other-sessions' && jwt.revocations !== undefined
}

/** Reads which form was sent. Anything else shows the page. */
export const chooseChange = step({
  needs: ['visit'],
  says: {
    'page.wanted': [],
    'change.unavailable': ['notice'],
    'session.chosen': ['chosen'],
    'others.chosen': ['chosen'],
    'name.chosen': ['chosen'],
    'sensitive.chosen': ['chosen', 'sensitiveChange'],
  },
  run({ visit: { body } }, { settings }) {
    const { change, id } = body
    const chosen = typeof id === 'string' ? id : ''
    if (isOneOf(sensitive, change)) return { type: 'sensitive.chosen', chosen, sensitiveChange: change }
    if (!isOneOf(changes, change)) return { type: 'page.wanted' }
    if (change !== 'name-passkey' && !canEnd(change, settings))
      return { type: 'change.unavailable', notice: 'unavailable' }
    return { type: changes[change], chosen }
  },
})

/** Decides whether the change needs a recent sign-in. */
export const chooseSensitiveChange = step({
  needs: ['sensitiveChange'],
  says: { 'way.chosen': [], 'codes.chosen': [], 'removal.chosen': [], 'deletion.chosen': [] },
  run: ({ sensitiveChange }) => ({ type: sensitive[sensitiveChange] }),
})

/** Checks the session by the row of the change. */
export const checkSensitive = step({
  ...checking,
  needs: ['currentUser', 'sensitiveChange'],
  run: ({ sensitiveChange, ...facts }, world) => check(ruleOf(sensitiveChange).demands, facts, world),
})

/** Ends the session with the chosen id, if it is the user's. */
export const endSession = step({
  needs: ['currentUser', 'chosen'],
  says: { 'session.ended': [] },
  async run({ currentUser, chosen }, world) {
    const { settings, out } = world
    const store = requireStore(world)
    const sessions = await readUserSessions(currentUser.id, store)
    for (const session of await chooseSessions(sessions, chosen)) {
      await store.deleteSession(session.sessionToken)
      if (isLive(session, settings)) out.announce({ event: 'signOut', message: { session } })
    }
    return { type: 'session.ended' }
  },
})

/** The text that confirms a deletion: the address, or a word for users who have none. */
export function phraseOf({ email }: { readonly email?: string | null }): string {
  return email || 'delete'
}

/** Checks that the user typed the address, and did not only press a button. */
export const confirmDeletion = step({
  needs: ['visit', 'currentUser'],
  says: { 'deletion.confirmed': [], 'deletion.unconfirmed': ['notice'] },
  run({ visit: { body }, currentUser }, { store }) {
    const typed = typeof body.confirmation === 'string' ? body.confirmation.trim().toLowerCase() : ''
    return typed === phraseOf(currentUser).toLowerCase() && store?.has('deleteUser')
      ? { type: 'deletion.confirmed' }
      : { type: 'deletion.unconfirmed', notice: 'unconfirmed' }
  },
})

/** Removes the user, and reports the end of each live session as a sign-out does. */
export const deleteUser = step({
  needs: ['visit', 'currentUser'],
  says: { 'user.deleted': [] },
  async run({ visit, currentUser: user }, world) {
    for (const announcement of await removeUser(user.id, requireStore(world), world.settings))
      if (announcement.event === 'deleteUser') tell('delete-user', announcement, { user, visit }, world.out)
      else world.out.announce(announcement)
    return { type: 'user.deleted' }
  },
})
