import { readFactor } from '../../second-factor/factor-record.ts'
import { authenticationOfRow } from '../../session/authentication.ts'
import { readAuthentication } from '../../session/session-token.ts'
import { isSufficient } from '../../session/sufficient.ts'
import type { Authentication } from '../../types/second-factor.ts'
import { type Given, step } from '../engine/step.ts'
import { vaultOf } from './vault.ts'

/** Seconds since the last authentication within which a user can change how the account is protected. */
const freshness = 900

/** Returns how the user of the session authenticated. */
export function authenticationOf({ token, session }: Given<never, 'token' | 'session'>): Authentication {
  if (token) return readAuthentication(token)
  return session ? authenticationOfRow(session.sessionToken) : {}
}

/**
 * Checks the session of a user who adds a passkey. If the user has a second factor, the passkey can replace it, so adding
 * one has the same condition as enrolling a new second factor. Otherwise, any session is sufficient.
 */
export const judgeRegistrant = step({
  needs: ['candidate'],
  may: ['token', 'session'],
  says: { 'registrant.sufficient': [], 'factor.demanded': [] },
  async run({ candidate, token, session }, world) {
    const { settings, platform } = world
    const held = settings.secondFactor && (await readFactor(candidate.id ?? '', vaultOf(world)))
    const required = { freshness, factor: true }
    if (!held || isSufficient(authenticationOf({ token, session }), required, platform.now()))
      return { type: 'registrant.sufficient' }
    return { type: 'factor.demanded' }
  },
})

/** Checks the session: someone who finds an unlocked browser must not take over or delete the account. */
export const judgeSession = step({
  needs: ['currentUser'],
  may: ['token', 'session'],
  says: { 'session.sufficient': ['heldFactor'], 'session.stale': [], 'factor.demanded': [] },
  async run({ currentUser, token, session }, world) {
    const { settings, platform } = world
    const heldFactor = settings.secondFactor && (await readFactor(currentUser.id, vaultOf(world)))
    const required = { freshness, factor: heldFactor !== undefined }
    if (isSufficient(authenticationOf({ token, session }), required, platform.now()))
      return { type: 'session.sufficient', heldFactor }
    return { type: heldFactor ? 'factor.demanded' : 'session.stale' }
  },
})
