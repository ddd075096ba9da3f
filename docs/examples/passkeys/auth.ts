import { memoryAdapter } from '../../../src/adapters/memory.ts'
import { createAuth } from '../../../src/index.ts'
import Passkey from '../../../src/providers/passkey.ts'

export const auth = createAuth({
  adapter: memoryAdapter(),
  providers: [Passkey({ relayingParty: { name: 'Example' } })],
  experimental: { enableWebAuthn: true },
})
