import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  mailbox,
  mockIdentityProvider,
  platform,
  sessionCookie,
  virtualClock,
} from '../../../fuzz/testing/index.ts'
import { mswHandlers } from '../../../fuzz/testing/msw.ts'
import Resend from '../../../src/providers/resend.ts'
import { openBrowser, startSignIn } from './browser.ts'
import { openSite } from './site.ts'

const secret = 'only for tests, and long enough for one'
const google = mockIdentityProvider({
  issuer: 'https://accounts.google.com',
  users: [{ sub: '1', name: 'Ada', email: 'ada@example.com' }],
})
const server = setupServer(...mswHandlers(google))

beforeAll(() => {
  vi.stubEnv('AUTH_SECRET', secret)
  vi.stubEnv('AUTH_GOOGLE_ID', 'any client')
  vi.stubEnv('AUTH_GOOGLE_SECRET', 'any secret')
  server.listen()
})
afterEach(() => google.misbehave())
afterAll(() => {
  server.close()
  vi.unstubAllEnvs()
})

/** Returns a request from a signed-in user. */
async function requestAs(name: string, clock?: ReturnType<typeof virtualClock>): Promise<Request> {
  const cookie = await sessionCookie({ user: { id: '7', name }, secret, ...(clock && { clock }) })
  return new Request('http://localhost/', { headers: { cookie: `${cookie.name}=${cookie.value}` } })
}

/** Signs in with Google and returns the response to the callback. */
async function signInWithGoogle(visit: ReturnType<typeof openBrowser>): Promise<Response> {
  const { redirectUri, parameters } = await google.authorize(await startSignIn(visit, 'google'))
  return visit(`${redirectUri}?${parameters}`)
}

test('greets the signed-in user, and redirects others to the sign-in page', async () => {
  const site = openSite()
  expect(await (await site(await requestAs('Grace'))).text()).toBe('Hello Grace')
  const nobody = new Request('http://localhost/', { headers: { accept: 'text/html' } })
  expect((await site(nobody)).headers.get('location')).toContain('/auth/signin')
})

test('signs in with Google', async () => {
  const visit = openBrowser(openSite())
  await signInWithGoogle(visit)
  expect(await (await visit('/')).text()).toBe('Hello Ada')
})

test('signs nobody in when Google fails, and shows an error', async () => {
  google.misbehave('token:500')
  const visit = openBrowser(openSite({ logger: { error() {} } }))
  const back = await signInWithGoogle(visit)
  expect(back.headers.get('location')).toContain('error=')
  expect((await visit('/')).status).toBe(401)
})

test('signs in with a mailed link', async () => {
  const { sendVerificationRequest, linkTo } = mailbox()
  const visit = openBrowser(openSite({ providers: [Resend({ sendVerificationRequest })] }))
  await startSignIn(visit, 'resend', { email: 'bob@example.com' })
  await visit(linkTo('bob@example.com'))
  expect(await (await visit('/')).text()).toBe('Hello bob@example.com')
})

test('ends a session after 30 days without a request', async () => {
  const clock = virtualClock()
  const site = openSite({ [platform]: clock })
  const request = await requestAs('Grace', clock)
  clock.advance(29 * 86_400)
  expect((await site(request.clone())).status).toBe(200)
  clock.advance(2 * 86_400)
  expect((await site(request)).status).toBe(401)
})
