import { createAuth } from 'authmachine'
import { memoryAdapter } from 'authmachine/adapters/memory'
import { expect, test } from 'vitest'
import { terms } from './terms.ts'

const auth = createAuth({
  adapter: memoryAdapter(),
  session: { strategy: 'jwt' },
  secret: 'a secret of this test',
  trustHost: true,
  providers: [
    { id: 'form', name: 'Form', type: 'credentials', credentials: {}, authorize: () => ({ id: 'ada' }) },
  ],
  features: [terms({ version: '2026-11', url: '/terms' })],
})
const origin = 'https://site.test'
const cookies = new Map<string, string>()

/** Sends a request of one browser. */
async function send(path: string, fields?: Record<string, string>): Promise<Response> {
  const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
  const body = fields && new URLSearchParams(fields)
  const request = new Request(origin + path, { method: body ? 'POST' : 'GET', headers: { cookie }, body })
  const response = await auth.handler(request)
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    cookies.set(name, value)
  }
  return response
}

test('nobody signs in without accepting the terms', async () => {
  const { csrfToken } = (await (await send('/auth/csrf')).json()) as { csrfToken: string }
  const arrived = await send('/auth/callback/form', { csrfToken, callbackUrl: '/home' })
  expect(arrived.headers.get('location')).toBe(`${origin}/auth/terms`)
  expect(await (await send('/auth/session')).json()).toBeNull()
})
