import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'

/**
 * The same application with better-auth: a handler, its functions and its store. The benchmark removes sessions after each sign-in,
 * since this store searches all of them.
 */
export function openBetterAuth({ origin, basePath, secret, provider, cookieCache }) {
  const rows = { user: [], session: [], account: [], verification: [] }
  const { id, clientId, clientSecret, authorization, token, userinfo } = provider
  const auth = betterAuth({
    baseURL: origin,
    basePath,
    secret,
    database: memoryAdapter(rows),
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: { level: 'error' },
    emailAndPassword: {
      enabled: true,
      password: { hash: async (text) => text, verify: async ({ hash, password }) => hash === password },
    },
    session: cookieCache ? { cookieCache: { enabled: true, maxAge: 3600, strategy: cookieCache } } : {},
    account: { storeStateStrategy: 'cookie' },
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: id,
            clientId,
            clientSecret,
            authorizationUrl: authorization,
            tokenUrl: token,
            userInfoUrl: userinfo,
            pkce: true,
            scopes: ['profile'],
          },
        ],
      }),
    ],
  })
  return { handler: auth.handler, api: auth.api, rows }
}
