import { asError } from '../as-error.ts'
import type { Settings } from '../config/settings.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { once } from '../once.ts'
import { EventError } from '../errors.ts'
import { withDeadline } from '../flows/engine/deadline.ts'
import type { RequestParts, ResponseParts } from '../http/parts.ts'
import { type ResponseData, pageHeaders, respond, toInternal } from '../http/respond.ts'
import type { Visit } from '../http/visit.ts'
import type { Announcement, Outbox } from '../flows/engine/world.ts'
import type { EventCallbacks, ResponseInternal } from '../types/config.ts'
import type { Result } from '../flows/engine/result.ts'

/**
 * Turns a result into a response: logs the error, calls the event hooks, renders the page, and writes the response. In
 * raw mode it returns the response as data, and throws errors.
 */
export function finish<Written>(
  { page, announces = [], logs, throws, error: _error, cookies = [], ...data }: Result,
  asked: Pick<Visit, 'returnsRedirect'> | RequestParts,
  settings: Settings,
  write: (parts: ResponseParts) => Written,
  out?: Outbox,
): MaybePromise<Written | ResponseInternal> {
  if (logs) settings.logger.error(logs)
  const complete: ResponseData = { ...data, cookies: [...(out?.cookies ?? []), ...cookies] }
  const returnsRedirect = 'returnsRedirect' in asked && asked.returnsRedirect
  const send = (sent: ResponseData) => {
    if (settings.raw && throws && !returnsRedirect) throw throws
    return settings.raw && out ? toInternal(sent) : write(respond(sent, { returnsRedirect }))
  }
  const announcements = [...(out?.announcements ?? []), ...announces]
  const isHeard = announcements.some(({ event }) => settings.events[event] !== undefined)
  if (!isHeard && !page) return send(complete)
  return (async () => {
    if (isHeard) await fireEvents(announcements, settings)
    return send(page ? await render(page, complete, settings) : complete)
  })()
}

/** Calls the configured event hooks one after the other. */
export async function fireEvents(announcements: readonly Announcement[], settings: Settings): Promise<void> {
  for (const announcement of announcements)
    if (settings.events[announcement.event] !== undefined) await fire(announcement, settings)
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

/** Loads the pages when the first one is rendered. */
const loadPages = once(() => import('../pages/render-page.ts'))

async function render(
  page: NonNullable<Result['page']>,
  answer: ResponseData,
  settings: Settings,
): Promise<ResponseData> {
  const { renderPage } = await loadPages()
  const { html, styleHash, script } = await renderPage(page, settings.theme)
  const headers = {
    ...pageHeaders({ style: styleHash, script, logo: settings.theme.logo }),
    ...answer.headers,
  }
  return { ...answer, headers, body: html }
}
