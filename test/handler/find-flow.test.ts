import { expect, it } from 'vitest'
import { findFlow, type Flows } from '../../src/handler/find-flow.ts'
import { flows } from '../../src/handler/flows.ts'

it.each(Object.keys(flows) as (keyof Flows)[])(
  'what runs as %s is what is drawn, and is there at once from the second time on',
  async (name) => {
    expect(await findFlow(name)).toBe(flows[name])
    expect(findFlow(name)).toBe(flows[name])
  },
)
