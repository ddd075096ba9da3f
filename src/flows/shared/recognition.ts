import type { Settings } from '../../config/settings.ts'
import { isDue, warnEachMinute } from '../../config/warnings.ts'
import { JWTSessionError } from '../../errors/classes.ts'
import { hasSeveral, readChunked } from '../../cookies/chunks.ts'
import type { Visit } from '../../http/visit.ts'
import { type MaybePromise, settle, whenReady } from '../../async/maybe-promise.ts'
import { loadRevocations } from '../../session/load-revocations.ts'
import { rowLifetime } from '../../session/lifetime.ts'
import { openSessionToken } from '../../session/session-token.ts'
import { readSessionAndUser, readUser } from '../../session/stored.ts'
import type { Claims, Opened } from '../../token/decrypt-token.ts'
import type { JWT } from '../../types/jwt.ts'
import { step } from '../engine/step.ts'
import { requireStore, type World } from '../engine/world.ts'
import { chooseSessionCookie } from './several-cookies.ts'

/**
 * Warns about a session cookie that cannot be opened, or logs the error of the application's decoder. Expired sessions
 * cause no warning.
 */
function warnUnreadable(
  { refused, thrown }: Extract<Opened, { readonly refused: unknown }>,
  cookieName: string,
  settings: Pick<Settings, 'basePath' | 'jwt' | 'logger' | 'platform'>,
): void {
  if (thrown && isDue(settings, 'jwt.decode', cookieName)) settings.logger.error(new JWTSessionError(thrown))
  // The application's decoder returns no reason. The token may only have expired.
  if (refused === 'expired' || refused === 'not-yet-valid' || settings.jwt.decode) return
  warnEachMinute(settings, 'session-cookie-unreadable', cookieName)
}

/** Milliseconds. */
const day = 86_400_000
/** A token may contain any number. No session lasts longer than this (decision 24). */
const century = 36_500 * day

/**
 * Warns that a session token of an older version was accepted, unless the configuration sets an end date. The suggested
 * date is the earliest after which no such token is valid, provided that no server creates such tokens and that sessions
 * lasted as long as they do now.
 */
function warnLegacy(
  { exp }: Claims,
  cookieName: string,
  settings: Pick<Settings, 'basePath' | 'jwt' | 'logger' | 'platform' | 'session'>,
): void {
  const { jwt, platform, session } = settings
  if (jwt.acceptLegacyTokens instanceof Date) return
  warnEachMinute(settings, 'legacy-token', cookieName, () => {
    const now = platform.now()
    const last = Math.max(now + session.maxAge * 1000, Math.min(Number(exp) * 1000, now + century))
    const end = new Date(Math.ceil(last / day) * day).toISOString().slice(0, 10)
    return `If no server creates such tokens, none is valid after ${end}: set \`jwt.acceptLegacyTokens\` to \`new Date('${end}')\``
  })
}

/** Returns the session cookie, joined if it was split. Of several, the first valid one counts (decision 63). */
export function findSessionCookie(visit: Visit, world: World): MaybePromise<string | undefined> {
  const { name } = visit.cookieTable.sessionToken
  if (hasSeveral(visit.cookies, name)) return chooseSessionCookie(visit, world, isRefused)
  return world.settings.session.strategy === 'jwt'
    ? readChunked(visit.cookies, name)
    : visit.cookies.get(name)
}

/** Reads the session cookie. */
export const readSessionCookie = step({
  needs: ['visit'],
  says: { 'cookie.absent': [], 'token.held': ['heldCookie'], 'id.held': ['heldCookie'] },
  run({ visit }, world) {
    return whenReady(findSessionCookie(visit, world), (heldCookie) => {
      if (!heldCookie) return { type: 'cookie.absent' }
      return { type: world.settings.session.strategy === 'jwt' ? 'token.held' : 'id.held', heldCookie }
    })
  },
})

function openWith(isRevoked: (token: JWT, settings: Settings) => MaybePromise<boolean>) {
  return step({
    needs: ['visit', 'heldCookie'],
    says: { 'token.opened': ['token'], 'token.expired': [], 'token.invalid': [] },
    run({ visit, heldCookie }, { settings, keys, platform }) {
      const salt = visit.cookieTable.sessionToken.name
      return whenReady(openSessionToken(heldCookie, salt, settings, keys, platform.now()), (opened) => {
        if (!('claims' in opened)) {
          warnUnreadable(opened, salt, settings)
          return { type: opened.refused === 'expired' ? 'token.expired' : 'token.invalid' }
        }
        const token = opened.claims
        if (opened.isLegacy) warnLegacy(token, salt, settings)
        return whenReady(isRevoked(token, settings), (revoked) =>
          revoked ? { type: 'token.invalid' } : { type: 'token.opened', token },
        )
      })
    },
  })
}

/** Decrypts the session token. Tokens for another purpose, expired tokens and revoked tokens are rejected. */
export const openToken = openWith(isRefused)

function isRefused(token: JWT, settings: Settings): MaybePromise<boolean> {
  const { isRevoked, revocations } = settings.jwt
  const refused = isRevoked ? whenReady(settle(isRevoked({ ...token })), requireFlag) : false
  return revocations ? whenReady(refused, (revoked) => revoked || isListed(token, settings)) : refused
}

async function isListed(token: JWT, settings: Settings): Promise<boolean> {
  return (await loadRevocations()).isListed(token, settings)
}

/** Decrypts the session token at sign-out, without asking the application whether it is revoked. */
export const openLeavingToken = openWith(() => false)

/** Undefined does not count as false: a hook without a return statement must not accept everyone. */
function requireFlag(answer: unknown): boolean {
  if (typeof answer === 'boolean') return answer
  throw new TypeError(`\`jwt.isRevoked\` must return true or false, got a value of type ${typeof answer}`)
}

/** Looks up the user of a session token. Without an adapter, no account can be linked. */
const findUser = step({
  needs: ['token'],
  says: { 'user.found': ['currentUser'], 'user.unknown': [] },
  async run({ token }, { store }) {
    if (!store || typeof token.sub !== 'string' || token.sub === '') return { type: 'user.unknown' }
    const currentUser = readUser(await store.getUser(token.sub), 'getUser')
    return currentUser ? { type: 'user.found', currentUser } : { type: 'user.unknown' }
  },
})

/** Looks up a database session. It is valid while now < expires, and before its absolute end. */
export const findSession = step({
  needs: ['heldCookie'],
  says: { 'session.found': ['session', 'currentUser'], 'session.expired': [], 'session.unknown': [] },
  run({ heldCookie }, world) {
    return requireStore(world).readSession(heldCookie, (value) => {
      const found = readSessionAndUser(value)
      if (!found) return { type: 'session.unknown' } as const
      const { end } = rowLifetime(heldCookie, world.settings)
      const expires = Math.min(found.session.expires.getTime(), end)
      if (expires <= world.platform.now()) return { type: 'session.expired' } as const
      return { type: 'session.found', session: found.session, currentUser: found.user } as const
    })
  },
})

/** The steps of the piece `recognition`. */
export const recognitionSteps = { readSessionCookie, openToken, findUser, findSession }
