import { isSameAddress } from '../../text/email-address.ts'
import { ownClaims, setOwnClaims } from '../../session/session-token.ts'
import { step } from '../engine/step.ts'
import { clearFormerScope, sealIntoCookies } from './seal-into-cookies.ts'

/** Replaces the address in the session token of this browser. A database session reads it from the user. */
export const refreshSession = step({
  needs: ['visit', 'currentUser', 'member'],
  may: ['token'],
  says: { 'session.refreshed': [] },
  async run({ visit, currentUser, member, token }, world) {
    // The jwt callback may have removed the address, or replaced it with another one.
    const hasSame = currentUser.email
      ? isSameAddress(currentUser.email, token?.email ?? '')
      : token?.email === null
    if (!token || !hasSame) return { type: 'session.refreshed' }
    const renewed = setOwnClaims({ ...token, email: member.email }, ownClaims(token, world.settings))
    const changes = await sealIntoCookies(renewed, visit, world)
    world.out.setCookies([...clearFormerScope(renewed, visit), ...changes])
    return { type: 'session.refreshed' }
  },
})
