import type { PasswordSettings, Settings } from '../../config/settings.ts'
import { sha256Hex } from '../../crypto/hash.ts'
import { withRequest } from '../../http/rebuild-request.ts'
import { readStamp } from '../../policy/stamp.ts'
import { readHashOf } from '../../provider-base/password.ts'
import {
  consumeHashed,
  consumption,
  hashesOf,
  mailing,
  mintLinkToken,
  newestHash,
  reportMail,
  storeRow,
} from '../../flows/shared/mailed-proof.ts'
import type { Facts } from '../../flows/engine/facts.ts'
import { requireStore } from '../../flows/engine/world.ts'
import { findTypedAddress } from '../../flows/shared/linking.ts'
import { step } from '../../flows/engine/step.ts'

/**
 * Reads the stamp of the account, and the hash that a new password would replace. Calls the same operations for an address
 * without a user.
 */
export const readHash = step({
  needs: ['identifier'],
  says: { 'hash.read': ['addressed', 'stamp', 'storedHash'] },
  async run({ identifier }, world) {
    const store = requireStore(world)
    const addressed = await findTypedAddress(identifier, store, world.settings)
    const { addressee, claimant } = addressed
    const stamp = await readStamp(addressee ?? claimant, world)
    const storedHash = await readHashOf(addressee, store)
    return { type: 'hash.read', addressed, stamp, storedHash }
  },
})

/**
 * Hashes the token of a link together with the current password hash and the stamp of the account. Once one of them
 * changes, the hashes of all links that were requested before differ from those in the store.
 */
async function bindToken(
  token: string,
  { storedHash, stamp }: Pick<Facts, 'storedHash' | 'stamp'>,
  { mail }: PasswordSettings,
  settings: Settings,
): Promise<readonly string[]> {
  const hashes = await hashesOf(JSON.stringify([mail.id, token, storedHash]), mail, settings, stamp)
  // Hashed once more, so that no token of a mailed sign-in link has this hash.
  return Promise.all(hashes.map(async (hash) => sha256Hex(`password ${hash}`)))
}

/** Stores the hash of a new token before anything is mailed. */
export const storeToken = step({
  needs: ['identifier', 'passwordProvider', 'storedHash', 'stamp'],
  says: { 'token.stored': ['linkToken', 'storedToken'] },
  async run({ identifier, passwordProvider, storedHash, stamp }, world) {
    const { settings, platform } = world
    const linkToken = await mintLinkToken(passwordProvider.mail, settings)
    const expires = new Date(platform.now() + passwordProvider.passwords.maxAge * 1000)
    const hashes = await bindToken(linkToken, { storedHash, stamp }, passwordProvider, settings)
    const storedToken = await storeRow({ identifier, token: newestHash(hashes), expires }, world)
    return { type: 'token.stored', linkToken, storedToken }
  },
})

/** Sends the link. The mail may reveal whether the address has a user, but the response must not. */
export const sendLink = step({
  needs: ['visit', 'passwordProvider', 'linkToken', 'storedToken', 'callbackUrl'],
  may: ['addressee'],
  says: mailing,
  run({ visit, passwordProvider, linkToken, storedToken, callbackUrl, addressee }) {
    const { identifier, expires } = storedToken
    const query = new URLSearchParams({ callbackUrl, token: linkToken, email: identifier })
    const url = `${visit.base}/password-reset/${passwordProvider.id}?${query}`
    const mail = { identifier, url, expires, user: addressee ?? null }
    return reportMail(() => passwordProvider.passwords.sendLink(withRequest(mail, visit)))
  },
})

/**
 * Stores the token of a link again, for the stamp that the reset has given the account. If the password was stored, or another
 * change has renewed the stamp, the link no longer works.
 */
export const restoreToken = step({
  needs: ['consumedToken', 'linkToken', 'passwordProvider', 'storedHash', 'stamp'],
  says: { 'token.restored': [] },
  async run({ consumedToken, linkToken, passwordProvider, storedHash, stamp }, world) {
    const hashes = await bindToken(linkToken, { storedHash, stamp }, passwordProvider, world.settings)
    await storeRow({ ...consumedToken, token: newestHash(hashes) }, world)
    return { type: 'token.restored' }
  },
})

/** Removes the token from the store, so that it works only once. Accepts tokens of all listed secrets. */
export const consumeToken = step({
  needs: ['identifier', 'linkToken', 'passwordProvider', 'storedHash', 'stamp'],
  says: consumption,
  async run({ identifier, linkToken, passwordProvider, storedHash, stamp }, world) {
    const hashes = await bindToken(linkToken, { storedHash, stamp }, passwordProvider, world.settings)
    return consumeHashed(identifier, hashes, world)
  },
})
