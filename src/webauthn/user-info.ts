import type { Store, WebAuthnSettings } from '../config/settings.ts'
import { canonicaliseAddress } from '../email/canonical-address.ts'
import { rebuildRequest } from '../http/rebuild-request.ts'
import type { Visit } from '../http/visit.ts'
import { demandUser } from '../session/stored.ts'
import type { AdapterUser } from '../types/adapter.ts'
import type { User } from '../types/records.ts'
import { contextFor } from './relying-party.ts'

/** Who asks for a ceremony without being signed in: a user, somebody who is none yet, or nobody in particular. */
export type Asker = { readonly known: AdapterUser } | { readonly newcomer: User } | undefined

/**
 * Asks the provider's `getUserInfo`. Without one, the field `email` only says what a newcomer calls themselves: anybody
 * can type an address, and looking it up would tell them whether it is known (WA-08).
 */
export async function findAsker(provider: WebAuthnSettings, visit: Visit, store: Store): Promise<Asker> {
  const { getUserInfo } = provider.config
  if (!getUserInfo) return readNewcomer(visit.query.get('email'))
  const info = await getUserInfo(contextFor(provider, visit, store), rebuildRequest(visit))
  if (!info) return undefined
  if (info.exists) return { known: demandUser(info.user, 'getUserInfo') }
  if (!info.user.email) return { newcomer: info.user }
  const email = canonicaliseAddress(info.user.email)
  return email === undefined ? undefined : { newcomer: { ...info.user, email } }
}

/** What is no address counts as not given. */
function readNewcomer(field: string | null): Asker {
  const email = canonicaliseAddress(field)
  return email === undefined ? undefined : { newcomer: { email } }
}
