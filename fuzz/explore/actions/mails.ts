import { enterCode as sendMailedCode, misread } from '../../properties/support/codes.ts'
import type { Scene } from '../scene.ts'
import type { Name } from '../truth.ts'
import {
  type Action,
  browserOf,
  capitalise,
  collectMail,
  findMail,
  isFree,
  isIn,
  nameSeat,
  type Seat,
} from '../action.ts'

/** Requests a link or a code, for the own address or for that of another person. */
export function requestLink(seat: Seat, to: Name = seat.person): Action {
  const of = to === seat.person ? '' : ` for the address of ${capitalise(to)}`
  return request(seat, to, `requests a link${of}`)
}

/** Requests a link that adds the address to the user of the session. */
export function requestLinkToAdd(seat: Seat): Action {
  return {
    ...request(seat, seat.person, 'requests a link to add an address', { link: 'true' }),
    allows: (scene) => isIn(scene, seat),
  }
}

function request(seat: Seat, to: Name, says: string, form: Readonly<Record<string, string>> = {}): Action {
  return {
    says: `${nameSeat(seat)} ${says}`,
    in: seat.browser,
    allows: (scene) => isFree(scene, seat),
    async run(scene) {
      const email = scene.world.people[to].address.mail
      await browserOf(scene, seat.browser).start('mail', { email, ...form })
      collectMail(scene, 'sign-in')
      return {}
    },
  }
}

/** Enters a mailed code. */
export function enterMailedCode(seat: Seat, age: 'newest' | 'older' | 'wrong'): Action {
  const mailIn = (scene: Scene) =>
    findMail(scene, 'sign-in', addressOf(seat), age === 'older' ? 'older' : 'newest')
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
      return { proof: { by: seat.person, way: 'mail', mail: mail.id, address: mail.to } }
    },
  }
}

/** Opens a link that was mailed to this person. */
export function openLink(seat: Seat, age: 'newest' | 'older'): Action {
  return {
    says: `${nameSeat(seat)} opens the ${age === 'newest' ? 'newest link' : 'link before'}`,
    in: seat.browser,
    allows: (scene) => isFree(scene, seat) && findMail(scene, 'sign-in', addressOf(seat), age) !== undefined,
    async run(scene) {
      const mail = findMail(scene, 'sign-in', addressOf(seat), age)
      if (!mail) return {}
      await browserOf(scene, seat.browser).followLink({ ...mail, link: new URL(mail.link) })
      return { proof: { by: seat.person, way: 'mail', mail: mail.id, address: mail.to } }
    },
  }
}

const addressOf = ({ person }: Seat) => `${person}@mail.example`
