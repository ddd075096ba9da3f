import type { Settings, Store } from '../../config/settings.ts'
import { readFactor } from '../../second-factor/factor-record.ts'
import { provideFormToken } from '../shared/check-csrf.ts'
import type { Visit } from '../../http/visit.ts'
import type { AccountPage } from '../../pages/page.ts'
import { presentSessions, readUserSessions } from '../../session/user-sessions.ts'
import { type Way, canName, canRemoveWays, maxName, readWays } from './ways.ts'
import type { AdapterUser } from '../../types/adapter.ts'
import type { AccountSection } from '../../types/feature.ts'
import { onceLoaded } from '../../async/once.ts'
import { step } from '../engine/step.ts'
import { requireStore, type World } from '../engine/world.ts'
import { vaultOf } from '../shared/vault.ts'
import { canEnd, phraseOf } from './change.ts'

/** Reads the data of the page. Each section needs the operations of the adapter that its forms call. */
export const preparePage = step({
  needs: ['visit', 'currentUser', 'heldCookie'],
  may: ['notice'],
  says: { 'page.prepared': ['accountPage'] },
  async run({ visit, currentUser, heldCookie, notice }, world) {
    const { settings } = world
    const store = requireStore(world)
    const ways = canRemoveWays(settings) ? await readWays(currentUser.id, store, settings) : undefined
    const accountPage: AccountPage = {
      page: 'account',
      origin: visit.origin,
      base: visit.base,
      csrfToken: await provideFormToken(visit, world),
      name: currentUser.name ?? undefined,
      email: currentUser.email || undefined,
      notice,
      sessions: await listSessions(currentUser, heldCookie, store, settings),
      canEndOthers: canEnd('end-other-sessions', settings),
      accounts: ways && listAccounts(ways, visit, settings),
      passkeys: ways && listPasskeys(ways, canName(world)),
      factor: settings.secondFactor && (await describeFactor(currentUser, visit, world)),
      passwords: await listPasswords(currentUser, visit, world),
      sections: await describeSections(visit, settings),
      deletion: store.has('deleteUser') ? phraseOf(currentUser) : undefined,
    }
    return { type: 'page.prepared', accountPage }
  },
})

const loadOptional = onceLoaded(() => import('../../features/all.ts'))

/** Only sites with features load their pages. */
const loadFeaturePages = onceLoaded(() => import('../../pages/feature-page.ts'))

/** Describes the sections of features, which post to the routes of their names unless they say otherwise. */
async function describeSections({ request }: Visit, settings: Settings): Promise<AccountSection[]> {
  const { listOptional } = await loadOptional()
  const offering = [...listOptional(settings), ...settings.features].filter(({ account }) => account)
  if (offering.length === 0) return []
  const { describeAccountSection } = await loadFeaturePages()
  const accepted = request.headers.get('accept-language')
  const sections = offering.map(async (feature) => {
    const section = await describeAccountSection(feature, settings, accepted)
    return section ? [{ action: feature.name, ...section }] : []
  })
  return (await Promise.all(sections)).flat()
}

/** Describes the second factor. Its secret and its codes stay in the store. */
async function describeFactor({ id }: AdapterUser, { base }: Visit, world: World) {
  const held = await readFactor(id, vaultOf(world))
  const query = new URLSearchParams({ callbackUrl: `${base}/account` })
  return { enrolUrl: `${base}/factor-enrolment?${query}`, recoveryCodes: held?.record.recovery.length }
}

async function listSessions({ id }: AdapterUser, held: string, store: Store, settings: Settings) {
  if (settings.session.strategy === 'jwt' || !store.has('listSessionsByUserId')) return undefined
  return presentSessions(await readUserSessions(id, store), held, settings)
}

/** Lists the accounts at providers, and the providers that can be linked. */
function listAccounts(ways: readonly Way[], { base }: Visit, { providers }: Settings) {
  const linked = ways.filter(({ account }) => account.type !== 'webauthn')
  const held = new Set(linked.map(({ account }) => account.provider))
  const others = [...providers.values()].filter(({ id, kind }) => kind === 'oauth' && !held.has(id))
  return {
    linked: linked.map(({ id, account: { provider } }) => ({
      id,
      name: providers.get(provider)?.name ?? provider,
    })),
    others: others.map(({ id, name }) => ({ name, action: `${base}/signin/${id}` })),
  }
}

function listPasskeys(ways: readonly Way[], canBeNamed: boolean) {
  const passkeys = ways.flatMap(({ id, passkey }) =>
    passkey ? [{ id, name: passkey.name || undefined }] : [],
  )
  return { list: passkeys, maxName: canBeNamed ? maxName : undefined }
}

/** A user without a password sets the first one by a mailed link, which needs an address. */
async function listPasswords({ id: userId, email }: AdapterUser, { base }: Visit, world: World) {
  const offering = [...world.settings.providers.values()].filter(({ kind }) => kind === 'password')
  if (offering.length === 0) return []
  const isSet = Boolean(await requireStore(world).getPassword(userId))
  if (!isSet && !email) return []
  return offering.map(({ id }) => ({ url: `${base}/${isSet ? 'password-change' : 'password'}/${id}`, isSet }))
}
