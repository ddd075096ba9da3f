import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AuthError } from '../../src/errors.ts'
import { platform } from '../../src/symbols.ts'
import { openApp, signIn } from '../support/app.ts'

const texts = [
  '',
  ' ',
  '0',
  'null',
  'true',
  '"x"',
  '[]',
  '[{}]',
  '{',
  '\ud800',
  '\0',
  '<html>',
  '{"a":1}{"b":2}',
]
const others = [null, 0, -1, 1e308, true, [], {}, [[]], { a: {} }]
const strange = [
  '',
  '\ud800',
  'a.b.c',
  'e30.e30.',
  '//',
  'x'.repeat(5000),
  'https://idp.test\n',
  'javascript:1',
]
const values = fc.constantFrom<unknown>(...others, ...strange, 'none', 'HS256', 'https://[', '9'.repeat(400))
const members = [
  ...'issuer authorization_endpoint token_endpoint jwks_uri userinfo_endpoint'.split(' '),
  ...'id_token_signing_alg_values_supported authorization_response_iss_parameter_supported'.split(' '),
  ...'access_token token_type id_token refresh_token expires_in scope error error_description'.split(' '),
  ...'keys sub email email_verified name picture __proto__ constructor'.split(' '),
]

/** What one endpoint of the provider responds with. */
const damage = fc.record({
  endpoint: fc.constantFrom('openid-configuration', 'token'),
  status: fc.constantFrom(200, 200, 200, 204, 301, 400, 500),
  type: fc.constantFrom('application/json', 'application/json', 'text/html', 'application/jwt', ''),
  body: fc.oneof(
    fc.constantFrom(...texts).map((text) => ({ text })),
    fc
      .array(fc.tuple(fc.constantFrom(...members), values), { minLength: 1, maxLength: 4 })
      .map((changes) => ({ changes })),
  ),
})

describe('a provider that responds with nonsense', () => {
  it(
    'LM-17 fails a sign-in with an error of ours, and never ends in a server error',
    { timeout: 120_000 },
    async () => {
      const reached = new Set<string>()
      await fc.assert(
        fc.asyncProperty(damage, async ({ endpoint, status, type, body }) => {
          const config: Record<symbol, unknown> = {}
          const app = openApp({ config: { ...config } })
          const honest = app.idp.fetch
          const odd: typeof fetch = async (request, init) => {
            const response = await honest(request, init)
            const url = request instanceof Request ? request.url : String(request)
            if (!url.includes(endpoint)) return response
            reached.add(endpoint)
            const held: unknown = 'changes' in body ? await response.json() : undefined
            const made =
              'changes' in body
                ? JSON.stringify({ ...Object(held), ...Object.fromEntries(body.changes) })
                : body.text
            const isEmpty = status === 204
            return new Response(isEmpty ? null : made, {
              status,
              headers: type ? { 'content-type': type } : {},
            })
          }
          const broken = openApp({
            config: { [platform]: { ...app.config[platform], fetch: odd } },
          })
          const agent = broken.agent()
          const response = await signIn(broken, agent).catch((error: unknown) => error)
          if (!(response instanceof Response)) {
            // The sign-in did not lead to the provider.
            expect(String(response)).toMatch(/URL|The provider refused/)
          } else expect(response.status).toBeLessThan(500)
          for (const error of broken.errors) expect(error).toBeInstanceOf(AuthError)
        }),
        { numRuns: 400 },
      )
      expect([...reached].toSorted()).toEqual(['openid-configuration', 'token'])
    },
  )
})
