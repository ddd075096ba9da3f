import { asError } from '../as-error.ts'
import type { Settings } from '../config/settings.ts'
import { EventError } from '../errors.ts'
import { withDeadline } from '../flows/engine/deadline.ts'
import type { Announcement } from '../flows/engine/world.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { EventCallbacks } from '../types/callbacks.ts'

/** Calls the configured event hooks one after the other. */
export function fireEvents(announcements: readonly Announcement[], settings: Settings): MaybePromise<void> {
  const isHeard = ({ event }: Announcement) => settings.events[event] !== undefined
  if (announcements.some(isHeard)) return fireInTurn(announcements.filter(isHeard), settings)
}

async function fireInTurn(announcements: readonly Announcement[], settings: Settings): Promise<void> {
  for (const announcement of announcements) await fire(announcement, settings)
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
