import { expect, it } from 'vitest'
import { charts } from '../../machines/by-id.ts'
import { flows } from '../../src/instrumented.ts'
import { findFlow, type FlowName } from '../../src/flows/flows.ts'

it.each(Object.keys(charts) as FlowName[])(
  'the flow %s is the exported one, and is loaded only once',
  async (name) => {
    expect(await findFlow(name)).toBe(flows[name])
    expect(findFlow(name)).toBe(flows[name])
  },
)
