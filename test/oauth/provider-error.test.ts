import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { discoverServer } from '../../src/oauth/discover-server.ts'
import { hasFailed, show } from '../../src/oauth/failure.ts'
import { validateResponse } from '../../src/oauth/check-response.ts'
import {
  adviseProviderError,
  providerAdvice,
  readProviderError,
  tellProviderError,
} from '../../src/oauth/provider-error.ts'
import { customFetch } from '../../src/types/symbols.ts'
import { openApp, signIn, type AppOptions } from '../support/app.ts'
import { createStage, issuer } from './stage.ts'

const tell = (description: unknown, secrets: string[] = []) =>
  tellProviderError({ error: 'teapot', description }, secrets)

describe('a provider error', () => {
  it('SEA-008 is read from a JSON body, or else from the challenge', async () => {
    const read = (body: string | null, headers: Record<string, string> = {}, status = 400) =>
      readProviderError(new Response(body, { status, headers }))
    const body = JSON.stringify({ error: 'invalid_client', error_description: 'wrong secret' })
    const received = { error: 'invalid_client', description: 'wrong secret' }
    expect(await read(body)).toEqual(received)
    const challenge = 'Bearer realm="a", error="invalid_client", error_description="wrong secret"'
    expect(await read('<html>', { 'www-authenticate': challenge })).toEqual(received)
    expect(await read(body, { 'www-authenticate': 'Basic realm="x"' }, 401)).toEqual(received)
    expect(await read('[]')).toBeUndefined()
    expect(await read(null, { 'www-authenticate': 'Basic realm="x"' }, 401)).toBeUndefined()
    const response = new Response(body, { status: 400 })
    await readProviderError(response)
    expect(response.bodyUsed).toBe(false)
  })

  it('SEA-009 is one line of ASCII with a maximum length', () => {
    expect(tell('a\r\n[auth][error] \u001b[31m\u2028\u202eé"')).toBe(
      'the error "teapot", saying "a\\r\\n[auth][error] \\u001b[31m\\u2028\\u202e\\u00e9\\""',
    )
    expect(tell('é'.repeat(1e6)).length).toBeLessThan(1300)
    expect(tell('word '.repeat(1e6)).length).toBeLessThan(250)
    for (const none of [undefined, null, '', 7, {}]) expect(tell(none)).toBe('the error "teapot"')
    for (const odd of ['<script>', 'a'.repeat(41), 7, {}])
      expect(tellProviderError({ error: odd }, [])).toBe('the error of an unknown code')
  })

  it('SEA-009 does not repeat secrets, addresses or tokens', () => {
    expect(tell('code abc is not known', ['abc'])).toContain('"code … is not known"')
    expect(tell('ada@example.com may not')).toContain('"… may not"')
    expect(tell('token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl is no JWT')).toContain(
      '"token … is no JWT"',
    )
    expect(tell('gave gho_16C7e42F292c6912E7710c838347Ae178B4a')).toContain('"gave …"')
    expect(tell('https://app.test/auth/callback/idp?code=1&state=2 is not registered')).toContain(
      '"https://app.test/auth/callback/idp?… is not registered"',
    )
    expect(tell('token_endpoint_auth_method differs')).toContain('"token_endpoint_auth_method differs"')
  })

  it('SEA-010 has advice for its code, and a heading in the guide', async () => {
    const guide = await readFile(new URL('../../docs/guides/troubleshooting.md', import.meta.url), 'utf8')
    for (const code of Object.keys(providerAdvice)) {
      expect(adviseProviderError(code)).toBeDefined()
      expect(guide).toMatch(new RegExp(`^### .*\\b${code}\\b`, 'm'))
    }
    for (const code of ['toString', 'teapot', undefined, {}])
      expect(adviseProviderError(code)).toBeUndefined()
  })
})

const refusal = (error: string, status = 400, headers: Record<string, string> = {}) =>
  Response.json({ error, error_description: 'this is why' }, { status, headers })

/** Signs in while one endpoint responds differently. @returns the message of the last error */
async function refuseAt(path: string, answer: () => Response, options: AppOptions = {}): Promise<string> {
  const app = openApp(options)
  const { fetch } = app.idp
  Object.assign(app.config.providers[0] ?? {}, {
    [customFetch]: async (input: string, init: RequestInit) =>
      new URL(input).pathname.includes(path) ? answer() : fetch(input, init),
  })
  await signIn(app, app.agent()).catch(() => undefined)
  return app.errors.at(-1)?.message ?? 'nothing logged'
}

describe('the log of a sign-in', () => {
  it('SEA-008 SEA-010 contains the error of the token endpoint, whatever the status and the headers', async () => {
    const challenge = { 'www-authenticate': 'Basic realm="idp"' }
    for (const answer of [
      () => refusal('invalid_client', 401, challenge),
      () => refusal('invalid_client', 401),
      () => refusal('invalid_client', 200),
    ])
      expect(await refuseAt('/token', answer)).toMatch(
        /the error "invalid_client", saying "this is why"\. Check clientId and clientSecret/,
      )
    const bare = () => new Response(null, { status: 401, headers: challenge })
    expect(await refuseAt('/token', bare)).toMatch(/returned 401 and demands authentication\. Check clientId/)
  })

  it.each([
    'invalid_grant',
    'unauthorized_client',
    'use_dpop_nonce',
    'invalid_dpop_proof',
    'redirect_uri_mismatch',
  ])('SEA-010 gives advice for %s at the token endpoint', async (code) => {
    expect(await refuseAt('/token', () => refusal(code))).toContain(adviseProviderError(code))
  })

  it('SEA-010 gives advice for invalid_request in the callback', async () => {
    const { provider, context } = createStage()
    const found = await discoverServer(provider, 'authorization', context)
    if (hasFailed(found)) throw found.failed.error
    const response = new URLSearchParams({ error: 'invalid_request', iss: issuer, state: 's' })
    expect(validateResponse(provider, found.server, response, 's', context)).toMatchObject({
      failed: {
        reason: 'authorization.declined',
        code: 'invalid_request',
        error: { message: expect.stringContaining(adviseProviderError('invalid_request') ?? 'no advice') },
      },
    })
  })

  it('SEA-008 SEA-010 contains the error in the challenge of the userinfo endpoint', async () => {
    const headers = {
      'www-authenticate': 'Bearer error="insufficient_scope", error_description="needs email"',
    }
    const message = await refuseAt('/userinfo', () => new Response(null, { status: 403, headers }), {
      provider: { idToken: false } as object,
    })
    expect(message).toMatch(
      /returned 403 with the error "insufficient_scope", saying "needs email"\. Ask for/,
    )
  })

  it('SEA-008 contains the error of a rejected discovery request', async () => {
    const message = await refuseAt('/.well-known/', () => refusal('temporarily_unavailable', 503))
    expect(message).toMatch(
      /returned 503 with the error "temporarily_unavailable", saying "this is why"\. The prov/,
    )
  })
})

describe('a value in a message', () => {
  it('IL-09 is shown on one line, without invisible characters', () => {
    expect(show('a\n\u009b1m\u202e\u2028\u007f')).toBe(String.raw`"a\n\u{9b}1m\u{202e}\u{2028}\u{7f}"`)
    // The text ends with the first half of a character.
    expect(show('😀'.repeat(100))).not.toMatch(/\p{Cs}/u)
    expect(show('x'.repeat(200))).toHaveLength(121)
  })
})
