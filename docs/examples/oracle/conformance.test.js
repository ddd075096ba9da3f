import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkConformance } from '../../../fuzz/index.ts'

test('binds the state of a sign-in to its provider', async () => {
  const mine = fileURLToPath(new URL('./mine.js', import.meta.url))
  const { invariants } = await checkConformance(mine, { only: ['TX-05'] })
  assert.equal(invariants.find(({ id }) => id === 'TX-05')?.verdict, 'PASS')
})
