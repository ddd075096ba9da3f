import { createAuth, type AuthConfig } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

const config: AuthConfig = { providers: [GitHub], debug: true }

// Load devtools in development only. `createDevtools` throws in production.
export const devtools =
  process.env['NODE_ENV'] === 'development'
    ? (await import('../../../src/devtools.ts')).createDevtools()
    : undefined

export const auth = createAuth(devtools?.watch(config) ?? config)

export async function handle(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/auth')) return auth.handler(request)
  if (devtools && pathname.startsWith('/devtools')) return devtools.handle(request)
  return new Response('The pages of your site')
}
