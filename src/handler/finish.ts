import type { Settings } from '../config/settings.ts'
import { type MaybePromise, whenReady } from '../async/maybe-promise.ts'
import { onceLoaded } from '../async/once.ts'
import type { RequestParts, ResponseParts } from '../http/parts.ts'
import { type ResponseData, pageHeaders, respond, toInternal } from '../http/respond.ts'
import type { Visit } from '../http/visit.ts'
import type { Outbox } from '../flows/engine/world.ts'
import type { ResponseInternal } from '../types/config.ts'
import type { Result } from '../flows/engine/result.ts'
import { fireEvents } from './fire-events.ts'

/**
 * Turns a result into a response: logs the error, calls the event hooks, renders the page, and writes the response. In
 * raw mode it returns the response as data, and throws errors.
 */
export function finish<Written>(
  result: Result,
  asked: Pick<Visit, 'returnsRedirect' | 'request'> | RequestParts,
  settings: Settings,
  write: (parts: ResponseParts) => Written,
  out?: Outbox,
): MaybePromise<Written | ResponseInternal> {
  const { page, announces = [], logs, throws, cookies = [] } = result
  if (logs) settings.logger.error(logs)
  // Copies of the lists: cookies that a step adds after its deadline do not get into the response.
  const complete: ResponseData = { ...result, cookies: [...(out?.cookies ?? []), ...cookies] }
  const returnsRedirect = 'returnsRedirect' in asked && asked.returnsRedirect
  const send = (sent: ResponseData) => {
    if (settings.raw && throws && !returnsRedirect) throw throws
    return settings.raw && out ? toInternal(sent) : write(respond(sent, { returnsRedirect }))
  }
  const fired = fireEvents([...(out?.announcements ?? []), ...announces], settings)
  return whenReady(fired, () =>
    page ? whenReady(render(page, complete, settings, languageOf(asked)), send) : send(complete),
  )
}

function languageOf(asked: Pick<Visit, 'request'> | RequestParts): string | null {
  return ('request' in asked ? asked.request : asked).headers.get('accept-language')
}

/** Loads the pages when the first one is rendered. */
const loadPages = onceLoaded(() => import('../pages/render-page.ts'))

function render(
  page: NonNullable<Result['page']>,
  answer: ResponseData,
  settings: Settings,
  accepted: string | null,
): MaybePromise<ResponseData> {
  const rendered = whenReady(loadPages(), ({ renderLocalised }) => renderLocalised(page, settings, accepted))
  return whenReady(rendered, ({ html, sources }) => {
    return { ...answer, headers: { ...pageHeaders(sources), ...answer.headers }, body: html }
  })
}
