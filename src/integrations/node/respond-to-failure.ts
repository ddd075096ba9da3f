import type { ServerResponse } from 'node:http'
import { asError } from '../../errors/as-error.ts'
import { createLogger } from '../../config/create-logger.ts'
import { AuthError } from '../../errors/classes.ts'
import type { DirectAuth, OwnAuth } from '../../handler/direct-auth.ts'
import { noStore } from '../../http/respond.ts'

/** The session may be readable again later. */
const transient: readonly string[] = ['AdapterError', 'JWTSessionError', 'SessionTokenError']

const messages = {
  500: 'The server could not handle this request. If this keeps happening, contact the owner of the site.\n',
  503: 'The server cannot check who is signed in at the moment. Try again later.\n',
} as const

/**
 * Logs a failure and responds with 500, or 503 if a store or a callback failed. Node ends the process if the promise of a
 * listener rejects, so one failing request would end all others.
 */
export function respondToFailure(
  direct: DirectAuth | OwnAuth,
  outgoing: ServerResponse,
  failure: unknown,
): void {
  const error = asError(failure)
  const logger = 'settings' in direct ? direct.settings().logger : createLogger({})
  logger.error(error)
  if (outgoing.writableEnded) return
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name)
  const status = error instanceof AuthError && transient.includes(error.type) ? 503 : 500
  const headers = { ...noStore, 'Content-Type': 'text/plain; charset=utf-8' }
  outgoing.writeHead(status, headers).end(messages[status])
}
