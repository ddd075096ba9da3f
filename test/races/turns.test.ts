import { describe, expect, it, vi } from 'vitest'
import { takeTurn } from '../../src/config/store.ts'
import { stepDeadline } from '../../src/platform/clock.ts'
import { virtualClock } from '../../fuzz/testing/virtual-clock.ts'
import { isWaiting, soon } from '../support/turns.ts'

/** Work that ends on demand. */
function openWork() {
  let end = () => {}
  const done = new Promise<string>((resolve) => (end = () => resolve('done')))
  return { run: () => done, end: () => end() }
}

const deadline = stepDeadline / 1000

describe('turns on a key', () => {
  it('DEC-47a run work on one key in sequence, in the order of the calls', async () => {
    const clock = virtualClock()
    const order: string[] = []
    const works = ['first', 'second', 'third'].map((name) => ({ name, ...openWork() }))
    const turns = works.map(({ name, run }) =>
      takeTurn(
        'key',
        async () => {
          order.push(`${name} starts`)
          await run()
          order.push(`${name} ends`)
        },
        clock,
      ),
    )
    for (const { end } of works.toReversed()) end()
    for (const turn of turns) await turn
    expect(order).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} starts`, `${name} ends`]))
  })

  it('DEC-47a run work on different keys concurrently', async () => {
    const clock = virtualClock()
    void takeTurn('one', () => new Promise(() => {}), clock)
    expect(await soon(Promise.resolve(takeTurn('other', async () => 'done', clock)))).toBe('done')
  })

  it('DEC-47a return the synchronous result of a synchronous store if the key is free', () => {
    const clock = virtualClock()
    expect(takeTurn('key', () => 1, clock)).toBe(1)
    expect(takeTurn('key', () => 2, clock)).toBe(2)
  })

  it('CC-12 pass no function of another visitor to a promise of the adapter that has its own then', async () => {
    const clock = virtualClock()
    const { run, end } = openWork()
    const promise = run()
    const then = vi.spyOn(promise, 'then').mockReturnValue(promise)
    void takeTurn('key', () => promise, clock)
    const next = takeTurn('key', async () => 'next', clock)
    end()
    expect(await soon(Promise.resolve(next))).toBe('next')
    expect(then).not.toHaveBeenCalled()
  })

  it('DEC-47a pass a failure only to its own caller', async () => {
    const clock = virtualClock()
    const failing = takeTurn('key', () => Promise.reject(new Error('the store is down')), clock)
    const next = takeTurn('key', async () => 'done', clock)
    await expect(failing).rejects.toThrow('the store is down')
    expect(await next).toBe('done')
    expect(() =>
      takeTurn(
        'key',
        () => {
          throw new Error('thrown')
        },
        clock,
      ),
    ).toThrow('thrown')
    expect(takeTurn('key', () => 'free', clock)).toBe('free')
  })

  it('DEC-47c wait for hanging work until its deadline, and no longer', async () => {
    const clock = virtualClock()
    void takeTurn('key', () => new Promise(() => {}), clock)
    clock.advance(10)
    const waiter = Promise.resolve(takeTurn('key', async () => 'done', clock))
    expect(await isWaiting(waiter)).toBe(true)
    clock.advance(deadline - 11)
    expect(await isWaiting(waiter)).toBe(true)
    clock.advance(1)
    expect(await soon(waiter)).toBe('done')
    clock.advance(1)
    expect(takeTurn('key', () => 'free', clock)).toBe('free')
  })

  it('DEC-47c skip work whose step has failed in the meantime', async () => {
    const clock = virtualClock()
    void takeTurn('key', () => new Promise(() => {}), clock)
    let isDone = false
    const waiters = Array.from({ length: 3 }, () =>
      Promise.resolve(takeTurn('key', async () => void (isDone = true), clock)),
    )
    clock.advance(deadline)
    for (const waiter of waiters)
      await expect(soon(waiter)).rejects.toThrow(
        'waiting for other store work on the same key took longer than 30000 milliseconds',
      )
    expect(isDone).toBe(false)
  })

  it('DEC-47c never wait for work whose request was stopped together with its timers', async () => {
    const clock = virtualClock()
    void takeTurn('key', () => new Promise(() => {}), { now: clock.now, timer: clock.timer })
    clock.advance(deadline)
    expect(takeTurn('key', () => 'free', clock)).toBe('free')
  })
})
