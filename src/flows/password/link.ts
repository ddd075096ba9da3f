import { asError } from '../../errors/as-error.ts'
import type { PasswordSettings, Settings } from '../../config/settings.ts'
import { sha256Hex } from '../../crypto/hash.ts'
import { EmailSignInError } from '../../errors/classes.ts'
import { withRequest } from '../../http/rebuild-request.ts'
import { readStamp } from '../../policy/stamp.ts'
import { readHashOf } from '../../provider-base/password.ts'
import { consumeHashed, hashesOf, mintLinkToken, newestHash } from '../email/link-token.ts'
import type { Facts } from '../engine/facts.ts'
import { step } from '../engine/step.ts'
import { demandStore } from '../engine/world.ts'
import { findTypedAddress } from '../shared/linking.ts'

/**
 * Reads the stamp of the account, and the hash that a new password would replace. Calls the same operations for an address
 * without a user.
 */
export const readHash = step({
  needs: ['identifier'],
  says: { 'hash.read': ['addressed', 'stamp', 'heldHash'] },
  async run({ identifier }, world) {
    const store = demandStore(world)
    const addressed = await findTypedAddress(identifier, store, world.settings)
    const { addressee, claimant } = addressed
    const stamp = await readStamp(addressee ?? claimant, world)
    const heldHash = await readHashOf(addressee, store)
    return { type: 'hash.read', addressed, stamp, heldHash }
  },
})

/**
 * Hashes the token of a link together with the current password hash and the stamp of the account. Once one of them changes,
 * no link that was requested before has a hash in the store.
 */
async function bindToken(
  token: string,
  { heldHash, stamp }: Pick<Facts, 'heldHash' | 'stamp'>,
  { mail }: PasswordSettings,
  settings: Settings,
): Promise<readonly string[]> {
  const hashes = await hashesOf(JSON.stringify([mail.id, token, heldHash]), mail, settings, stamp)
  // Hashed once more, so that no token of a mailed sign-in link has this hash.
  return Promise.all(hashes.map(async (hash) => sha256Hex(`password ${hash}`)))
}

/** Stores the hash of a new token before anything is mailed. */
export const storeToken = step({
  needs: ['identifier', 'passwordProvider', 'heldHash', 'stamp'],
  says: { 'token.stored': ['linkToken', 'expires'] },
  async run({ identifier, passwordProvider, heldHash, stamp }, world) {
    const { settings, platform } = world
    const linkToken = await mintLinkToken(passwordProvider.mail, settings)
    const expires = new Date(platform.now() + passwordProvider.passwords.maxAge * 1000)
    const hashes = await bindToken(linkToken, { heldHash, stamp }, passwordProvider, settings)
    await demandStore(world).createVerificationToken({ identifier, token: newestHash(hashes), expires })
    return { type: 'token.stored', linkToken, expires }
  },
})

/** Sends the link. The mail may reveal whether the address has a user, but the response must not. */
export const sendLink = step({
  needs: ['visit', 'passwordProvider', 'identifier', 'linkToken', 'expires', 'callbackUrl'],
  may: ['addressee'],
  says: { 'link.sent': [], 'link.unsent': ['failure'] },
  async run({ visit, passwordProvider, identifier, linkToken, expires, callbackUrl, addressee }) {
    const query = new URLSearchParams({ callbackUrl, token: linkToken, email: identifier })
    try {
      const url = `${visit.base}/password-reset/${passwordProvider.id}?${query}`
      const mail = { identifier, url, expires, user: addressee ?? null }
      const { sendLink: send } = passwordProvider.passwords
      await send(withRequest(mail, visit))
      return { type: 'link.sent' }
    } catch (error) {
      const inner = asError(error)
      return { type: 'link.unsent', failure: new EmailSignInError('The mail could not be sent', inner) }
    }
  },
})

/** Removes the token of a link that was not sent. If that fails too, the token expires. */
export const withdrawToken = step({
  needs: ['identifier', 'linkToken', 'passwordProvider', 'heldHash', 'stamp'],
  says: { 'token.withdrawn': [] },
  async run({ identifier, linkToken, passwordProvider, heldHash, stamp }, world) {
    const hashes = await bindToken(linkToken, { heldHash, stamp }, passwordProvider, world.settings)
    await demandStore(world).useVerificationToken({ identifier, token: newestHash(hashes) })
    return { type: 'token.withdrawn' }
  },
})

/**
 * Stores the token of a link again, for the stamp that the reset has given the account. If the password was stored, or another
 * change has renewed the stamp, the link no longer works.
 */
export const restoreToken = step({
  needs: ['consumedToken', 'linkToken', 'passwordProvider', 'heldHash', 'stamp'],
  says: { 'token.restored': [] },
  async run({ consumedToken, linkToken, passwordProvider, heldHash, stamp }, world) {
    const hashes = await bindToken(linkToken, { heldHash, stamp }, passwordProvider, world.settings)
    await demandStore(world).createVerificationToken({ ...consumedToken, token: newestHash(hashes) })
    return { type: 'token.restored' }
  },
})

/** Removes the token from the store, so that it works only once. Accepts tokens of all listed secrets. */
export const consumeToken = step({
  needs: ['identifier', 'linkToken', 'passwordProvider', 'heldHash', 'stamp'],
  says: { 'token.consumed': ['consumedToken'], 'token.unknown': ['failure'], 'token.expired': ['failure'] },
  async run({ identifier, linkToken, passwordProvider, heldHash, stamp }, world) {
    const hashes = await bindToken(linkToken, { heldHash, stamp }, passwordProvider, world.settings)
    return consumeHashed(identifier, hashes, world)
  },
})
