import type { Rows } from '../../world/store.ts'
import type { World } from '../../world/world.ts'
import type { FlowName } from './flows.ts'

/**
 * Describes rows without owners, incomplete passkeys, users who cannot sign in, and duplicates; undefined if there are
 * none.
 */
export function findInconsistency({ rows }: World): string | undefined {
  const { users, accounts, sessions, credentials } = rows
  const ids = new Set(users.map(({ id }) => id))
  const owned = [...accounts, ...sessions, ...credentials]
  if (owned.some(({ userId }) => !ids.has(userId))) return 'a row has no user'
  const incomplete = findIncompletePasskey(rows)
  if (incomplete !== undefined) return incomplete
  if (new Set(users.map(({ email }) => email)).size < users.length) return 'two users have one address'
  const keys = accounts.map(({ provider, providerAccountId }) => `${provider} ${providerAccountId}`)
  if (new Set(keys).size < keys.length) return 'an account is duplicated'
  return hasOrphan(rows) ? 'nobody can sign in as one of the users' : undefined
}

/** Describes an account without its passkey, or a passkey without its account; undefined if there is none. */
export function findIncompletePasskey({ accounts, credentials }: Rows): string | undefined {
  const isWhole = ({ type, providerAccountId }: Rows['accounts'][number]) =>
    type !== 'webauthn' || credentials.some((row) => row.providerAccountId === providerAccountId)
  if (!accounts.every(isWhole)) return 'an account has no passkey'
  const keys = new Set(accounts.map(({ providerAccountId }) => providerAccountId))
  return credentials.every(({ providerAccountId }) => keys.has(providerAccountId))
    ? undefined
    : 'a passkey has no account'
}

/** Returns whether there is a user without a verified address, a provider account, or a complete passkey. */
export function hasOrphan({ users, accounts, credentials }: Rows): boolean {
  const isWhole = ({ type, providerAccountId }: Rows['accounts'][number]) =>
    type !== 'webauthn' || credentials.some((row) => row.providerAccountId === providerAccountId)
  const owners = new Set(accounts.filter(isWhole).map(({ userId }) => userId))
  return users.some(({ id, emailVerified }) => !emailVerified && !owners.has(id))
}

/** Signs in once more, by the method of the flow. */
export async function signInAgain(world: World, flow: FlowName): Promise<boolean> {
  const browser = world.browser('ada')
  const { ada } = world.people
  // An application may cache a provider's failure for a while.
  world.advance(60)
  if (flow.includes('link')) await browser.followLink(await browser.requestLink(ada.address.mail))
  else await browser.arrive(await browser.visit('alpha', ada))
  return (await browser.whoAmI()) === ada.name
}
