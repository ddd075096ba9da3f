import type { Outcome } from '../../client/outcome.ts'
import type { Query } from '../../client/routes.ts'
import type { SignInOptions, SignOutOptions } from '../../client/sign-in.ts'
import { directOf } from '../../instance/create-auth.ts'
import { InvalidConfig } from '../../errors/classes.ts'
import type { AnyAuthTypes, AuthTypes } from '../../types/inference.ts'
import type { AuthBase } from '../../types/instance.ts'
import { signIn, signOut, update } from './act.ts'
import { type Decide, decideWith, requireUser } from './proxy.ts'
import { readRequest } from './request.ts'

/** The result of `createAuth` for Next.js. */
export interface NextAuth<T extends AuthTypes = AnyAuthTypes> {
  /**
   * Returns the session of the request that Next is handling, or null: in server components, server actions and route
   * handlers. Does not extend the session; the proxy and the session route do. With Cache Components, call it in a component
   * inside `<Suspense>`.
   *
   * @throws AuthError (rejects) if the configuration is faulty, or if the store or a callback fails
   * @example
   * const session = await auth()
   * if (!session?.user) redirect('/api/auth/signin?callbackUrl=/members')
   */
  readonly auth: () => Promise<T['session'] | null>
  /** The route handlers, for `app/api/auth/[...auth]/route.ts` if the base path is `/api/auth`. */
  readonly handlers: {
    /** Handles GET requests under the base path. */
    readonly GET: (request: Request) => Promise<Response>
    /** Handles POST requests under the base path. */
    readonly POST: (request: Request) => Promise<Response>
  }
  /**
   * Requires a user on every page that your `matcher` names: redirects browsers to the sign-in page, which leads back,
   * and returns 401 to scripts. Extends the session. Export it as `proxy` from `proxy.ts`, or as `middleware` from
   * `middleware.ts`. The routes of the library need no user.
   *
   * @throws AuthError (rejects) if the configuration is faulty, or if the store or a callback fails
   * @example
   * export { proxy } from './auth'
   * export const config = { matcher: ['/members/:path*'] }
   */
  readonly proxy: (request: Request) => Promise<Response>
  /**
   * Creates a proxy in which you decide. It extends the session and passes it to `decide`. Return a response to send
   * instead of the page, or nothing to continue. Requests for the library's routes never reach `decide`.
   *
   * @example
   * export const proxy = createProxy((request: NextRequest, session) => {
   *   if (!session && request.nextUrl.pathname === '/') return NextResponse.rewrite(new URL('/welcome', request.url))
   * })
   */
  readonly createProxy: <Incoming extends Request>(
    decide: Decide<T, Incoming>,
  ) => (request: Incoming) => Promise<Response>
  /**
   * Starts a sign-in, in a server action or a route handler, and redirects to the result. Without a provider, it redirects
   * to the sign-in page. With `redirect: false`, it returns the outcome instead. Passkeys need the browser client.
   *
   * @param provider id of the provider
   * @param options the fields of the sign-in, or the FormData of your form
   * @param authorizationParams parameters to add to the authorization request
   * @throws InvalidProvider (rejects) if there is no such provider
   * @example
   * async function enter(form: FormData) {
   *   'use server'
   *   await signIn('credentials', form)
   * }
   */
  readonly signIn: (
    provider?: T['provider'],
    options?: SignInOptions | FormData,
    authorizationParams?: Query,
  ) => Promise<Outcome>
  /**
   * Ends the session, in a server action or a route handler, and redirects. With `redirect: false`, it returns the outcome
   * instead.
   */
  readonly signOut: (options?: SignOutOptions) => Promise<Outcome>
  /**
   * Passes data to the `jwt` or `session` callback, with trigger `update`, in a server action or a route handler.
   *
   * @returns the new session
   * @throws Error (rejects) if another site started the request, or if the store or a callback fails
   */
  readonly update: (data: unknown) => Promise<T['session'] | null>
}

/**
 * Adapts the result of `createAuth` to Next.js 15 and 16. In production, set `AUTH_URL`, unless the library trusts the host
 * of your platform.
 *
 * @param auth the result of `createAuth` itself, not a wrapper around it
 * @returns functions for server components, server actions, route handlers and the proxy
 * @throws InvalidConfig if it is not the result of `createAuth`
 * @example
 * export const { auth, handlers, proxy, signIn, signOut, update } = createNextAuth(
 *   createAuth({ basePath: '/api/auth', providers: [GitHub] }),
 * )
 */
export function createNextAuth<T extends AuthTypes = AnyAuthTypes>(auth: AuthBase<T>): NextAuth<T> {
  const own = directOf(auth)
  if (!own) throw new InvalidConfig('`createNextAuth` needs the result of `createAuth` itself')
  return {
    async auth() {
      const { request } = await readRequest()
      return own.getSession(request)
    },
    handlers: { GET: auth.handler, POST: auth.handler },
    proxy: (request) => requireUser(own, request),
    createProxy: (decide) => (request) => decideWith(own, request, decide),
    signIn: (provider, options = {}, params) => signIn(own, provider, options, params),
    signOut: (options = {}) => signOut(own, options),
    update: (data) => update(own, data),
  }
}
