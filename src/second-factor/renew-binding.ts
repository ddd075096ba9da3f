import { encodeBase64url } from '../crypto/bytes.ts'
import { AdapterError } from '../errors.ts'
import { readFactor, writeFactor, type Vault } from './factor-record.ts'

/** How often it starts again if another request changes the factor meanwhile. */
const attempts = 5

/**
 * Ends the pending sign-ins and the remembered devices of a user.
 * @throws AdapterError if other requests keep changing the factor
 */
export async function renewBinding(userId: string, vault: Vault): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const held = await readFactor(userId, vault)
    if (!held) return
    const binding = encodeBase64url(vault.settings.platform.randomBytes(16))
    if (await writeFactor({ ...held.record, binding }, held, vault)) return
  }
  throw new AdapterError('Other requests keep changing the second factor of the user')
}
