import { readChunked } from '../cookies/chunks.ts'
import type { Settings } from '../config/settings.ts'
import { settle, whenReady, type MaybePromise } from '../crypto/maybe-promise.ts'
import { readSessionAndUser, readUser } from '../session/stored.ts'
import { openSessionToken } from '../session/session-token.ts'
import { warnUnreadable } from '../session/warn-unreadable.ts'
import type { JWT } from '../types/jwt.ts'
import { demandStore } from './demand-store.ts'
import { step } from './step.ts'

/** Takes the session cookie from the request, put together if it came in pieces. */
export const readSessionCookie = step({
  needs: ['visit'],
  says: { 'cookie.absent': [], 'token.held': ['heldCookie'], 'id.held': ['heldCookie'] },
  run({ visit }, { settings }) {
    const { name } = visit.cookieTable.sessionToken
    const isToken = settings.session.strategy === 'jwt'
    const heldCookie = isToken ? readChunked(visit.cookies, name) : visit.cookies.get(name)
    if (!heldCookie) return { type: 'cookie.absent' }
    return { type: isToken ? 'token.held' : 'id.held', heldCookie }
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
          warnUnreadable(opened.refused, salt, settings)
          return { type: opened.refused === 'expired' ? 'token.expired' : 'token.invalid' }
        }
        const token = opened.claims
        return whenReady(isRevoked(token, settings), (revoked) =>
          revoked ? { type: 'token.invalid' } : { type: 'token.opened', token },
        )
      })
    },
  })
}

/**
 * Opens the session token; one that was sealed for another purpose, that is a second too old, or that the application
 * took back, does not open.
 */
export const openToken = openWith((token, { jwt }) =>
  jwt.isRevoked ? whenReady(settle(jwt.isRevoked({ ...token })), demandFlag) : false,
)

/** Opens the session token of who signs out, which nobody has to be asked about. */
export const openLeavingToken = openWith(() => false)

/** No answer is not "no": a hook that forgets to answer must not let everybody in. */
function demandFlag(answer: unknown): boolean {
  if (typeof answer === 'boolean') return answer
  throw new TypeError(`jwt.isRevoked answers true or false, not ${typeof answer}`)
}

/** Looks up the user that a session token names. Without a store, nobody can be linked to. */
export const findUser = step({
  needs: ['token'],
  says: { 'user.found': ['currentUser'], 'user.unknown': [] },
  async run({ token }, { store }) {
    if (!store || typeof token.sub !== 'string' || token.sub === '') return { type: 'user.unknown' }
    const currentUser = readUser(await store.getUser(token.sub), 'getUser')
    return currentUser ? { type: 'user.found', currentUser } : { type: 'user.unknown' }
  },
})

/** Looks up a database session; it is live as long as now < expires. */
export const findSession = step({
  needs: ['heldCookie'],
  says: { 'session.found': ['session', 'currentUser'], 'session.expired': [], 'session.unknown': [] },
  run({ heldCookie }, world) {
    const answer = demandStore(world).getSessionAndUser(heldCookie)
    const judge = (value: unknown) => {
      const found = readSessionAndUser(value)
      if (!found) return { type: 'session.unknown' } as const
      if (found.session.expires.getTime() <= world.platform.now()) return { type: 'session.expired' } as const
      return { type: 'session.found', session: found.session, currentUser: found.user } as const
    }
    return whenReady(settle(answer), judge)
  },
})
