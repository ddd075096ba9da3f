import { memoryRevocations } from '../../../src/adapters/memory.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { company } from './company.ts'

export const config: AuthConfig = {
  providers: [{ ...company, backChannelLogout: true }],
  // In production: `redisRevocations` or `kyselyRevocations`.
  jwt: { revocations: memoryRevocations() },
}
