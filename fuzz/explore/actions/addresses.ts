import { confirmChange, requestChange } from '../../properties/support/email-changes.ts'
import { type Action, type Age, browserOf, findMail, isIn, nameLink, nameSeat, type Seat } from '../action.ts'
import { requestMail } from './request-mail.ts'

const newAddressOf = ({ person }: Seat) => `${person}@new.example`

/** Requests a link to another address. */
export function requestAddress(seat: Seat): Action {
  return {
    ...requestMail(seat, 'address', 'asks to change the address', isIn, ({ world }, browser) =>
      requestChange(world, browser, newAddressOf(seat)),
    ),
    needs: 'email-change',
  }
}

/** Confirms the change by a mailed link. */
export function confirmAddress(seat: Seat, age: Age): Action {
  return {
    says: `${nameSeat(seat)} confirms the address by the ${nameLink(age)}`,
    in: seat.browser,
    needs: 'email-change',
    allows: (scene) => findMail(scene, 'address', newAddressOf(seat), age) !== undefined,
    async run(scene) {
      const mail = findMail(scene, 'address', newAddressOf(seat), age)
      if (mail) await confirmChange(browserOf(scene, seat.browser), { ...mail, link: new URL(mail.link) })
      return mail
        ? {
            used: scene.names?.('mail', mail.id),
            proof: { by: seat.person, way: 'mail', mail: mail.id, address: mail.to },
          }
        : {}
    },
  }
}
