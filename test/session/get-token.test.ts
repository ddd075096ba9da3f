import { describe, expect, it } from 'vitest'
import { getToken } from '../../src/jwt.ts'
import { platform } from '../../src/types/symbols.ts'
import { openApp, secret, signIn } from '../support/app.ts'
import { sessionCookie } from '../support/session-cookie.ts'

/** The session cookies of a sign-in with the system's clock, which getToken uses. */
async function cookiesWith(padding: string): Promise<Record<string, string>> {
  const now = () => Date.now()
  const app = openApp({
    idp: { now },
    config: { [platform]: { now }, callbacks: { jwt: ({ token }) => ({ ...token, padding }) } },
  })
  const agent = app.agent()
  await signIn(app, agent)
  return Object.fromEntries(
    Object.entries(agent.cookies()).filter(([name]) => name.startsWith(sessionCookie)),
  )
}

const write = (cookies: Record<string, string>) =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

describe('getToken authenticates a request', () => {
  const asks = { secret, secureCookie: true }

  it('ATN-016 by its cookies, in one or several chunks', async () => {
    for (const size of [0, 9000]) {
      const cookies = await cookiesWith('0'.repeat(size))
      expect(Object.keys(cookies)).toHaveLength(size === 0 ? 1 : 4)
      const req = new Request('https://app.test/api', { headers: { cookie: write(cookies) } })
      expect(await getToken({ req, ...asks })).toMatchObject({ name: 'Ada', email: 'ada@example.com' })
      expect(await getToken({ req, ...asks, secret: 'the secret of another application' })).toBeNull()
    }
  })

  it('ATN-016 by its Authorization header', async () => {
    const token = (await cookiesWith(''))[sessionCookie] ?? ''
    const bearing = (authorization: string) =>
      getToken({
        req: new Request('https://app.test/api', { headers: { authorization } }),
        ...asks,
        salt: sessionCookie,
      })
    expect(await bearing(`Bearer ${token}`)).toMatchObject({ name: 'Ada' })
    expect(await bearing(`Bearer ${token}x`)).toBeNull()
    expect(await bearing('Bearer ')).toBeNull()
    expect(await getToken({ req: new Request('https://app.test/api'), ...asks })).toBeNull()
  })
})
