import { createAuth, type AuthConfig } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

const config: AuthConfig = { providers: [GitHub], debug: true }

// Elsewhere they refuse to be made, and nothing of them is loaded.
export const devtools =
  process.env['NODE_ENV'] === 'development'
    ? (await import('../../../src/devtools/index.ts')).createDevtools()
    : undefined

export const auth = createAuth(devtools?.watch(config) ?? config)

export async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/auth')) return auth.handler(request)
  if (devtools && pathname.startsWith('/devtools')) return devtools.handle(request)
  return new Response('The pages of your site')
}
