import type { Settings, Store } from '../../config/settings.ts'
import type { Visit } from '../../http/visit.ts'
import type { ShownAccount, ShownSession } from './pages.ts'
import { presentSessions, readUserSessions } from '../../session/user-sessions.ts'
import { type Way, canName, canRemoveWays, maxName, readWays } from './ways.ts'
import type { AdapterUser } from '../../types/adapter.ts'
import { step } from '../../flows/engine/step.ts'
import { requireStore } from '../../flows/engine/world.ts'
import { canEnd, phraseOf } from './change.ts'

/** Reads the data of the page. Each section needs the operations of the adapter that its forms call. */
export const preparePage = step({
  needs: ['visit', 'currentUser', 'heldCookie'],
  may: ['notice'],
  says: { 'page.prepared': ['shownAccount'] },
  async run({ visit, currentUser, heldCookie, notice }, world) {
    const { settings } = world
    const store = requireStore(world)
    const ways = canRemoveWays(settings) ? await readWays(currentUser.id, store, settings) : undefined
    const shownAccount: ShownAccount = {
      userId: currentUser.id,
      name: currentUser.name ?? undefined,
      email: currentUser.email || undefined,
      notice,
      sessions: await listSessions(currentUser, heldCookie, store, settings),
      canEndOthers: canEnd('end-other-sessions', settings),
      accounts: ways && listAccounts(ways, visit, settings),
      passkeys: ways && listPasskeys(ways, canName(world)),
      deletion: store.has('deleteUser') ? phraseOf(currentUser) : undefined,
    }
    return { type: 'page.prepared', shownAccount }
  },
})

async function listSessions(
  { id }: AdapterUser,
  held: string,
  store: Store,
  settings: Settings,
): Promise<readonly ShownSession[] | undefined> {
  if (settings.session.strategy === 'jwt' || !store.has('listSessionsByUserId')) return undefined
  const sessions = await presentSessions(await readUserSessions(id, store), held, settings)
  return sessions.map(({ expires, createdAt, ...session }) => ({
    ...session,
    expires: expires.getTime(),
    createdAt: createdAt?.getTime(),
  }))
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
    others: others.map(({ id, name }) => ({ id, name })),
    callbackUrl: `${base}/account`,
  }
}

function listPasskeys(ways: readonly Way[], canBeNamed: boolean) {
  const passkeys = ways.flatMap(({ id, passkey }) =>
    passkey ? [{ id, name: passkey.name || undefined }] : [],
  )
  return { list: passkeys, maxName: canBeNamed ? maxName : undefined }
}
