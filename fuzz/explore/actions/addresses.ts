import { confirmChange, requestChange } from '../../properties/support/email-changes.ts'
import { type Action, browserOf, collectMail, findMail, isIn, nameSeat, type Seat } from '../action.ts'

const newAddressOf = ({ person }: Seat) => `${person}@new.example`

/** Asks to change the address. */
export function requestAddress(seat: Seat): Action {
  return {
    says: `${nameSeat(seat)} asks to change the address`,
    in: seat.browser,
    needs: 'email-change',
    allows: (scene) => isIn(scene, seat),
    async run(scene) {
      await requestChange(scene.world, browserOf(scene, seat.browser), newAddressOf(seat))
      collectMail(scene, 'address')
      return {}
    },
  }
}

/** Confirms the change by a mailed link. */
export function confirmAddress(seat: Seat, age: 'newest' | 'older'): Action {
  return {
    says: `${nameSeat(seat)} confirms the address by the ${age === 'newest' ? 'newest link' : 'link before'}`,
    in: seat.browser,
    needs: 'email-change',
    allows: (scene) => findMail(scene, 'address', newAddressOf(seat), age) !== undefined,
    async run(scene) {
      const mail = findMail(scene, 'address', newAddressOf(seat), age)
      if (mail) await confirmChange(browserOf(scene, seat.browser), { ...mail, link: new URL(mail.link) })
      return mail ? { proof: { by: seat.person, way: 'mail', mail: mail.id, address: mail.to } } : {}
    },
  }
}
