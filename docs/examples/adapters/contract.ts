import { test } from 'node:test'
import { declareContract } from '../../../fuzz/adapter/index.ts'
import { memoryAdapter } from '../../../src/adapters/memory.ts'

declareContract(
  {
    name: 'my store',
    open() {
      const adapter = memoryAdapter()
      return { adapter, close() {} }
    },
  },
  test,
)
