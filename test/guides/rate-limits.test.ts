import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { callbacks as ownCounters } from '../../docs/examples/rate-limits/own-counters.ts'
import { csrfOf, sessionOf } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'
import { type RedisServer, startRedis, whyNoRedis } from '../support/redis.ts'

const reason = whyNoRedis()
const programs = () =>
  Promise.all([
    import('../../docs/examples/rate-limits/auth.ts'),
    import('../../docs/examples/rate-limits/limits.ts'),
  ])

describe.skipIf(reason)(
  `the programs of the rate limits guide${reason ? ` (skipped: ${reason})` : ''}`,
  () => {
    let server: RedisServer | undefined

    beforeAll(async () => {
      server = await startRedis()
      vi.stubEnv('REDIS_URL', server.url)
      vi.stubEnv('AUTH_SECRET', 'a secret of the tests, long enough')
      vi.stubEnv('AUTH_TRUST_HOST', 'true')
    }, 60_000)

    afterAll(async () => {
      const [, { client }] = await programs()
      client.destroy()
      await server?.stop()
      vi.unstubAllEnvs()
    })

    it('OPT-003 RL-02 RL-03 RL-07 refuse the eleventh password, and reset the count after a correct one', async () => {
      const [{ auth }] = await programs()
      const agent = openAgent('http://localhost', auth.handler)
      const enter = async (password: string, ip = '192.0.2.1') => {
        const form = { csrfToken: await csrfOf(agent), username: 'ada', password }
        const headers = { 'x-real-ip': ip, 'x-auth-return-redirect': '1' }
        return agent.send('/auth/callback/credentials', { form, headers })
      }
      for (let n = 0; n < 9; n++) expect((await enter('wrong')).status).toBe(200)
      expect((await enter('correct horse')).status).toBe(200)
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'Ada' } })
      for (let n = 0; n < 10; n++) expect((await enter('wrong')).status).toBe(200)
      const refused = await enter('correct horse', '192.0.2.2')
      expect(refused.status).toBe(429)
      const wait = Number(refused.headers.get('retry-after'))
      expect(wait).toBeGreaterThan(850)
      expect(wait).toBeLessThanOrEqual(900)
      const page = await agent.send(`/auth/error?error=RateLimited&retryAfter=${wait}`)
      expect([page.status, page.headers.get('retry-after')]).toEqual([429, String(wait)])
    })
  },
)

describe('the counters that an application writes', () => {
  it('OPT-003 allow five passwords for an account, but not a sixth', async () => {
    const attempt = {
      type: 'credentials',
      provider: 'form',
      request: new Request('https://app.test/'),
    } as const
    const ask = (username: string) => ownCounters?.rateLimit?.({ ...attempt, credentials: { username } })
    for (let n = 0; n < 5; n++) expect(await ask(n % 2 ? 'ada' : 'Ada')).toBe(true)
    expect(await ask('ada')).toEqual({ retryAfter: 900 })
    expect(await ask('bob')).toBe(true)
  })
})
