import { testFeature } from 'authmachine/extend/testing'
import { test } from 'vitest'
import { device } from './device.ts'

test('device sign-in', async () => {
  await testFeature(device({ clients: { cli: 'Example CLI' } }))
})
