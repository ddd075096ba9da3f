import { AdapterError, WebAuthnVerificationError } from '../../errors/classes.ts'
import { readAuthenticator } from '../../webauthn/authenticator.ts'
import { step } from '../engine/step.ts'
import { requireStore } from '../engine/world.ts'

/**
 * Compares the counter with the stored one, and stores it with the backup state (WebAuthn L3 7.2). Requests with the same signature are serialised within this
 * process; for other processes, the adapter compares again. Authenticators without a counter stay at 0.
 */
export const advanceCounter = step({
  needs: ['authenticator', 'signatureState'],
  says: { 'counter.advanced': [], 'counter.stale': ['failure'] },
  async run({ authenticator, signatureState: { counter, isBackedUp } }, world) {
    const { credentialID } = authenticator
    const store = requireStore(world)
    const isCounting = counter > 0 || authenticator.counter > 0
    const readCurrent = async () =>
      readAuthenticator(await store.getAuthenticator(credentialID), 'getAuthenticator') ?? authenticator
    const stale = () => ({
      type: 'counter.stale' as const,
      failure: new WebAuthnVerificationError(
        'The signature counter did not increase. The passkey may have been copied',
      ),
    })
    return store.turn(['credential', credentialID], async () => {
      const held = isCounting ? await readCurrent() : authenticator
      if (isCounting && counter <= held.counter) return stale()
      try {
        const condition = { counter: held.counter }
        const state = { credentialBackedUp: isBackedUp }
        const answer = await store.updateAuthenticatorCounter(credentialID, counter, condition, state)
        const stored = readAuthenticator(answer, 'updateAuthenticatorCounter')
        if (stored?.counter === counter) return { type: 'counter.advanced' }
      } catch (error) {
        // Another process may have stored a counter in the meantime.
        if (isCounting && counter <= (await readCurrent()).counter) return stale()
        throw error
      }
      throw new AdapterError("The adapter's updateAuthenticatorCounter did not store the counter")
    })
  },
})
