import { readChunked } from '../cookies/chunks.ts'
import { whenReady } from '../crypto/maybe-promise.ts'
import { readSessionAndUser, readUser } from '../session/stored.ts'
import { openSessionToken } from '../session/session-token.ts'
import { demandStore } from './demand-store.ts'
import { settle } from './settle.ts'
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

/** Opens the session token; one that was sealed for another purpose, or that is a second too old, does not open. */
export const openToken = step({
  needs: ['visit', 'heldCookie'],
  says: { 'token.opened': ['token'], 'token.expired': [], 'token.invalid': [] },
  run({ visit, heldCookie }, { settings, keys, platform }) {
    const salt = visit.cookieTable.sessionToken.name
    return whenReady(openSessionToken(heldCookie, salt, settings, keys, platform.now()), (opened) => {
      if ('claims' in opened) return { type: 'token.opened', token: opened.claims }
      return { type: opened.refused === 'expired' ? 'token.expired' : 'token.invalid' }
    })
  },
})

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
