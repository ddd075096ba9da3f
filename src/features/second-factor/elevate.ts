import { isSessionId } from '../../config/store.ts'
import { writeChunked } from '../../cookies/chunks.ts'
import { addFactor } from '../../session/authentication.ts'
import { AccessDenied } from '../../errors/classes.ts'
import { nameRow, parseRow } from '../../session/row-id.ts'
import { isOutdated } from '../../policy/stamp.ts'
import { ownClaims, setOwnClaims } from '../../session/session-token.ts'
import { requireNewSession } from '../../session/stored.ts'
import { step } from '../../flows/engine/step.ts'
import { requireStore } from '../../flows/engine/world.ts'
import { clearFormerScope, sealIntoCookies } from '../../flows/shared/seal-into-cookies.ts'
import { describeSession } from '../../flows/shared/describe-session.ts'
import { authenticationOf } from '../../policy/check-change.ts'

/** Determines the kind of the session. */
export const chooseKind = step({
  says: { 'token.wanted': [], 'row.wanted': [] },
  run: (_, { settings }) => ({
    type: settings.session.strategy === 'jwt' ? 'token.wanted' : 'row.wanted',
  }),
})

/** Seals the claims of the token again. Copies of the earlier token stay without the second factor. */
export const resealToken = step({
  needs: ['visit', 'factorMethod'],
  may: ['token', 'session', 'setup'],
  says: { 'session.elevated': [] },
  async run({ visit, factorMethod, token = {}, session, setup }, world) {
    const { settings, platform } = world
    const first = authenticationOf({ token, session })
    const authentication = addFactor(first, factorMethod, setup ? undefined : platform.now())
    const elevated = setOwnClaims(token, { ...ownClaims(token, settings), authentication })
    const changes = await sealIntoCookies(elevated, visit, world)
    world.out.setCookies([...clearFormerScope(elevated, visit), ...changes])
    return { type: 'session.elevated' }
  },
})

/**
 * Stores the session under a new id, so that the earlier id is useless to anyone who knows it. The end of the session
 * stays the same.
 */
export const storeElevated = step({
  needs: ['visit', 'currentUser', 'heldCookie', 'factorMethod'],
  may: ['session', 'setup', 'stamp'],
  says: { 'session.stored': ['session', 'sessionCookies'] },
  async run({ visit, currentUser, heldCookie, factorMethod, session: earlier, setup, stamp }, world) {
    const { settings, platform } = world
    const first = authenticationOf({ session: earlier })
    const authentication = addFactor(first, factorMethod, setup ? undefined : platform.now())
    const cookie = visit.cookieTable.sessionToken
    const { generateSessionToken } = settings.session
    const generated = generateSessionToken()
    const notes = { ...parseRow(heldCookie), scope: cookie.options, authentication }
    const sessionToken = nameRow(generated, notes)
    if (!isSessionId(generated) || !isSessionId(sessionToken))
      throw new TypeError('`session.generateSessionToken` must return 1 to 1000 visible ASCII characters')
    const expires = earlier?.expires ?? new Date(platform.now())
    const session = requireNewSession(
      await requireStore(world).createSession({ sessionToken, userId: currentUser.id, expires }),
    )
    if (await isOutdated(stamp, currentUser.id, world)) {
      await requireStore(world).deleteSession(session.sessionToken)
      throw new AccessDenied('The account was changed in the meantime')
    }
    if (settings.session.describe)
      await describeSession(session.sessionToken, visit, world, earlier?.description)
    const sessionCookies = writeChunked(visit.cookies, cookie, session.sessionToken, session.expires)
    return { type: 'session.stored', session, sessionCookies }
  },
})

/** Sets the cookies, after the earlier session has ended. */
export const setSessionCookies = step({
  needs: ['sessionCookies'],
  says: { 'session.elevated': [] },
  run({ sessionCookies }, { out }) {
    out.setCookies(sessionCookies)
    return { type: 'session.elevated' }
  },
})
