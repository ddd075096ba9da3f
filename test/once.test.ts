import { expect, it, vi } from 'vitest'
import { openScript } from '../src/adapters/redis-client.ts'
import { once, onceLoaded } from '../src/once.ts'

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

it('CC-07 runs a Redis script after the runtime failed to hash it', async () => {
  const digest = vi.spyOn(crypto.subtle, 'digest').mockRejectedValueOnce(new Error('down'))
  const run = openScript({ evalSha: async () => 'done', eval: async () => 'done' }, 'return 1')
  await expect(run('key', [])).rejects.toThrow('down')
  expect(await run('key', [])).toBe('done')
  digest.mockRestore()
})
