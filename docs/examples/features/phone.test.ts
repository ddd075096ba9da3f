import { testFeature } from 'authmachine/extend/testing'
import { test } from 'vitest'
import { phone } from './phone.ts'

test('phone codes', async () => {
  await testFeature(phone({ send: async () => undefined }))
})
