import { RateLimited } from '../../errors/classes.ts'
import { readStamp } from '../../policy/stamp.ts'
import { readFactor, writeFactor, clearFailures, countFailure } from './factor-record.ts'
import { isAwaited } from './held-sign-ins.ts'
import { hashRecoveryCode, readRecoveryCode, removeHash } from './recovery-codes.ts'
import { deviceCookie } from './remembered-device.ts'
import { readSecret } from '../../text/typed-secret.ts'
import { parseCredential } from '../../webauthn/credential.ts'
import { step } from '../../flows/engine/step.ts'
import { openHeld } from '../../flows/shared/hold-sign-in.ts'
import { ask, says as asked } from '../../flows/shared/rate-limit.ts'

/** Opens the sign-in of this browser that waits for the second factor. A later sign-in or sign-out ends it. */
export const openWaiting = step({
  needs: ['visit'],
  may: ['callbackUrl'],
  says: { 'sign-in.waits': ['heldSignIn', 'callbackUrl'], 'sign-in.absent': [] },
  async run({ visit, callbackUrl = visit.origin }, world) {
    const heldSignIn = await openHeld('factor', visit, world)
    if (!heldSignIn) return { type: 'sign-in.absent' }
    return { type: 'sign-in.waits', heldSignIn, callbackUrl: heldSignIn.facts.callbackUrl ?? callbackUrl }
  },
})

/** Reads the second factor of the user who signs in, or who is signed in. */
export const findFactor = step({
  may: ['heldSignIn', 'currentUser'],
  says: { 'factor.found': ['factor', 'stamp'], 'factor.absent': [], 'factor.replaced': [] },
  async run({ heldSignIn, currentUser }, world) {
    const { userId, provenAt } = heldSignIn?.passed ?? { userId: currentUser?.id, provenAt: 0 }
    const stamp = heldSignIn ? heldSignIn.facts.stamp : await readStamp(currentUser, world)
    const factor = await readFactor(userId ?? '', world)
    if (heldSignIn && !(factor && isAwaited(heldSignIn.binding, provenAt, factor.record)))
      return { type: 'factor.replaced' }
    return factor ? { type: 'factor.found', factor, stamp } : { type: 'factor.absent' }
  },
})

/**
 * Reads the code or response from the form, which must contain it exactly once. Text that cannot be a code counts as a
 * wrong code. The page's script first requests the options of a passkey, and then sends its response with the form.
 */
export const readAnswer = step({
  needs: ['visit'],
  says: {
    'code.read': ['typedCode'],
    'recovery-code.read': ['typedCode'],
    'passkey.read': ['credential'],
    'passkey.wanted': [],
    'answer.absent': [],
  },
  run({ visit }) {
    const { method, query, body, duplicates } = visit
    if (method === 'GET')
      return { type: query.get('action') === 'authenticate' ? 'passkey.wanted' : 'answer.absent' }
    if (body.data !== undefined) {
      const credential = parseCredential(visit)
      if (credential?.ceremony !== 'authenticate') return { type: 'answer.absent' }
      return { type: 'passkey.read', credential }
    }
    if (typeof body.code !== 'string' || duplicates.length > 0) return { type: 'answer.absent' }
    const recovery = readRecoveryCode(body.code)
    if (recovery !== undefined) return { type: 'recovery-code.read', typedCode: recovery }
    return { type: 'code.read', typedCode: readSecret('code', body.code) ?? '' }
  },
})

/** Asks whether the code of a second factor may be compared. */
export const checkRateLimit = step({
  needs: ['visit', 'factor'],
  may: ['heldSignIn'],
  says: asked,
  run: ({ visit, factor, heldSignIn }, world) =>
    ask(
      visit,
      () => ({
        type: 'second-factor',
        provider: heldSignIn?.subject.account.provider ?? 'second-factor',
        account: factor.record.userId,
      }),
      world,
    ),
})

/**
 * Refuses codes and passkeys for a while after several wrong ones. Recovery codes cannot be guessed, and are never
 * refused.
 */
export const limitGuesses = step({
  needs: ['factor'],
  says: { 'guess.allowed': [], 'guess.premature': ['failure'] },
  run({ factor: { record } }, { platform }) {
    const wait = record.blockedUntil - platform.now()
    if (wait <= 0) return { type: 'guess.allowed' }
    const failure = new RateLimited('Too many attempts at the second factor failed')
    if (record.blockedUntil < Number.MAX_SAFE_INTEGER) failure.retryAfter = Math.ceil(wait / 1000)
    return { type: 'guess.premature', failure }
  },
})

/** Compares the code. Only a later time step than that of the last code counts (RFC 6238 5.2). */
export const compareCode = step({
  needs: ['factor', 'typedCode'],
  says: { 'code.matched': ['nextFactor', 'factorMethod'], 'code.mismatched': [] },
  async run({ factor: { record }, typedCode }, { settings, platform }) {
    const found = await settings.optional.secondFactor?.findStep(record.secret, typedCode, platform.now())
    if (found === undefined || found <= record.step) return { type: 'code.mismatched' }
    const nextFactor = clearFailures({ ...record, step: found })
    return { type: 'code.matched', nextFactor, factorMethod: 'otp' }
  },
})

/** Compares a recovery code, which is then removed. */
export const compareRecoveryCode = step({
  needs: ['factor', 'typedCode'],
  says: { 'code.matched': ['nextFactor', 'factorMethod'], 'code.mismatched': [] },
  async run({ factor: { record }, typedCode }) {
    const recovery = removeHash(record.recovery, await hashRecoveryCode(typedCode, record.userId))
    if (!recovery) return { type: 'code.mismatched' }
    const nextFactor = clearFailures({ ...record, recovery })
    return { type: 'code.matched', nextFactor, factorMethod: 'otp' }
  },
})

/**
 * Uses up the code or the challenge. Of several concurrent requests, only one replaces the record, so no code or
 * challenge is accepted twice.
 */
export const useCode = step({
  needs: ['factor', 'nextFactor'],
  says: { 'code.used': ['usedFactor'], 'factor.outrun': [] },
  async run({ factor, nextFactor }, world) {
    const usedFactor = await writeFactor(nextFactor, factor, world)
    return usedFactor ? { type: 'code.used', usedFactor } : { type: 'factor.outrun' }
  },
})

/** Stores the factor again as it was before the code, unless another request has changed it since. */
export const restoreCode = step({
  needs: ['factor', 'usedFactor'],
  says: { 'code.restored': [] },
  async run({ factor, usedFactor }, world) {
    await writeFactor(factor.record, usedFactor, world)
    return { type: 'code.restored' }
  },
})

/** Counts the wrong code or passkey. If another request has replaced the record, that request was counted instead. */
export const countGuess = step({
  needs: ['factor'],
  says: { 'guess.counted': [] },
  async run({ factor }, world) {
    await writeFactor(countFailure(factor.record, world.platform.now()), factor, world)
    return { type: 'guess.counted' }
  },
})

/** Remembers this browser if the form says so and the configuration allows it. */
export const rememberDevice = step({
  needs: ['visit', 'nextFactor'],
  may: ['stamp'],
  says: { 'device.considered': [] },
  async run({ visit, nextFactor: { userId, binding }, stamp }, world) {
    const isAllowed = (world.settings.optional.secondFactor?.rememberFor ?? 0) > 0
    const device = { userId: String(userId), binding, stamp: stamp?.value ?? undefined }
    if (isAllowed && visit.body.remember === 'true')
      world.out.setCookies(await deviceCookie.write(device, visit, world))
    return { type: 'device.considered' }
  },
})
