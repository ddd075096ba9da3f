import { testFeature } from 'authmachine/extend/testing'
import { test } from 'vitest'
import { terms } from './terms.ts'

test('the terms of service', async () => {
  await testFeature(terms({ version: '2026-11', url: '/terms' }))
})
