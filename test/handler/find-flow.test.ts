import { expect, it } from 'vitest'
import { charts } from '../../machines/by-id.ts'
import { findFlow, type FlowName } from '../../src/flows/flows.ts'
import { flows } from '../../src/instrumented.ts'
import type { FeatureFlow } from '../../src/types/feature.ts'
import { everyFeature } from '../support/every-option.ts'

const routes = everyFeature().flatMap((feature) => Object.values(feature.routes ?? {}))
const ofFeatures = new Map<string, FeatureFlow>(
  (await Promise.all(routes.map(async (route) => route.flow()))).map((flow) => [flow.id, flow]),
)

it.each(Object.keys(charts))('the flow %s is the exported one, and is loaded only once', async (name) => {
  const exported = flows[name as keyof typeof flows]
  if (ofFeatures.has(name)) return expect(ofFeatures.get(name)).toBe(exported)
  expect(await findFlow(name as FlowName)).toBe(exported)
  expect(findFlow(name as FlowName)).toBe(exported)
})
