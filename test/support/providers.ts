import { CredentialsSignin } from '../../src/errors.ts'
import Credentials from '../../src/providers/credentials.ts'
import type { CredentialsConfig } from '../../src/types/provider.ts'
import { issuer } from './app.ts'

class Locked extends CredentialsSignin {
  override code = 'locked'
}

/** The provider of {@link openApp}, for configurations that list their own providers. */
export const idp = {
  id: 'idp',
  name: 'Idp',
  type: 'oidc' as const,
  issuer,
  clientId: 'client',
  clientSecret: 'client-secret',
}

/**
 * Signs in any name with the PIN 1234. Rejects `locked` with a specific error code, and any other value without a code.
 */
export function pinProvider(id?: string): CredentialsConfig {
  return Credentials({
    ...(id !== undefined && { id }),
    credentials: { name: {}, pin: {} },
    authorize: ({ name, pin }) => {
      if (pin === 'locked') throw new Locked()
      return pin === '1234' ? { id: 'ada', name: String(name) } : null
    },
  })
}
