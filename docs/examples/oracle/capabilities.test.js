import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkConformance } from '../../../fuzz/index.ts'

test('ends sessions that are in use', async () => {
  const mine = fileURLToPath(new URL('./mine-with-capabilities.js', import.meta.url))
  const { invariants } = await checkConformance(mine, { only: ['SE-08'] })
  assert.equal(invariants.find(({ id }) => id === 'SE-08')?.verdict, 'PASS')
})
