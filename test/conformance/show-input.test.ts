import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { showInput } from '../../fuzz/run/show-input.ts'

describe('the input of a case', () => {
  it('is shown without the source code of its functions', () => {
    const fault = { name: 'hangs', apply: async (work: () => Promise<void>) => work() }
    expect(showInput({ faults: [fault], at: 0 })).toBe('{"faults":[{"name":"hangs"}],"at":0}')
    expect(showInput([(name: string) => `${name}@a.example`, true])).toBe('[‹function›,true]')
  })

  it('is shown on one line, without the log of its schedule', async () => {
    const [scheduler] = fc.sample(fc.scheduler(), 1)
    void scheduler?.schedule(Promise.resolve(), 'a label')
    await scheduler?.waitAll()
    expect(showInput({ count: 2, scheduler })).toBe('{"count":2,"scheduler":‹the order of the replay›}')
  })

  it('keeps what functions and schedules do not affect', () => {
    for (const value of [undefined, null, 'text', 7n, new Date(0), new URL('https://a.example/'), [[1]]])
      expect(showInput(value)).toBe(fc.stringify(value))
  })
})
