import type { ServerResponse } from 'node:http'
import { directOf } from '../../create-auth.ts'
import { whenReady } from '../../maybe-promise.ts'
import type { AnyAuthTypes, AuthTypes } from '../../types/inference.ts'
import type { AuthBase, UserSession } from '../../types/instance.ts'
import { readHead, readRequest, type NodeOptions, type NodeRequest } from './read-request.ts'
import { badRequest } from './response-parts.ts'
import { addSession, sendResponse } from './send-response.ts'
import { viaFetch } from './via-fetch.ts'

/** The result of `createAuth` for node:http, and for frameworks with the requests and responses of node:http. */
export interface NodeAuth<T extends AuthTypes = AnyAuthTypes> {
  /** Handles requests under the base path, wherever it is mounted. */
  readonly handler: (incoming: NodeRequest, outgoing: ServerResponse) => Promise<void>
  /**
   * Returns the session, or null. If the session is extended, its cookies are added to your response, with a
   * `Cache-Control` that prevents caching. Do not change `Cache-Control` afterwards.
   */
  readonly getSession: (incoming: NodeRequest, outgoing: ServerResponse) => Promise<T['session'] | null>
  /** Returns the session of a user. If there is none, it sends a response and returns undefined. */
  readonly requireSession: (
    incoming: NodeRequest,
    outgoing: ServerResponse,
  ) => Promise<UserSession<T['session']> | undefined>
}

/**
 * Adapts the result of `createAuth` to node:http.
 *
 * @param auth the result of `createAuth`
 * @param options how to read the URL of a request
 * @returns the handler, and functions that read sessions
 * @example
 * const { handler, requireSession } = createNodeAuth(createAuth(config))
 * app.use('/auth', handler)
 * app.get('/members', async (request, response) => {
 * const session = await requireSession(request, response)
 * if (session) response.send(`Hello ${session.user.name}`)
 * })
 */
export function createNodeAuth<T extends AuthTypes = AnyAuthTypes>(
  auth: AuthBase<T>,
  options: NodeOptions = {},
): NodeAuth<T> {
  const direct = directOf(auth) ?? viaFetch(auth)
  return {
    async handler(incoming, outgoing) {
      const request = readRequest(incoming, outgoing, options)
      const response = request ? direct.answer(request) : badRequest
      return whenReady(response, (ready) => sendResponse(outgoing, ready))
    },
    async getSession(incoming, outgoing) {
      const request = readHead(incoming, outgoing, options)
      if (!request) return null
      const { session, cookies } = await direct.getSessionWithCookies(request)
      addSession(outgoing, cookies)
      return session
    },
    async requireSession(incoming, outgoing) {
      const request = readHead(incoming, outgoing, options)
      const found = request ? await direct.requireSession(request) : badRequest
      if ('session' in found) {
        addSession(outgoing, found.cookies)
        return found.session
      }
      await sendResponse(outgoing, found)
      return undefined
    },
  }
}
