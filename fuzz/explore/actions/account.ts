import { formsFor, sendForm } from '../../properties/support/account.ts'
import { type Action, browserOf, factsOf, isIn, nameSeat, type Seat } from '../action.ts'
import type { Name } from '../truth.ts'

/** Sends a form of the account page: the first for a change, or the last. */
function useAccountPage(seat: Seat, change: string, says: string, which: 0 | -1 = 0): Action {
  return {
    says: `${nameSeat(seat)} ${says}`,
    in: seat.browser,
    needs: 'account-page',
    allows: (scene) => isIn(scene, seat),
    async run(scene) {
      const browser = browserOf(scene, seat.browser)
      const user = factsOf(scene, seat.browser).session?.user
      const forms = await formsFor(scene.world, browser, change)
      const form = forms.at(which)
      if (!form) return {}
      const confirmation = change === 'delete-user' && {
        confirmation: scene.world.rows.users.find(({ id }) => id === user)?.email ?? '',
      }
      const reply = await sendForm(scene.world, browser, form, { ...confirmation })
      const isDone = reply.status < 400 && !reply.location?.searchParams.has('error')
      const ends = change === 'end-other-sessions' && isDone && user !== undefined
      return ends ? { ended: { user, keeps: true } } : {}
    },
  }
}

export const endOtherSessions = (seat: Seat): Action =>
  useAccountPage(seat, 'end-other-sessions', 'ends the other sessions')

export const endListedSession = (seat: Seat): Action =>
  useAccountPage(seat, 'end-session', 'ends the first session of the list')

/** Accounts at providers come before passkeys. */
export const removeFirstWay = (seat: Seat): Action =>
  useAccountPage(seat, 'unlink', 'removes the first entry of the list of accounts and passkeys')

export const removeLastWay = (seat: Seat): Action =>
  useAccountPage(seat, 'unlink', 'removes the last entry of the list of accounts and passkeys', -1)

export const deleteUser = (seat: Seat): Action => useAccountPage(seat, 'delete-user', 'deletes the account')

/** The application ends all sessions of a person. */
export function revokeSessions(person: Name): Action {
  return {
    says: `the application ends all sessions of ${person}`,
    needs: 'user-disable',
    allows: ({ truth }) => Object.values(truth.users).some(({ owner }) => owner === person),
    async run({ truth, world }) {
      const [user] = Object.entries(truth.users).find(([, { owner }]) => owner === person) ?? []
      if (user === undefined) return {}
      await world.operations?.revokeSessions?.(user)
      return { byApplication: true, ended: { user, keeps: false } }
    },
  }
}
