import { testFeature } from 'authmachine/extend/testing'
import { test } from 'vitest'
import { anonymous } from './anonymous.ts'

test('users without an account', async () => {
  await testFeature(anonymous())
})
