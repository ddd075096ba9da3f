import { expect, it } from 'vitest'
import { flows } from '../../src/instrumented.ts'
import { findFlow, type Flows } from '../../src/flows/flows.ts'

it.each(Object.keys(flows) as (keyof Flows)[])(
  'the flow %s is the exported one, and is loaded only once',
  async (name) => {
    expect(await findFlow(name)).toBe(flows[name])
    expect(findFlow(name)).toBe(flows[name])
  },
)
