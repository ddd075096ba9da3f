import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AuthInstance } from '../create-auth.ts'
import type { UserSession } from '../require-session.ts'
import type { Session } from '../types/records.ts'
import { toHead, toRequest, type NodeOptions } from './bridge.ts'

/** What is used of a Fastify instance, so that its types are needed by those only who have it. */
export interface FastifyScope {
  removeAllContentTypeParsers(): void
  addContentTypeParser(
    type: string,
    parse: (request: FastifyRequest, payload: IncomingMessage, done: (error: null) => void) => void,
  ): unknown
  all(path: string, answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown
}

export interface FastifyRequest {
  readonly raw: IncomingMessage
}

export interface FastifyReply {
  readonly raw: ServerResponse
  header(name: string, value: string): unknown
  send(payload: Response): unknown
}

/** An `AuthInstance` for Fastify 5. */
export interface FastifyAuth {
  /** A plugin with the routes; register it with the base path for its `prefix`. */
  readonly plugin: (scope: FastifyScope) => Promise<void>
  /** The session, or null; when it was extended, its cookies go along with your reply. */
  readonly getSession: (request: FastifyRequest, reply: FastifyReply) => Promise<Session | null>
  /** The session of a user; undefined when there is none, and the reply has been sent. */
  readonly requireSession: (request: FastifyRequest, reply: FastifyReply) => Promise<UserSession | undefined>
}

/**
 * Needs `@remix-run/node-fetch-server`.
 *
 * @example
 * const { plugin, getSession } = createFastifyAuth(createAuth(config))
 * app.register(plugin, { prefix: '/auth' })
 */
export function createFastifyAuth(auth: AuthInstance, options: NodeOptions = {}): FastifyAuth {
  return {
    async plugin(scope) {
      // The library reads bodies itself; the parsers of the application stay where they are, outside this scope.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
      scope.all('/*', async ({ raw }, reply) => {
        const request = toRequest(raw, reply.raw, options)
        return request ? auth.handler(request) : new Response(null, { status: 400 })
      })
    },
    async getSession({ raw }, reply) {
      const request = toHead(raw, reply.raw, options)
      if (!request) return null
      const { session, cookies } = await auth.getSessionWithCookies(request)
      for (const cookie of cookies) reply.header('Set-Cookie', cookie)
      return session
    },
    async requireSession({ raw }, reply) {
      const request = toHead(raw, reply.raw, options)
      const found = request ? await auth.requireSession(request) : new Response(null, { status: 400 })
      if (found instanceof Response) {
        reply.send(found)
        return undefined
      }
      for (const cookie of found.cookies) reply.header('Set-Cookie', cookie)
      return found.session
    },
  }
}
