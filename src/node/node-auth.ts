import type { ServerResponse } from 'node:http'
import type { AuthInstance } from '../create-auth.ts'
import type { UserSession } from '../require-session.ts'
import type { Session } from '../types/records.ts'
import { addCookies, send, toHead, toRequest, type NodeOptions, type NodeRequest } from './bridge.ts'

/** An `AuthInstance` for node:http, and for frameworks whose requests and responses are those of node:http. */
export interface NodeAuth {
  /** Answers what is under the base path, wherever it is mounted. */
  readonly handler: (incoming: NodeRequest, outgoing: ServerResponse) => Promise<void>
  /** The session, or null; when it was extended, its cookies go along with whatever you answer. */
  readonly getSession: (incoming: NodeRequest, outgoing: ServerResponse) => Promise<Session | null>
  /** The session of a user; undefined when there is none, and the request has been answered. */
  readonly requireSession: (
    incoming: NodeRequest,
    outgoing: ServerResponse,
  ) => Promise<UserSession | undefined>
}

/**
 * Needs `@remix-run/node-fetch-server`.
 *
 * @example
 * const { handler, requireSession } = createNodeAuth(createAuth(config))
 * app.use('/auth', handler)
 * app.get('/members', async (request, response) => {
 *   const session = await requireSession(request, response)
 *   if (session) response.send(`Hello ${session.user.name}`)
 * })
 */
export function createNodeAuth(auth: AuthInstance, options: NodeOptions = {}): NodeAuth {
  return {
    async handler(incoming, outgoing) {
      const request = toRequest(incoming, outgoing, options)
      await send(outgoing, request ? await auth.handler(request) : new Response(null, { status: 400 }))
    },
    async getSession(incoming, outgoing) {
      const request = toHead(incoming, outgoing, options)
      if (!request) return null
      const { session, cookies } = await auth.getSessionWithCookies(request)
      addCookies(outgoing, cookies)
      return session
    },
    async requireSession(incoming, outgoing) {
      const request = toHead(incoming, outgoing, options)
      const found = request ? await auth.requireSession(request) : new Response(null, { status: 400 })
      if (found instanceof Response) {
        await send(outgoing, found)
        return undefined
      }
      addCookies(outgoing, found.cookies)
      return found.session
    },
  }
}
