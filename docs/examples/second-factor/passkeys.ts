import { createAuth } from '../../../src/index.ts'
import GitHub from '../../../src/providers/github.ts'
import Passkey from '../../../src/providers/passkey.ts'
import { totp } from '../../../src/second-factor.ts'
import { adapter } from './store.ts'

export const auth = createAuth({
  adapter,
  providers: [GitHub, Passkey],
  secondFactor: totp({ issuer: 'Example' }),
  experimental: { enableWebAuthn: true },
})
