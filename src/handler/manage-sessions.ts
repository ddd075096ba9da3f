import { copyOfError } from '../copies/copy-handed-out.ts'
import { settingsOf } from '../config/derive-settings.ts'
import type { Settings, Store } from '../config/settings.ts'
import { MissingAdapter, MissingAdapterMethods, UnsupportedStrategy } from '../errors/classes.ts'
import { withDeadline } from '../flows/engine/deadline.ts'
import type { OptionalMethods } from '../features/types.ts'
import { loadOptional } from '../flows/flows.ts'
import { findSessionCookie } from '../flows/shared/recognition.ts'
import { visitSession } from '../http/parse-visit.ts'
import { endKept } from '../policy/end-kept.ts'
import { tell } from '../policy/tell.ts'
import { removeUser } from '../session/remove-user.ts'
import { isId } from '../session/stored.ts'
import { chooseSessions, isLive, presentSessions, readUserSessions } from '../session/user-sessions.ts'
import type { Adapter, AdapterSession } from '../types/adapter.ts'
import type { AuthConfig } from '../types/config.ts'
import type { Awaitable } from '../types/records.ts'
import { openSessionToken } from '../session/session-token.ts'
import type { Claims } from '../token/decrypt-token.ts'
import type { ListedSession, ListSessionsOptions, RevokeSessionsOptions } from '../types/listed-session.ts'
import { openWorld } from './open-world.ts'
import { createWorld } from './run-flow.ts'
import { fireEvents } from './fire-events.ts'

/** The parts of a configuration that the methods use. */
interface Opened {
  readonly settings: Settings
  readonly store: Store
}

/** Lists the live sessions of a user, sorted by expiry, latest first. */
export async function listSessions(
  config: AuthConfig,
  userId: string,
  { request }: ListSessionsOptions = {},
): Promise<ListedSession[]> {
  const opened = openSessions(config, 'listSessions', userId)
  const sessions = await readSessions(opened, userId)
  return presentSessions(sessions, request && (await heldToken(request, opened.settings)), opened.settings)
}

/** Ends the session with this id if it is the user's. */
export async function revokeSession(config: AuthConfig, userId: string, id: string): Promise<boolean> {
  const opened = openSessions(config, 'revokeSession', userId)
  const sessions = await readSessions(opened, userId)
  return (await revoke(await chooseSessions(sessions, id), opened)) > 0
}

/** Ends all sessions of a user, except the one of a request. */
export async function revokeSessions(
  config: AuthConfig,
  userId: string,
  { except }: RevokeSessionsOptions = {},
): Promise<number | null> {
  const settings = open(config, 'revokeSessions', userId)
  const isToken = settings.session.strategy === 'jwt' && settings.jwt.revocations !== undefined
  if (!isToken) openSessions(config, 'revokeSessions', userId)
  const spared = except && (await readSpared(except, isToken, settings))
  const world = openWorld(settings)
  try {
    await inTime('ending the sessions', endKept('revoke-sessions', userId, world, spared ?? {}), settings)
  } finally {
    await fireEvents(world.out.announcements, settings)
  }
  return isToken ? null : world.out.announcements.length
}

/** Returns the token or cookie of the request whose session stays. */
async function readSpared(request: Request, isToken: boolean, settings: Settings) {
  return isToken
    ? { token: await openHeldToken(request, settings) }
    : { heldCookie: await heldToken(request, settings) }
}

/** Calls a method of an optional feature. */
export async function callOptional(
  config: AuthConfig,
  method: keyof OptionalMethods,
  userId: string,
): Promise<boolean> {
  const { operations, doing, perform } = await (await loadOptional()).loadMethods[method]()
  const { settings } = openStore(config, method, userId, operations)
  const world = openWorld(settings)
  try {
    return await inTime(doing, perform(userId, world), settings)
  } finally {
    await fireEvents(world.out.announcements, settings)
  }
}

