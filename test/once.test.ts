import { expect, it, vi } from 'vitest'
import { openScript } from '../src/adapters/redis-client.ts'
import { once, onceLoaded } from '../src/async/once.ts'

it('creates a value on first use, and keeps it', () => {
  const make = vi.fn(() => ({}))
  const read = once(make)
  expect(make).not.toHaveBeenCalled()
  expect(read()).toBe(read())
  expect(make).toHaveBeenCalledTimes(1)
})

it.each([
  ['once', once],
  ['onceLoaded', onceLoaded],
])('CC-07 tries again after a promise of %s that rejected', async (_, keep) => {
  const load = vi.fn(async () => 'loaded').mockRejectedValueOnce(new Error('down'))
  const read = keep(load)
  await expect(read()).rejects.toThrow('down')
  expect(await read()).toBe('loaded')
  expect(await read()).toBe('loaded')
  expect(load).toHaveBeenCalledTimes(2)
})

it('CC-07 shares a pending promise', async () => {
  const load = vi.fn(async () => 'loaded')
  const read = once(load)
  expect(await Promise.all([read(), read()])).toEqual(['loaded', 'loaded'])
  expect(load).toHaveBeenCalledTimes(1)
})

it('CC-12 gives each caller who waits another error', async () => {
  const read = once(async () => Promise.reject(new TypeError('down')))
  const failures = await Promise.all([1, 2, 3].map(async () => read().catch((error: unknown) => error)))
  expect(failures.map(String)).toEqual(failures.map(() => 'TypeError: down'))
  expect(new Set(failures).size).toBe(3)
})

it('CC-12 gives no caller what an earlier one wrote to its error', async () => {
  const read = once(async () => Promise.reject(new TypeError('down')))
  const written: unknown[] = []
  const fail = async (visitor: string) =>
    read().catch((error: unknown) => {
      written.push(Reflect.get(Object(error), 'visitor'))
      Object.assign(Object(error), { visitor })
    })
  await Promise.all(['Ada', 'Bob', 'Cy'].map(fail))
  expect(written).toEqual([undefined, undefined, undefined])
})

it('CC-07 runs a Redis script after the runtime failed to hash it', async () => {
  const digest = vi.spyOn(crypto.subtle, 'digest').mockRejectedValueOnce(new Error('down'))
  const run = openScript({ evalSha: async () => 'done', eval: async () => 'done' }, 'return 1')
  await expect(run('key', [])).rejects.toThrow('down')
  expect(await run('key', [])).toBe('done')
  digest.mockRestore()
})
