import { expect, it } from 'vitest'
import { settleInTime } from '../../src/flows/engine/deadline.ts'
import type { Platform } from '../../src/types/config.ts'

/** A clock whose timer rings when the test says so. */
function openClock() {
  let ring: (() => void) | undefined
  const timer: Platform['timer'] = (_milliseconds, callback) => {
    ring = callback
    return { cancel: () => (ring = undefined) }
  }
  return { platform: { timer } as Platform, ring: () => ring?.(), isRunning: () => ring !== undefined }
}

/** Starts work, and records the reported result. */
function start() {
  const clock = openClock()
  const told: string[] = []
  const { promise, resolve, reject } = withResolvers<string>()
  settleInTime(
    promise,
    'the work',
    clock.platform,
    (value) => told.push(value),
    (error) => told.push((error as Error).message),
  )
  return { ...clock, told, resolve, reject }
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<T>((...settle) => ([resolve, reject] = settle))
  return { promise, resolve, reject }
}

const late = 'the work took longer than 30000 milliseconds'
const turn = () => new Promise(setImmediate)

it('DEC-34 FI-02 work in time ends its deadline', async () => {
  const done = start()
  done.resolve('done')
  await turn()
  expect(done.told).toEqual(['done'])
  expect(done.isRunning()).toBe(false)
  const broken = start()
  broken.reject(new Error('broken'))
  await turn()
  expect(broken.told).toEqual(['broken'])
  expect(broken.isRunning()).toBe(false)
})

it.each(['resolve', 'reject'] as const)(
  'DEC-34 FI-02 what work results in after its deadline is ignored: %s',
  async (how) => {
    const work = start()
    work.ring()
    expect(work.told).toEqual([late])
    if (how === 'resolve') work.resolve('late')
    else work.reject(new Error('late'))
    await turn()
    expect(work.told).toEqual([late])
  },
)
