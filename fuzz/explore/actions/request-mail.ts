import type { Browser } from '../../world/browser.ts'
import { type Action, browserOf, capitalise, collectMail, nameSeat, type Seat } from '../action.ts'
import type { Scene } from '../scene.ts'
import type { MailKind, Name } from '../truth.ts'

/** Requests a mail: `ask` sends the form. */
export function requestMail(
  seat: Seat,
  kind: MailKind,
  says: string,
  allows: (scene: Scene, seat: Seat) => boolean,
  ask: (scene: Scene, browser: Browser) => Promise<unknown>,
): Action {
  return {
    says: `${nameSeat(seat)} ${says}`,
    in: seat.browser,
    allows: (scene) => allows(scene, seat),
    async run(scene) {
      await ask(scene, browserOf(scene, seat.browser))
      const mail = collectMail(scene, kind, seat.browser)
      return {
        requested: mail !== undefined && kind === 'address',
        used: mail && scene.names?.('mail', mail.id),
      }
    },
  }
}

/** Names the recipient of a mail, unless it is the person who requests it. */
export function nameRecipient({ person }: Seat, to: Name): string {
  return to === person ? '' : ` for the address of ${capitalise(to)}`
}
