import type { Name } from '../truth.ts'
import {
  type Action,
  browserOf,
  capitalise,
  collectMail,
  findMail,
  isFree,
  nameSeat,
  type Seat,
} from '../action.ts'

/** Requests a link, for the own address or for that of another person. */
export function requestLink(seat: Seat, to: Name = seat.person): Action {
  const of = to === seat.person ? '' : ` for the address of ${capitalise(to)}`
  return {
    says: `${nameSeat(seat)} requests a link${of}`,
    in: seat.browser,
    allows: (scene) => isFree(scene, seat),
    async run(scene) {
      await browserOf(scene, seat.browser).start('mail', { email: scene.world.people[to].address.mail })
      collectMail(scene, 'sign-in')
      return {}
    },
  }
}

/** Opens a link that was mailed to this person. */
export function openLink(seat: Seat, age: 'newest' | 'older'): Action {
  return {
    says: `${nameSeat(seat)} opens the ${age === 'newest' ? 'newest link' : 'link before'}`,
    in: seat.browser,
    allows: (scene) =>
      isFree(scene, seat) && findMail(scene, 'sign-in', addressOf(seat), age) !== undefined,
    async run(scene) {
      const mail = findMail(scene, 'sign-in', addressOf(seat), age)
      if (!mail) return {}
      await browserOf(scene, seat.browser).followLink({ ...mail, link: new URL(mail.link) })
      return { proof: { by: seat.person, way: 'mail', mail: mail.link, address: mail.to } }
    },
  }
}

const addressOf = ({ person }: Seat) => `${person}@mail.example`
