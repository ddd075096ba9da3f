import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createVisitor, type Visitor } from '../../docs/examples/demo/visitor.ts'
import { memoryAdapter, memoryRevocations } from '../../src/adapters/memory.ts'
import type { AuthConfig } from '../../src/types.ts'
import { openRealStage, type RealStage } from '../support/oidc/real-stage.ts'

const strategies: Readonly<Record<string, () => Partial<AuthConfig>>> = {
  jwt: () => ({ jwt: { revocations: memoryRevocations() } }),
  database: () => ({ adapter: memoryAdapter() }),
}

describe('the back-channel logout of a real OpenID provider', () => {
  let stage: RealStage
  beforeAll(async () => {
    stage = await openRealStage()
  })
  afterAll(() => stage.close())

  const route = (path: string) => `${stage.origin}/auth/${path}`
  const isLive = async (visitor: Visitor) => (await visitor.readJson(route('session'))) !== null

  async function signIn(): Promise<Visitor> {
    const visitor = createVisitor()
    const { csrfToken } = (await visitor.readJson(route('csrf'))) as { csrfToken: string }
    const { url } = await visitor.post(route('signin/real'), { csrfToken, callbackUrl: `${stage.origin}/` })
    await visitor.post(url, { user: 'ada' })
    expect(await isLive(visitor)).toBe(true)
    return visitor
  }

  /** Signs the browser out at the provider without a request to the site. */
  async function signOutThere(visitor: Visitor): Promise<void> {
    const page = await (await visitor.send(`${stage.issuer}/session/end`)).text()
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? []
    const body = new URLSearchParams({ xsrf, logout: 'yes' })
    const response = await visitor.send(`${stage.issuer}/session/end/confirm`, { method: 'POST', body })
    expect(response.status).toBeLessThan(400)
  }

  it.each(Object.keys(strategies))(
    'BCL-01 BCL-02 BCL-03 ends the session that was opened there, with %s sessions',
    async (strategy) => {
      stage.configure('client_secret_basic', strategies[strategy]?.(), { backChannelLogout: true })
      const [phone, laptop] = [await signIn(), await signIn()]
      await signOutThere(phone)
      expect(stage.errors()).toEqual([])
      expect(await isLive(phone)).toBe(false)
      expect(await isLive(laptop)).toBe(true)
    },
  )

  it('BCL-01 ends nothing without the option', async () => {
    stage.configure('client_secret_basic', strategies['jwt']?.())
    const phone = await signIn()
    await signOutThere(phone)
    expect(await isLive(phone)).toBe(true)
  })
})
