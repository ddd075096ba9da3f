import { asError } from '../errors/as-error.ts'
import type { Settings } from '../config/settings.ts'
import { EmailSignInError, EventError } from '../errors/classes.ts'
import { respondInTime, withDeadline } from '../flows/engine/deadline.ts'
import type { Announced, Announcement } from '../flows/engine/world.ts'
import type { MaybePromise } from '../async/maybe-promise.ts'
import type { AccountNotice } from '../types/account-notice.ts'
import type { EventCallbacks } from '../types/callbacks.ts'

/** Calls the configured event hooks one after the other, and sends the notices of each change. */
export function fireEvents(announcements: readonly Announced[], settings: Settings): MaybePromise<void> {
  const isHeard = ({ event, notices = [] }: Announced) =>
    settings.events[event] !== undefined || (settings.sendNotice !== undefined && notices.length > 0)
  if (announcements.some(isHeard)) return fireInTurn(announcements.filter(isHeard), settings)
}

async function fireInTurn(announcements: readonly Announced[], settings: Settings): Promise<void> {
  for (const announcement of announcements) {
    await fire(announcement, settings)
    for (const notice of announcement.notices ?? []) await send(notice, settings)
  }
}

/** Sends one notice. A failure does not undo the change. */
async function send(notice: AccountNotice, { sendNotice, platform, logger }: Settings): Promise<void> {
  try {
    await respondInTime(Promise.resolve(sendNotice?.(notice)), 'sendNotice', platform)
  } catch (error) {
    logger.error(new EmailSignInError('A notice could not be sent', asError(error)))
  }
}

/** Calls one event hook. An error is logged and changes nothing. */
async function fire({ event, message }: Announcement, { events, platform, logger }: Settings): Promise<void> {
  try {
    const hook = events[event] as ((message: unknown) => ReturnType<EventCallbacks[typeof event]>) | undefined
    await withDeadline(Promise.resolve(hook?.(message)), `the ${event} event`, platform)
  } catch (error) {
    logger.error(new EventError(asError(error), { event }))
  }
}
