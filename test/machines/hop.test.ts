import { describe, expect, it } from 'vitest'
import { enter, placesOf } from '../../fuzz/charts/chart-walk.ts'
import { charts } from '../../machines/by-id.ts'
import { nameHop, readHop } from '../../machines/hop.ts'

describe('the name of a hop', () => {
  it('is read back, for every transition of the flows', () => {
    for (const chart of Object.values(charts)) {
      const placed = placesOf(chart)
      for (const { name: state, heard } of placed.values())
        for (const [event, target] of heard) {
          const hop = { flow: chart.id, state, event, next: enter(placed, target).name }
          expect(readHop(nameHop(hop))).toEqual(hop)
        }
    }
  })

  it('is read in linear time, because a report may be a stranger’s', () => {
    const started = process.cpuUsage()
    expect(readHop(`a: ${'x -(y)-> '.repeat(100_000)}\n`)).toBeUndefined()
    expect(readHop(`a: ${'-('.repeat(200_000)}${')-> '.repeat(200_000)}`)).toBeUndefined()
    expect(process.cpuUsage(started).user).toBeLessThan(5_000_000)
  })
})
