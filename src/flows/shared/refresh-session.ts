import { writeChunked } from '../../cookies/chunks.ts'
import { isSameAddress } from '../../email-address.ts'
import { ownClaims, sealSessionToken, setOwnClaims, tokenExpiry } from '../../session/session-token.ts'
import { step } from '../engine/step.ts'
import { clearFormerScope } from './clear-former-scope.ts'

/** Replaces the address in the session token of this browser. A database session reads it from the user. */
export const refreshSession = step({
  needs: ['visit', 'currentUser', 'member'],
  may: ['token'],
  says: { 'session.refreshed': [] },
  async run({ visit, currentUser, member, token }, { settings, keys, platform, out }) {
    // The jwt callback may have removed the address, or replaced it by another one.
    const hasSame = currentUser.email
      ? isSameAddress(currentUser.email, token?.email ?? '')
      : token?.email === null
    if (!token || !hasSame) return { type: 'session.refreshed' }
    const now = platform.now()
    const renewed = setOwnClaims({ ...token, email: member.email }, ownClaims(token, settings))
    const cookie = visit.cookieTable.sessionToken
    const value = await sealSessionToken(renewed, cookie, settings, keys, now)
    out.setCookies(clearFormerScope(renewed, visit))
    out.setCookies(writeChunked(visit.cookies, cookie, value, tokenExpiry(renewed, now, settings)))
    return { type: 'session.refreshed' }
  },
})
