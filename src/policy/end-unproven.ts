import type { Store } from '../config/settings.ts'
import { requireStore, type World } from '../flows/engine/world.ts'
import { hasPasswords } from '../flows/shared/linking.ts'
import { readAuthenticators } from '../webauthn/authenticator.ts'
import type { Scope } from './end-sessions.ts'

/** Removes the password that somebody set before the address was proven. */
async function endPassword(userId: string, _scope: Scope, world: World): Promise<void> {
  if (hasPasswords(world.settings)) await requireStore(world).deletePassword(userId)
}

/** Removes the passkeys that somebody added before the address was proven, as far as the adapter can. */
async function endPasskeys(userId: string, _scope: Scope, world: World): Promise<void> {
  const store = requireStore(world)
  if (!store.has('listAuthenticatorsByUserId') || !store.has('deleteAuthenticator')) return
  const rows = await store.listAuthenticatorsByUserId(userId)
  for (const { credentialID } of readAuthenticators(rows, 'listAuthenticatorsByUserId'))
    await store.deleteAuthenticator(credentialID)
  await unlinkPasskeys(userId, store)
}

async function unlinkPasskeys(userId: string, store: Store): Promise<void> {
  if (!store.has('listAccountsByUserId') || !store.has('unlinkAccount')) return
  for (const { type, provider, providerAccountId } of await store.listAccountsByUserId(userId))
    if (type === 'webauthn') await store.unlinkAccount({ provider, providerAccountId })
}

/** The credentials that somebody may have added before the address was proven, by their names in the guides. */
export const unprovenCredentials = [
  { name: 'the password', ends: endPassword },
  { name: 'passkeys', ends: endPasskeys },
] as const
