import { asError } from '../as-error.ts'
import type { Settings } from '../config/settings.ts'
import type { MaybePromise } from '../crypto/maybe-promise.ts'
import { once } from '../crypto/once.ts'
import { EventError } from '../errors.ts'
import { withDeadline } from '../flows/deadline.ts'
import { pageHeaders } from '../http/page-headers.ts'
import { respond, toInternal, type Answer } from '../http/respond.ts'
import type { Visit } from '../http/visit.ts'
import type { Announcement, Outbox } from '../steps/outbox.ts'
import type { EventCallbacks, ResponseInternal } from '../types/config.ts'
import type { Finished } from './answer.ts'

/**
 * Sends what is finished: logs, fires the events of what was committed, draws the page, and makes the Response; in raw
 * mode the internal object, and an error is thrown.
 */
export function finish(
  { answer, page, announces = [], logs, throws }: Finished,
  asked: Pick<Visit, 'returnsRedirect'> | Request,
  settings: Settings,
  out?: Outbox,
): MaybePromise<Response | ResponseInternal> {
  if (logs) settings.logger.error(logs)
  const complete: Answer = { ...answer, cookies: [...(out?.cookies ?? []), ...answer.cookies] }
  const returnsRedirect = 'returnsRedirect' in asked && asked.returnsRedirect
  const send = (sent: Answer) => {
    if (settings.raw && throws && !returnsRedirect) throw throws
    return settings.raw && out ? toInternal(sent) : respond(sent, { returnsRedirect })
  }
  const announcements = [...(out?.announcements ?? []), ...announces].filter(
    ({ event }) => settings.events[event] !== undefined,
  )
  if (announcements.length === 0 && !page) return send(complete)
  return (async () => {
    for (const announcement of announcements) await fire(announcement, settings)
    return send(page ? await draw(page, complete, settings) : complete)
  })()
}

/** Fires one event; what it throws is logged and changes nothing. */
async function fire({ event, message }: Announcement, { events, platform, logger }: Settings): Promise<void> {
  try {
    const hook = events[event] as ((message: unknown) => ReturnType<EventCallbacks[typeof event]>) | undefined
    await withDeadline(Promise.resolve(hook?.(message)), `the ${event} event`, platform)
  } catch (error) {
    logger.error(new EventError(asError(error), { event }))
  }
}

/** Pages are loaded when the first one is shown. */
const loadPages = once(() => import('../pages/render-page.ts'))

async function draw(
  page: NonNullable<Finished['page']>,
  answer: Answer,
  settings: Settings,
): Promise<Answer> {
  const { renderPage } = await loadPages()
  const { html, styleHash, script } = await renderPage(page, settings.theme)
  const headers = {
    ...pageHeaders({ style: styleHash, script, logo: settings.theme.logo }),
    ...answer.headers,
  }
  return { ...answer, headers, body: html }
}
