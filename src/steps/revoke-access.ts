import type { Store } from '../config/settings.ts'
import { readAuthenticators } from '../webauthn/authenticator.ts'
import { demandStore } from './demand-store.ts'
import { step } from './step.ts'

/**
 * Before an address is proven for the first time, anybody may have been this user. Removes the sessions and passkeys from
 * that time, as far as the adapter can (decision 39); accounts at providers stay.
 */
export const revokeAccess = step({
  needs: ['member'],
  says: { 'access.revoked': [], 'access.kept': [] },
  async run({ member: { id, emailVerified } }, world) {
    const store = demandStore(world)
    const listsPasskeys = store.has('listAuthenticatorsByUserId') && store.has('deleteAuthenticator')
    const endsSessions = store.has('deleteSessionsByUserId')
    if (emailVerified || (!listsPasskeys && !endsSessions)) return { type: 'access.kept' }
    if (listsPasskeys) await removePasskeys(id, store)
    if (endsSessions) await store.deleteSessionsByUserId(id)
    return { type: 'access.revoked' }
  },
})

async function removePasskeys(userId: string, store: Store): Promise<void> {
  const rows = await store.listAuthenticatorsByUserId(userId)
  for (const { credentialID } of readAuthenticators(rows, 'listAuthenticatorsByUserId'))
    await store.deleteAuthenticator(credentialID)
  if (!store.has('listAccountsByUserId') || !store.has('unlinkAccount')) return
  for (const { type, provider, providerAccountId } of await store.listAccountsByUserId(userId))
    if (type === 'webauthn') await store.unlinkAccount({ provider, providerAccountId })
}
