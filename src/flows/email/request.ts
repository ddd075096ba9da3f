import { warnGuessable } from './guessable-token.ts'
import { hashesOf, mailing, mintLinkToken, newestHash, storeRow } from '../shared/mailed-proof.ts'
import { sendMail } from './send-mail.ts'
import { normaliseFor } from '../../text/email-address.ts'
import { EmailSignInError } from '../../errors/classes.ts'
import { formatUuid } from '../../crypto/random.ts'
import { asksToAddAddress, findByAddress, findTypedAddress } from '../shared/linking.ts'
import { readStamp } from '../../policy/stamp.ts'
import { listStored, rememberLink } from './requested-links.ts'
import { requireStore } from '../engine/world.ts'
import { step } from '../engine/step.ts'

/** Reads the submitted address in canonical form. */
export const readAddress = step({
  needs: ['visit', 'mailProvider'],
  says: { 'address.read': ['identifier', 'mailing'], 'address.malformed': ['failure'] },
  run({ visit, mailProvider }) {
    let cause: Error | undefined
    const identifier = normaliseFor(mailProvider, visit.body.email, (thrown) => void (cause = thrown))
    if (identifier === undefined)
      return { type: 'address.malformed', failure: new EmailSignInError('Invalid e-mail address', cause) }
    return { type: 'address.read', identifier, mailing: { verificationRequest: true } }
  },
})

function findAddresseeWith(find: typeof findByAddress) {
  return step({
    needs: ['identifier', 'mailProvider'],
    may: ['addressed'],
    says: {
      'addressee.found': ['addressee', 'candidate', 'account'],
      'addressee.unknown': ['candidate', 'account'],
      'address.unproven': ['claimant', 'candidate', 'account'],
    },
    async run({ identifier, mailProvider, addressed }, world) {
      const found = addressed ?? (await find(identifier, requireStore(world), world.settings))
      const { addressee, claimant } = found
      const id = addressee?.id ?? formatUuid(world.platform.randomBytes(16))
      const candidate = { id, email: identifier, emailVerified: null }
      const account = {
        provider: mailProvider.id,
        providerAccountId: identifier,
        type: 'email' as const,
        userId: id,
      }
      if (claimant) return { type: 'address.unproven', claimant, candidate, account }
      if (!addressee) return { type: 'addressee.unknown', candidate, account }
      return { type: 'addressee.found', addressee, candidate, account }
    },
  })
}

/** Looks up the user of the address that the visitor has proven. */
export const findAddressee = findAddresseeWith(findByAddress)

/** Looks up the user of the address that the visitor has typed. Neither the response nor the time reveals the result. */
export const findTypedAddressee = findAddresseeWith(findTypedAddress)

/** Decides whether the address may become that of the signed-in user. If not, nobody is looked up. */
export const readIntent = step({
  needs: ['visit'],
  says: { 'linking.possible': ['intent'], 'linking.unwanted': [] },
  run({ visit }, { settings }) {
    return asksToAddAddress(visit, settings)
      ? { type: 'linking.possible', intent: 'requested' }
      : { type: 'linking.unwanted' }
  },
})

/** Stores the hash of a new token before anything is mailed, bound to the stamp of the account. */
export const storeToken = step({
  needs: ['identifier', 'mailProvider'],
  may: ['addressee', 'claimant'],
  says: { 'token.stored': ['linkToken', 'storedToken'] },
  async run({ identifier, mailProvider, addressee, claimant }, world) {
    const { settings, platform } = world
    const linkToken = await mintLinkToken(mailProvider, settings)
    warnGuessable(linkToken, mailProvider, settings)
    const expires = new Date(platform.now() + mailProvider.maxAge * 1000)
    const stamp = await readStamp(addressee ?? claimant, world)
    const token = newestHash(await hashesOf(linkToken, mailProvider, settings, stamp))
    const storedToken = await storeRow({ identifier, token, expires }, world)
    return { type: 'token.stored', linkToken, storedToken }
  },
})

/** Sends the link. */
export const sendLink = step({
  needs: ['visit', 'mailProvider', 'linkToken', 'storedToken', 'callbackUrl'],
  says: mailing,
  run({ visit, mailProvider, linkToken, storedToken: { identifier, expires }, callbackUrl }, world) {
    const query = new URLSearchParams({ callbackUrl, token: linkToken, email: identifier })
    const url = `${visit.base}/callback/${mailProvider.id}?${query}`
    const mail = { identifier, token: linkToken, expires, url }
    return sendMail({ visit, mailProvider }, world, mail)
  },
})

/** Invalidates older links that this browser requested for the address, if the provider is configured to. */
export const endOlderLinks = step({
  needs: ['visit', 'mailProvider', 'identifier'],
  says: { 'older-links.ended': [] },
  async run({ visit, mailProvider, identifier }, world) {
    const done = { type: 'older-links.ended' } as const
    if (mailProvider.config.supersedeLinks !== true) return done
    const link = { provider: mailProvider.id, identifier }
    for (const token of await listStored(link, visit, world))
      await requireStore(world).useVerificationToken({ identifier, token })
    return done
  },
})

/** Marks this browser as the one that requested the link, and for which user. */
export const rememberRequest = step({
  needs: ['visit', 'mailProvider', 'linkToken', 'storedToken'],
  may: ['intent', 'currentUser'],
  says: { 'link.remembered': [] },
  async run({ visit, mailProvider, linkToken, storedToken, intent, currentUser }, world) {
    const { identifier, token: stored, expires } = storedToken
    const starter = intent && currentUser ? { id: String(currentUser.id), intent } : undefined
    const link = { provider: mailProvider.id, identifier, token: linkToken, stored, starter }
    world.out.setCookies(await rememberLink(link, expires, visit, world))
    return { type: 'link.remembered' }
  },
})
