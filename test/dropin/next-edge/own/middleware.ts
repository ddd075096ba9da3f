import { createEdgeAuth } from '@auth/core/edge'
import Credentials from '@auth/core/providers/credentials'
import Passkey from '@auth/core/providers/passkey'
import { UnstorageAdapter } from '@auth/unstorage-adapter'
import { NextResponse, type NextRequest } from 'next/server'
import { createStorage } from 'unstorage'
import memoryDriver from 'unstorage/drivers/memory'

// The same configuration as in `../auth.ts`, so that the sizes of both bundles can be compared.
const { requireSession } = createEdgeAuth({
  basePath: '/api/auth',
  trustHost: true,
  secret: process.env.AUTH_SECRET,
  adapter: UnstorageAdapter(createStorage({ driver: memoryDriver() })),
  session: { strategy: 'jwt' },
  providers: [
    { id: 'demo', name: 'Demo ID', type: 'oidc', issuer: process.env.AUTH_DEMO_ISSUER },
    Credentials({
      credentials: { name: { label: 'Name' }, pin: { label: 'PIN', type: 'password' } },
      authorize: ({ name, pin }) => (pin === '2718-2818' ? { id: String(name), name: String(name) } : null),
    }),
    Passkey,
  ],
  experimental: { enableWebAuthn: true },
})

export async function middleware(request: NextRequest) {
  const found = await requireSession(request)
  if (!('session' in found)) return found
  const response = NextResponse.next()
  for (const cookie of found.cookies) response.headers.append('Set-Cookie', cookie)
  // A shared cache would send these cookies to other visitors.
  if (found.cookies.length > 0) response.headers.set('Cache-Control', 'private, no-store')
  return response
}

export const config = { matcher: ['/members', '/'] }
