import type { Store, WebAuthnSettings } from '../config/settings.ts'
import { canonicaliseAddress } from '../email/canonical-address.ts'
import { rebuildRequest } from '../http/rebuild-request.ts'
import type { Visit } from '../http/visit.ts'
import { demandUser, readUser } from '../session/stored.ts'
import type { AdapterUser } from '../types/adapter.ts'
import type { User } from '../types/records.ts'
import { contextFor } from './relying-party.ts'

/** Who asks for a ceremony without being signed in: a user, somebody who is none yet, or nobody in particular. */
export type Asker = { readonly known: AdapterUser } | { readonly newcomer: User } | undefined

/** Asks the provider's `getUserInfo`, or looks for the user of the field `email`. */
export async function findAsker(provider: WebAuthnSettings, visit: Visit, store: Store): Promise<Asker> {
  const { getUserInfo } = provider.config
  if (!getUserInfo) return findByEmail(visit.query.get('email'), store)
  const info = await getUserInfo(contextFor(provider, visit, store), rebuildRequest(visit))
  if (!info) return undefined
  if (info.exists) return { known: demandUser(info.user, 'getUserInfo') }
  if (!info.user.email) return { newcomer: info.user }
  const email = canonicaliseAddress(info.user.email)
  return email === undefined ? undefined : { newcomer: { ...info.user, email } }
}

/** What is no address counts as not given. */
async function findByEmail(field: string | null, store: Store): Promise<Asker> {
  const email = canonicaliseAddress(field)
  if (email === undefined) return undefined
  const known = readUser(await store.getUserByEmail(email), 'getUserByEmail')
  return known ? { known } : { newcomer: { email } }
}
