import crypto from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { hashPassword, Password } from '../../src/password.ts'
import { limitConcurrency } from '../../src/password/limit-concurrency.ts'

afterEach(() => vi.useRealTimers())

/** Work that ends when it is told to. */
function openWork() {
  const ends: (() => void)[] = []
  const state = { running: 0, most: 0 }
  const work = async () => {
    state.most = Math.max(state.most, ++state.running)
    await new Promise<void>((resolve) => ends.push(resolve))
    state.running--
    return state.most
  }
  const endAll = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end()
      await new Promise(setImmediate)
    }
  }
  return { state, work, endAll }
}

it('PW-15 runs at most so many calls at once, and all of them in the end', async () => {
  const { state, work, endAll } = openWork()
  const limited = limitConcurrency(2, 10)
  const all = Promise.all(Array.from({ length: 7 }, () => limited(work)))
  await endAll()
  expect(await all).toHaveLength(7)
  expect(state).toEqual({ running: 0, most: 2 })
})

it('PW-15 rejects a call that would be one too many to wait, and no later one', async () => {
  const { work, endAll } = openWork()
  const limited = limitConcurrency(1, 1)
  const [first, second, third] = [limited(work), limited(work), limited(work)]
  await expect(third).rejects.toThrow('More than 1 passwords wait to be hashed')
  await endAll()
  await Promise.all([first, second])
  const later = limited(work)
  await endAll()
  await later
})

it('PW-15 continues after a call that failed', async () => {
  const limited = limitConcurrency(1, 1)
  await expect(limited(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await limited(async () => 'yes')).toBe('yes')
})

it('PW-15 limits the sign-ins of a provider', async () => {
  const scrypt = vi.spyOn(crypto, 'scrypt').mockImplementation(() => {})
  const provider = Password({ sendLink() {}, parameters: '$scrypt$ln=4,r=8,p=1' })
  const adapter = memoryAdapter()
  const credentials = { email: 'ada@example.com', password: 'x' }
  const attempts = Array.from({ length: 103 }, async () =>
    provider.authorize(credentials, new Request('https://a.test'), { adapter }),
  )
  await expect(Promise.race(attempts)).rejects.toThrow('More than 100 passwords wait')
  expect(scrypt).toHaveBeenCalledTimes(2)
  scrypt.mockRestore()
})

const parameters = '$scrypt$ln=4,r=8,p=1'

/**
 * A provider whose `verifyLegacy` never responds, with three users whose hashes need `verifyLegacy` and one whose hash
 * does not.
 */
async function openHanging() {
  const ends: ((matches: boolean) => void)[] = []
  const verifyLegacy = vi.fn(() => new Promise<boolean>((resolve) => ends.push(resolve)))
  const provider = Password({ sendLink() {}, parameters, verifyLegacy })
  const adapter = memoryAdapter()
  const hash = await hashPassword('secret', parameters)
  for (const [id, stored] of Object.entries({ ada: hash, bob: 'old', cyd: 'old', dan: 'old' })) {
    await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: null })
    await adapter.setPassword(id, stored)
  }
  const signIn = async (id: string) => {
    const credentials = { email: `${id}@example.com`, password: 'secret' }
    return provider.authorize(credentials, new Request('https://a.test'), { adapter })
  }
  const endAll = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end(false)
      await new Promise(setImmediate)
    }
  }
  return { signIn, verifyLegacy, endAll }
}

it('PW-15 signs users in while verifyLegacy hangs for others', async () => {
  const { signIn, verifyLegacy, endAll } = await openHanging()
  const others = Promise.all(['bob', 'cyd', 'dan'].map(signIn))
  await expect.poll(() => verifyLegacy).toHaveBeenCalledTimes(2)
  // Less than the ten seconds after which the calls fail.
  expect(await Promise.race([signIn('ada'), setTimeout(9000, 'late')])).toMatchObject({ id: 'ada' })
  await endAll()
  expect(await others).toEqual([null, null, null])
})

it('PW-15 ends a call of verifyLegacy that hangs, and lets the next one start', async () => {
  const { signIn, verifyLegacy } = await openHanging()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const attempts = Promise.allSettled(['bob', 'cyd', 'dan'].map(signIn))
  const waitForCalls = async (times: number) => {
    while (verifyLegacy.mock.calls.length < times) await new Promise(setImmediate)
  }
  await waitForCalls(2)
  await vi.advanceTimersByTimeAsync(10_000)
  await waitForCalls(3)
  await vi.advanceTimersByTimeAsync(10_000)
  // A hash that cannot be verified counts as a wrong password (PW-16).
  expect(await attempts).toEqual(Array.from({ length: 3 }, () => ({ status: 'fulfilled', value: null })))
})
