import { memoryAdapter } from '../../../src/adapters/memory.ts'
import { createAuth, type AuthConfig } from '../../../src/index.ts'
import Google from '../../../src/providers/google.ts'
import Resend from '../../../src/providers/resend.ts'

const config: AuthConfig = {
  adapter: memoryAdapter(),
  session: { strategy: 'jwt' },
  providers: [Google, Resend({ from: 'Site <no-reply@example.com>' })],
}

/** A site with a page for members. Tests pass the options that they want to change. */
export function openSite(changes: Partial<AuthConfig> = {}) {
  const auth = createAuth({ ...config, ...changes })
  return async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname.startsWith('/auth/')) return auth.handler(request)
    const found = await auth.requireSession(request)
    if (!('session' in found)) return found
    return new Response(`Hello ${found.session.user.name ?? found.session.user.email}`)
  }
}
