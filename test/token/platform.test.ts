import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemPlatform } from '../../src/platform/clock.ts'
import { environmentSecrets, readEnvironment } from '../../src/config/environment.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

describe('the platform', () => {
  it('JW-10 returns the current time in milliseconds', () => {
    vi.useFakeTimers({ now: 4_294_967_295_999 })
    expect(systemPlatform.now()).toBe(4_294_967_295_999)
  })

  it('uses the current global fetch', async () => {
    const replaced = vi.fn<typeof fetch>(() => Promise.resolve(new Response('replaced')))
    vi.stubGlobal('fetch', replaced)
    const response = await systemPlatform.fetch('https://provider.example', { method: 'POST' })
    expect(await response.text()).toBe('replaced')
    expect(replaced).toHaveBeenCalledWith('https://provider.example', { method: 'POST' })
  })

  it('fires a timer once after its time, unless it was cancelled', () => {
    vi.useFakeTimers()
    const [ring, cancelled] = [vi.fn<() => void>(), vi.fn<() => void>()]
    systemPlatform.timer(1000, ring)
    systemPlatform.timer(1000, cancelled).cancel()
    vi.advanceTimersByTime(999)
    expect(ring).not.toHaveBeenCalled()
    vi.advanceTimersByTime(100_000)
    expect(ring).toHaveBeenCalledTimes(1)
    expect(cancelled).not.toHaveBeenCalled()
  })

  it('DEC-24d does not fire a deadline beyond 24 days immediately', async () => {
    const ring = vi.fn<() => void>()
    const timer = systemPlatform.timer(2 ** 31, ring)
    await new Promise((resolve) => setTimeout(resolve, 20))
    timer.cancel()
    expect(ring).not.toHaveBeenCalled()
  })
})

describe('the environment', () => {
  it('DEC-02b is read when it is used', () => {
    vi.stubEnv('AUTH_URL', 'https://app.example')
    expect(readEnvironment()['AUTH_URL']).toBe('https://app.example')
    vi.stubEnv('AUTH_URL', undefined)
    expect(readEnvironment()['AUTH_URL']).toBeUndefined()
  })

  it.each([[undefined], [{}], [{ env: undefined }]])('is empty if process is %j', (process) => {
    vi.stubGlobal('process', process)
    expect(readEnvironment()['AUTH_SECRET']).toBeUndefined()
    expect(environmentSecrets(readEnvironment())).toEqual([])
  })

  it('treats a variable without read permission as unset', () => {
    const env = {
      AUTH_SECRET: 'allowed',
      get AUTH_SECRET_1(): string {
        throw new Error('Requires env access')
      },
    }
    vi.stubGlobal('process', { env })
    expect(environmentSecrets(readEnvironment())).toEqual(['allowed'])
  })

  it('DEC-04a RO-01 returns the configured secrets, the newest first', () => {
    const all = {
      AUTH_SECRET: 'a',
      AUTH_SECRET_1: 'b',
      AUTH_SECRET_2: 'c',
      AUTH_SECRET_3: 'd',
      AUTH_SECRET_4: 'e',
    }
    expect(environmentSecrets(all)).toEqual(['d', 'c', 'b', 'a'])
    expect(environmentSecrets({ AUTH_SECRET: '', AUTH_SECRET_2: 'c' })).toEqual(['c'])
  })
})
