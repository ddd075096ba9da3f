import { change, choose, enter, requestReset } from '../../properties/support/passwords.ts'
import type { Scene } from '../scene.ts'
import type { Name } from '../truth.ts'
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
  userIn,
} from '../action.ts'
import { nameRecipient, requestMail } from './request-mail.ts'

/** Each new password differs from the one before. */
const passwordsOf = (person: Name) =>
  [`the first password of ${person}`, `the other password of ${person}`] as const

function nextPassword({ truth }: Scene, person: Name): string {
  const [first, other] = passwordsOf(person)
  return Object.values(truth.users).some(({ owner, password }) => owner === person && password === first)
    ? other
    : first
}

function passwordOf({ truth }: Scene, person: Name, age: 'current' | 'former'): string | undefined {
  const user = Object.values(truth.users).find(
    ({ owner, password }) => owner === person && password !== undefined,
  )
  return age === 'current' ? user?.password : user?.formerPassword
}

/** Requests a link that sets the password. */
export function requestPasswordLink(seat: Seat, to: Name = seat.person): Action {
  const says = `requests a link for the password${nameRecipient(seat, to)}`
  return {
    ...requestMail(seat, 'password', says, isFree, ({ world }, browser) =>
      requestReset(world, browser, addressOf(to)),
    ),
    needs: 'passwords',
  }
}

/** Chooses a password by a mailed link. */
export function choosePassword(seat: Seat, age: Age): Action {
  const mailIn = (scene: Scene) => findMail(scene, 'password', addressOf(seat.person), age)
  return {
    says: `${nameSeat(seat)} chooses a password by the ${nameLink(age)}`,
    in: seat.browser,
    needs: 'passwords',
    allows: (scene) => isFree(scene, seat) && mailIn(scene) !== undefined,
    async run(scene) {
      const mail = mailIn(scene)
      if (!mail) return {}
      const password = nextPassword(scene, seat.person)
      const browser = browserOf(scene, seat.browser)
      await choose(scene.world, browser, { ...mail, link: new URL(mail.link) }, password)
      return {
        password,
        used: scene.names?.('mail', mail.id),
        proof: { by: seat.person, way: 'mail', mail: mail.id, address: mail.to },
      }
    },
  }
}

/** Signs in with the current password, or tries the one before. */
export function enterPassword(seat: Seat, age: 'current' | 'former'): Action {
  return {
    says: `${nameSeat(seat)} enters the ${age} password`,
    in: seat.browser,
    needs: 'passwords',
    allows: (scene) => isFree(scene, seat) && passwordOf(scene, seat.person, age) !== undefined,
    async run(scene) {
      const password = passwordOf(scene, seat.person, age) ?? ''
      await enter(scene.world, browserOf(scene, seat.browser), addressOf(seat.person), password)
      return age === 'current'
        ? { proof: { by: seat.person, way: 'password', address: addressOf(seat.person) } }
        : {}
    },
  }
}

/** Changes the password of the session. */
export function changePassword(seat: Seat): Action {
  return {
    says: `${nameSeat(seat)} changes the password`,
    in: seat.browser,
    needs: 'passwords',
    allows: (scene) => isIn(scene, seat) && userIn(scene, seat.browser)?.password !== undefined,
    async run(scene) {
      const current = userIn(scene, seat.browser)?.password ?? ''
      const password = nextPassword(scene, seat.person)
      await change(scene.world, browserOf(scene, seat.browser), current, password)
      return { password }
    },
  }
}
