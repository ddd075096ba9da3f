import { encodeBase64url } from '../../crypto/bytes.ts'
import { encodeBase32 } from './totp.ts'
import { writeFactor, clearFailures } from './factor-record.ts'
import { setupField } from './seal-totp-secret.ts'
import { mintRecoveryCodes } from './recovery-codes.ts'
import { tell } from '../../policy/tell.ts'
import { readSecret } from '../../text/typed-secret.ts'
import { step } from '../../flows/engine/step.ts'

/** Bytes of a secret (RFC 4226 4, R6). */
const secretBytes = 20

/** Opens the secret of the form, if there is one. */
export const openSetup = step({
  needs: ['visit', 'currentUser'],
  says: { 'setup.opened': ['setup'], 'setup.absent': [] },
  async run({ visit, currentUser }, world) {
    const { setup: sealed } = visit.body
    const bound = { userId: String(currentUser.id) }
    const { content: setup } = typeof sealed === 'string' ? await setupField.open(sealed, bound, world) : {}
    return setup ? { type: 'setup.opened', setup } : { type: 'setup.absent' }
  },
})

/** Creates a secret. Nothing is stored until the user confirms it. */
export const mintSetup = step({
  needs: ['currentUser'],
  says: { 'setup.minted': ['setup'] },
  run({ currentUser }, { platform }) {
    const secret = encodeBase32(platform.randomBytes(secretBytes))
    return { type: 'setup.minted', setup: { userId: currentUser.id, secret } }
  },
})

/** Compares the first code of the app, which proves that the app has the secret. The code is then used up. */
export const compareFirstCode = step({
  needs: ['visit', 'setup'],
  says: { 'code.matched': ['nextFactor', 'factorMethod', 'recoveryCodes'], 'code.mismatched': [] },
  async run({ visit, setup: { userId, secret } }, { settings, platform }) {
    const code = readSecret('code', visit.body.code) ?? ''
    const found = await settings.optional.secondFactor?.findStep(secret, code, platform.now())
    if (found === undefined) return { type: 'code.mismatched' }
    const { recoveryCodes, recovery } = await mintRecoveryCodes(userId, platform)
    const binding = encodeBase64url(platform.randomBytes(16))
    const nextFactor = clearFailures({
      userId,
      secret,
      step: found,
      // Challenges from before the enrolment are also refused.
      challengedAt: platform.now(),
      recovery,
      binding,
      failures: 0,
      blockedUntil: 0,
    })
    return { type: 'code.matched', nextFactor, factorMethod: 'otp', recoveryCodes }
  },
})

/** Stores the second factor in place of the one against which the session was checked. */
export const storeFactor = step({
  needs: ['visit', 'currentUser', 'nextFactor', 'storedFactor'],
  says: { 'factor.stored': [], 'factor.outrun': [] },
  async run({ visit, currentUser: user, nextFactor, storedFactor }, world) {
    const isStored = await writeFactor(nextFactor, storedFactor, world)
    if (!isStored) return { type: 'factor.outrun' }
    const message = { user, change: 'enrolled' } as const
    tell('enrol-factor', { event: 'updateSecondFactor', message }, { user, visit }, world.out)
    return { type: 'factor.stored' }
  },
})
