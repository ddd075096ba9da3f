import { memoryAdapter } from '../../../src/adapters/memory.ts'

export const adapter = memoryAdapter()
