import { type AuthBase, createAuth } from '../../../src/index.ts'
import { findTenant, type Tenant } from './tenants.ts'

function openAuth({ secret, providers, adapter }: Tenant): AuthBase {
  return createAuth({
    secret,
    providers,
    adapter,
    session: { strategy: 'jwt' },
    // `authOf` found the host in your list of tenants, so a client cannot make up another one.
    trustHost: true,
  })
}

const opened = new Map<string, AuthBase>()

/** Returns the instance of the tenant at the host of the request, or undefined for any other host. */
export async function authOf(request: Request): Promise<AuthBase | undefined> {
  const { host } = new URL(request.url)
  const known = opened.get(host)
  if (known) return known
  const tenant = await findTenant(host)
  if (!tenant) return undefined
  const auth = openAuth(tenant)
  opened.set(host, auth)
  return auth
}

/** Call this on every server when you change or delete a tenant. */
export function closeTenant(host: string): void {
  opened.delete(host)
}

/** Handles each request below /auth. */
export async function handle(request: Request): Promise<Response> {
  const auth = await authOf(request)
  return auth ? auth.handler(request) : new Response('Unknown site', { status: 404 })
}

/** A page for the signed-in users of a tenant. */
export async function showMembers(request: Request): Promise<Response> {
  const auth = await authOf(request)
  if (!auth) return new Response('Unknown site', { status: 404 })
  const found = await auth.requireSession(request)
  if (!('session' in found)) return found
  return new Response(`Hello ${found.session.user.name}`)
}
