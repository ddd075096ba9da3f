import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { directOf } from '../../instance/create-auth.ts'
import type { ResponseParts } from '../../http/parts.ts'
import { keepFromCaches } from '../../http/respond.ts'
import type { AnyAuthTypes, AuthTypes } from '../../types/inference.ts'
import type { AuthBase, UserSession } from '../../types/instance.ts'
import type { RequiredAuthentication } from '../../types/authentication.ts'
import {
  type HeldHeaders,
  joinCookies,
  writeSetCookie,
  badRequest,
  sortHeaders,
  toReadable,
} from './response-parts.ts'
import { readHead, readRequest, type NodeOptions } from './read-request.ts'
import { viaFetch } from './via-fetch.ts'

/**
 * The members of a Fastify instance that the library uses, so that applications without Fastify do not need its types.
 */
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

export interface FastifyReply extends HeldHeaders {
  readonly raw: ServerResponse
  code(status: number): unknown
  header(name: string, value: string | string[]): unknown
  removeHeader(name: string): unknown
  send(payload?: Uint8Array | Readable): unknown
}

/** The result of `createAuth` for Fastify 5. */
export interface FastifyAuth<T extends AuthTypes = AnyAuthTypes> {
  /** A plugin with the routes. Register it with the base path as its `prefix`. */
  readonly plugin: (scope: FastifyScope) => Promise<void>
  /**
   * Returns the session, or null. If the session is extended, its cookies are added to your reply, with a
   * `Cache-Control` that prevents caching. Do not change `Cache-Control` afterwards.
   */
  readonly getSession: (request: FastifyRequest, reply: FastifyReply) => Promise<T['session'] | null>
  /**
   * Returns the session of a user. If there is none, it sends a reply and returns undefined.
   *
   * @param required how the user must have authenticated
   */
  readonly requireSession: (
    request: FastifyRequest,
    reply: FastifyReply,
    required?: RequiredAuthentication,
  ) => Promise<UserSession<T['session']> | undefined>
}

/**
 * Adapts the result of `createAuth` to Fastify.
 *
 * @param auth the result of `createAuth`
 * @param options how to read the URL of a request
 * @returns a plugin with the routes, and functions that read sessions
 * @example
 * const { plugin, getSession } = createFastifyAuth(createAuth(config))
 * app.register(plugin, { prefix: '/auth' })
 */
export function createFastifyAuth<T extends AuthTypes = AnyAuthTypes>(
  auth: AuthBase<T>,
  options: NodeOptions = {},
): FastifyAuth<T> {
  const direct = directOf(auth) ?? viaFetch(auth)
  return {
    async plugin(scope) {
      // The library reads bodies itself. Outside this scope, the application's parsers stay in place.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
      scope.all('/*', async ({ raw }, reply) => {
        const request = readRequest(raw, reply.raw, options)
        return sendResponse(reply, request ? await direct.answer(request) : badRequest)
      })
    },
    async getSession({ raw }, reply) {
      const request = readHead(raw, reply.raw, options)
      if (!request) return null
      const { session, cookies } = await direct.getSessionWithCookies(request)
      addSession(reply, cookies)
      return session
    },
    async requireSession({ raw }, reply, required) {
      const request = readHead(raw, reply.raw, options)
      const found = request ? await direct.requireSession(request, required) : badRequest
      if ('session' in found) {
        addSession(reply, found.cookies)
        return found.session
      }
      sendResponse(reply, found)
      return undefined
    },
  }
}

const encoder = new TextEncoder()

/**
 * Sends bytes or a stream, because Fastify would add a charset to the type of a string. The bytes have their own
 * memory, because hooks get them, and `Buffer.from` of a text would take the memory from a pool that the whole process
 * shares.
 */
function sendResponse(reply: FastifyReply, response: ResponseParts): unknown {
  const { status, body } = response
  reply.code(status)
  const headers = sortHeaders(response.headers, takeCookies(reply, response.cookies))
  for (const [name, value] of Object.entries(headers)) reply.header(name, value)
  if (typeof body === 'object') return reply.send(body ? toReadable(body) : undefined)
  return reply.send(Buffer.from(encoder.encode(body).buffer))
}

function addSession(reply: FastifyReply, cookies: readonly string[]): void {
  if (cookies.length === 0) return
  keepFromCaches(cookies, (name, value) => reply.header(name, value))
  reply.header('Set-Cookie', writeSetCookie(takeCookies(reply, cookies)))
}

/**
 * Returns all cookies, and removes them from the reply, because Fastify would send the cookies of the reply as well.
 */
function takeCookies(reply: FastifyReply, later: readonly string[]): string[] {
  const cookies = joinCookies(reply, later)
  reply.removeHeader('set-cookie')
  return cookies
}
