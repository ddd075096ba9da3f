import { enterCode as sendMailedCode, misread } from '../../properties/support/codes.ts'
import {
  type Action,
  addressOf,
  type Age,
  browserOf,
  findMail,
  isFree,
  isIn,
  nameLink,
  nameSeat,
  type Seat,
} from '../action.ts'
import type { Scene } from '../scene.ts'
import type { Name } from '../truth.ts'
import { nameRecipient, requestMail } from './request-mail.ts'

/** Requests a link or a code, for the person's own address or for that of another person. */
export function requestLink(seat: Seat, to: Name = seat.person): Action {
  const says = `requests a link${nameRecipient(seat, to)}`
  return requestMail(seat, 'sign-in', says, isFree, (_, browser) =>
    browser.start('mail', { email: addressOf(to) }),
  )
}

/** Requests a link that adds the address to the user of the session. */
export function requestLinkToAdd(seat: Seat): Action {
  return requestMail(seat, 'sign-in', 'requests a link to add an address', isIn, (_, browser) =>
    browser.start('mail', { email: addressOf(seat.person), link: 'true' }),
  )
}

/** Enters a mailed code. */
export function enterMailedCode(seat: Seat, age: 'newest' | 'older' | 'wrong'): Action {
  const mailIn = (scene: Scene) =>
    findMail(scene, 'sign-in', addressOf(seat.person), age === 'older' ? 'older' : 'newest')
  return {
    says: `${nameSeat(seat)} enters ${age === 'wrong' ? 'a wrong code' : `the ${age} mailed code`}`,
    in: seat.browser,
    needs: 'mail-codes',
    allows: (scene) => isFree(scene, seat) && mailIn(scene) !== undefined,
    async run(scene) {
      const mail = mailIn(scene)
      const token = mail?.token ?? ''
      const code = age === 'wrong' ? misread(token, 1) : token
      await sendMailedCode(scene.world, browserOf(scene, seat.browser), code)
      if (age === 'wrong' || !mail) return {}
      return {
        used: scene.names?.('mail', mail.id),
        proof: { by: seat.person, way: 'mail', mail: mail.id, address: mail.to },
      }
    },
  }
}

/** Opens a link that was mailed to this person. */
export function openLink(seat: Seat, age: Age): Action {
  return {
    says: `${nameSeat(seat)} opens the ${nameLink(age)}`,
    in: seat.browser,
    allows: (scene) =>
      isFree(scene, seat) && findMail(scene, 'sign-in', addressOf(seat.person), age) !== undefined,
    async run(scene) {
      const mail = findMail(scene, 'sign-in', addressOf(seat.person), age)
      if (!mail) return {}
      await browserOf(scene, seat.browser).followLink({ ...mail, link: new URL(mail.link) })
      return {
        used: scene.names?.('mail', mail.id),
        proof: { by: seat.person, way: 'mail', mail: mail.id, address: mail.to },
      }
    },
  }
}
