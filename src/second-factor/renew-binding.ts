import { encodeBase64url } from '../crypto/bytes.ts'
import type { Vault } from './factor-record.ts'
import { changeFactor } from './held-sign-ins.ts'

/**
 * Ends the pending sign-ins and the remembered devices of a user.
 * @throws AdapterError if other requests keep changing the factor
 */
export async function renewBinding(userId: string, vault: Vault): Promise<void> {
  const binding = encodeBase64url(vault.platform.randomBytes(16))
  await changeFactor(userId, (record) => ({ ...record, binding }), vault)
}
