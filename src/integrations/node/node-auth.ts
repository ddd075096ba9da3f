import type { ServerResponse } from 'node:http'
import { directOf } from '../../instance/create-auth.ts'
import { whenReady } from '../../async/maybe-promise.ts'
import type { AnyAuthTypes, AuthTypes } from '../../types/inference.ts'
import type { AuthBase, UserSession } from '../../types/instance.ts'
import type { RequiredAuthentication } from '../../types/authentication.ts'
import { respondToFailure } from './respond-to-failure.ts'
import { readHead, readRequest, type NodeOptions, type NodeRequest } from './read-request.ts'
import { badRequest } from './response-parts.ts'
import { addSession, sendResponse } from './send-response.ts'
import { viaFetch } from './via-fetch.ts'

/** The result of `createAuth` for node:http, and for frameworks with the requests and responses of node:http. */
export interface NodeAuth<T extends AuthTypes = AnyAuthTypes> {
  /** Handles requests under the base path, wherever you mount it. Logs every failure, and responds to it. */
  readonly handler: (incoming: NodeRequest, outgoing: ServerResponse) => Promise<void>
  /**
   * Wraps a listener of node:http. If your listener throws or rejects, the failure is logged and the request fails with
   * 500, or with 503 if a store or a callback failed. Without the wrapper, Node ends the process.
   *
   * @example
   * createServer(
   *   auth.listener(async (request, response) => {
   *     if (request.url?.startsWith('/auth/')) return auth.handler(request, response)
   *     const session = await auth.getSession(request, response)
   *     response.end(session?.user ? `Hello ${session.user.name}` : 'Sign in at /auth/signin')
   *   }),
   * )
   */
  readonly listener: <Incoming extends NodeRequest, Outgoing extends ServerResponse>(
    listen: (incoming: Incoming, outgoing: Outgoing) => unknown,
  ) => (incoming: Incoming, outgoing: Outgoing) => void
  /**
   * Returns the session, or null. If the session is extended, its cookies are added to your response, with a
   * `Cache-Control` that prevents caching. Do not change `Cache-Control` afterwards.
   *
   * @throws AuthError (rejects) if the configuration is faulty, or if the store or a callback fails. Express 5 and
   *   `listener` handle it. In any other listener, catch it: Node would end the process
   */
  readonly getSession: (incoming: NodeRequest, outgoing: ServerResponse) => Promise<T['session'] | null>
  /**
   * Returns the session of a user. If there is none, or it cannot be read, it sends a response and returns undefined.
   *
   * @param required how the user must have authenticated
   */
  readonly requireSession: (
    incoming: NodeRequest,
    outgoing: ServerResponse,
    required?: RequiredAuthentication,
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
      try {
        const request = readRequest(incoming, outgoing, options)
        const response = request ? direct.answer(request) : badRequest
        await whenReady(response, (ready) => sendResponse(outgoing, ready))
      } catch (error) {
        respondToFailure(direct, outgoing, error)
      }
    },
    listener: (listen) => async (incoming, outgoing) => {
      try {
        await listen(incoming, outgoing)
      } catch (error) {
        respondToFailure(direct, outgoing, error)
      }
    },
    async getSession(incoming, outgoing) {
      const request = readHead(incoming, outgoing, options)
      if (!request) return null
      const { session, cookies } = await direct.getSessionWithCookies(request)
      addSession(outgoing, cookies)
      return session
    },
    async requireSession(incoming, outgoing, required) {
      try {
        const request = readHead(incoming, outgoing, options)
        const found = request ? await direct.requireSession(request, required) : badRequest
        if ('session' in found) {
          addSession(outgoing, found.cookies)
          return found.session
        }
        await sendResponse(outgoing, found)
      } catch (error) {
        respondToFailure(direct, outgoing, error)
      }
      return undefined
    },
  }
}
