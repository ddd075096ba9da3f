import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CookieJar } from 'tough-cookie'
import { memoryAdapter } from '../../../src/adapters/memory.ts'
import { createAuth } from '../../../src/index.ts'

const site = 'http://localhost'
const links: string[] = []
const auth = createAuth({
  adapter: memoryAdapter(),
  secret: 'only for tests, and long enough for one',
  trustHost: true,
  providers: [
    {
      id: 'mail',
      name: 'Mail',
      type: 'email',
      sendVerificationRequest: ({ url }) => void links.push(url),
    },
  ],
})

/** A browser: it keeps cookies, and follows no redirects. */
function openBrowser() {
  const jar = new CookieJar()
  return async (path: string, form?: Record<string, string>): Promise<Response> => {
    const url = new URL(path, site).href
    const headers = { cookie: jar.getCookieStringSync(url) }
    const request = form
      ? new Request(url, { method: 'POST', headers, body: new URLSearchParams(form) })
      : new Request(url, { headers })
    const response = await auth.handler(request)
    for (const cookie of response.headers.getSetCookie()) jar.setCookieSync(cookie, url)
    return response
  }
}

test('signs in by a link', async () => {
  const send = openBrowser()
  const { csrfToken } = (await (await send('/auth/csrf')).json()) as { csrfToken: string }
  await send('/auth/signin/mail', { csrfToken, email: 'ada@example.com' })
  await send(links[0] ?? '')
  const session = (await (await send('/auth/session')).json()) as { user: { email: string } }
  assert.equal(session.user.email, 'ada@example.com')
})
