import { describe, it } from 'vitest'
import { openApp } from '../support/app.ts'
import { scenarios } from './scenarios/index.ts'

describe('flows, with real requests', () => {
  for (const { name, run } of scenarios) it(name, () => run({ open: openApp }))
})
