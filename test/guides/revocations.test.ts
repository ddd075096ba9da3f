import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sessionOf, signOut } from '../support/app.ts'
import { type Agent, openAgent } from '../support/browser-agent.ts'
import { type RedisServer, startRedis, whyNoRedis } from '../support/redis.ts'
import { signInWithGitHub, useGitHub } from './github.ts'

const reason = whyNoRedis()
if (reason) console.warn(`The program of the guide to revocations was skipped: ${reason}`)

const cookie = 'authjs.session-token'

describe.skipIf(reason)(`the guide to revocations${reason ? ` (skipped: ${reason})` : ''}`, () => {
  useGitHub()
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis()
  }, 60_000)
  afterAll(async () => {
    const { client } = await import('../../docs/examples/revocations/auth.ts')
    client.destroy()
    await server.stop()
  })

  it('OPT-047 OPT-048 ends copies at a sign-out, and all other sessions on request', async () => {
    vi.stubEnv('REDIS_URL', server.url)
    const { auth, signOutOthers } = await import('../../docs/examples/revocations/auth.ts')
    const open = async (copied?: string): Promise<Agent> => {
      const agent = openAgent('http://localhost', auth.handler)
      if (copied === undefined) await signInWithGitHub(agent)
      else agent.set(`${cookie}=${copied}; Path=/`)
      return agent
    }
    const isLive = async (agent: Agent) => (await sessionOf(agent)) !== null
    const [phone, laptop] = [await open(), await open()]
    const copy = phone.cookies()[cookie] ?? ''
    expect(await isLive(await open(copy))).toBe(true)
    const headers = { cookie: `${cookie}=${phone.cookies()[cookie] ?? ''}` }
    await signOutOthers(new Request('http://localhost/', { headers }))
    expect([await isLive(phone), await isLive(laptop)]).toEqual([true, false])
    await signOut(phone)
    expect(await isLive(await open(copy))).toBe(false)
  })
})
