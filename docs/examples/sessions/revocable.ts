import { memoryAdapter } from '../../../src/adapters/memory.ts'
import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'

export const adapter = memoryAdapter()

export const auth = createAuth({
  adapter,
  providers: [GitHub],
  session: { strategy: 'database', maxAge: 7 * 24 * 60 * 60, updateAge: 60 * 60 },
})