/** Removes a user and everything that belongs to it. */
export async function deleteUser(config: AuthConfig, userId: string): Promise<void> {
  const { settings, store } = openStore(config, 'deleteUser', userId, ['deleteUser'])
  const remove = async () => {
    const user = settings.sendNotice && store.has('getUser') && (await store.getUser(userId))
    const { out } = createWorld(settings)
    for (const announcement of await removeUser(userId, store, settings))
      if (user && announcement.event === 'deleteUser') tell('delete-user', announcement, { user }, out)
      else out.announce(announcement)
    return out.announcements
  }
  await fireEvents(await inTime('removing the user', remove(), settings), settings)
}

/** Returns the claims of the session token of a request. */
async function openHeldToken(request: Request, settings: Settings): Promise<Claims | undefined> {
  const visit = visitSession(request, settings, false)
  if ('refused' in visit) return undefined
  const { name } = visit.cookieTable.sessionToken
  const { keys, platform } = createWorld(settings)
  const held = (await heldToken(request, settings)) ?? ''
  const token = await openSessionToken(held, name, settings, keys, platform.now())
  return 'claims' in token ? token.claims : undefined
}

/** Checks that a configuration has sessions that can be listed and removed. */
function openSessions(config: AuthConfig, method: string, userId: string): Opened {
  const opened = openStore(config, method, userId, ['listSessionsByUserId', 'deleteSession'])
  if (opened.settings.session.strategy === 'database') return opened
  throw new UnsupportedStrategy(
    `\`${method}\` needs database sessions: set \`session.strategy\` to "database". To revoke JWT sessions, set \`jwt.revocations\` and call \`revokeSessions\``,
  )
}

function openStore(
  config: AuthConfig,
  method: string,
  userId: string,
  operations: readonly (keyof Adapter)[],
): Opened {
  const settings = open(config, method, userId)
  const { store } = settings
  if (!store) throw new MissingAdapter(`\`${method}\` needs an adapter`)
  const missing = operations.filter((name) => !store.has(name)).map((name) => `\`${name}\``)
  if (missing.length > 0)
    throw new MissingAdapterMethods(`\`${method}\` needs an adapter with ${missing.join(' and ')}`)
  return { settings, store }
}

function open(config: AuthConfig, method: string, userId: string): Settings {
  const settings = settingsOf(config)
  if (settings.fault) throw copyOfError(settings.fault)
  // Some adapters treat an undefined id as a missing condition, and return or remove the rows of all users.
  if (!isId(userId))
    throw new TypeError(
      `\`${method}\` needs the id of a user, got ${userId === '' ? 'empty text' : typeof userId}. A session contains \`user.id\` if \`callbacks.session\` returns it`,
    )
  return settings
}

/** Reads the sessions of a user, including expired ones. */
function readSessions({ store, settings }: Opened, userId: string): Promise<AdapterSession[]> {
  return inTime("the adapter's listSessionsByUserId", readUserSessions(userId, store), settings)
}

/**
 * Removes sessions. If one cannot be removed, removes the others first, and then rejects.
 *
 * @returns how many of them were live
 */
async function revoke(sessions: readonly AdapterSession[], opened: Opened): Promise<number> {
  const settled = await Promise.allSettled(
    sessions.map(async (session) => {
      await inTime(
        "the adapter's deleteSession",
        opened.store.deleteSession(session.sessionToken),
        opened.settings,
      )
      return session
    }),
  )
  const ended = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const announced = await announce(ended, opened)
  const failed = settled.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
  return announced
}

/** Reports the end of each live session as a sign-out does. */
async function announce(ended: readonly AdapterSession[], opened: Opened): Promise<number> {
  const live = ended.filter((session) => isLive(session, opened.settings))
  await fireEvents(
    live.map((session) => ({ event: 'signOut', message: { session } })),
    opened.settings,
  )
  return live.length
}

/** Returns the session token in the cookie of a request. */
async function heldToken(request: Request, settings: Settings): Promise<string | undefined> {
  const visit = visitSession(request, settings, false)
  return 'refused' in visit ? undefined : findSessionCookie(visit, createWorld(settings))
}

/** Rejects if the work takes longer than a step may. */
function inTime<T>(what: string, work: Awaitable<T>, { platform }: Settings): Promise<T> {
  return withDeadline(Promise.resolve(work), what, platform)
}
