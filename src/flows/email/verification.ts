import { asError } from '../../errors/as-error.ts'
import { consumeHashed, consumption, hashesOf, storeRow } from '../shared/mailed-proof.ts'
import { normaliseFor } from '../../text/email-address.ts'
import { Verification } from '../../errors/classes.ts'
import type { Visit } from '../../http/visit.ts'
import { tell } from '../../policy/tell.ts'
import { findByAddress, findTypedAddress, isUnproven } from '../shared/linking.ts'
import { provideFormToken } from '../shared/check-csrf.ts'
import { forgetLink, hasRequested, keepLink } from './requested-links.ts'
import { readStamp } from '../../policy/stamp.ts'
import { requireCurrentUser, isProven, isSameId } from '../../session/stored.ts'
import type { AdapterUser } from '../../types/adapter.ts'
import { requireStore, type World } from '../engine/world.ts'
import type { Facts } from '../engine/facts.ts'
import { step } from '../engine/step.ts'

/** Determines who opens a link: a user, the confirmation form, or a program that previews it. */
export const readLink = step({
  needs: ['visit', 'mailProvider'],
  says: {
    'link.followed': ['identifier', 'linkToken'],
    'link.confirmed': ['identifier', 'linkToken'],
    'link.previewed': [],
    'link.malformed': ['failure'],
  },
  run({ visit, mailProvider }) {
    if (isPreview(visit.request.headers)) return { type: 'link.previewed' }
    const sent = readSent(visit)
    let cause: Error | undefined
    const identifier = sent && normaliseFor(mailProvider, sent.email, (thrown) => void (cause = thrown))
    if (!sent || identifier === undefined)
      return {
        type: 'link.malformed',
        failure: new Verification('The link has no token or no address', cause),
      }
    const link = { identifier, linkToken: sent.token }
    return { type: visit.method === 'POST' ? 'link.confirmed' : 'link.followed', ...link }
  },
})

/** Browsers and mail programs send these headers when they load a page in advance. */
function isPreview(headers: Pick<Headers, 'get'>): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /\b(prefetch|prerender|preview)\b/i.test(headers.get(name) ?? ''),
  )
}

/** Reads token and address of a link. Each must occur exactly once and not be empty. */
function readSent({ method, query, body, duplicates }: Visit): { token: string; email: string } | undefined {
  const isForm = method === 'POST'
  const twice = isForm ? duplicates : ['token', 'email'].filter((name) => query.getAll(name).length > 1)
  const token = isForm ? body.token : query.get('token')
  const email = isForm ? body.email : query.get('email')
  const isUsable =
    typeof token === 'string' && typeof email === 'string' && token.trim() !== '' && twice.length === 0
  return isUsable ? { token, email } : undefined
}

/** Checks whether this browser requested the link, unless the provider asks everyone or no one to confirm. */
export const checkRequester = step({
  needs: ['visit', 'mailProvider', 'identifier', 'linkToken'],
  says: { 'confirmation.required': [], 'confirmation.waived': [] },
  async run({ visit, mailProvider, identifier, linkToken }, world) {
    if (mailProvider.confirm === 'always') return { type: 'confirmation.required' }
    if (mailProvider.confirm === 'never') return { type: 'confirmation.waived' }
    const link = { provider: mailProvider.id, identifier, token: linkToken }
    const isHere = await hasRequested(link, visit, world)
    return { type: isHere ? 'confirmation.waived' : 'confirmation.required' }
  },
})

/** Builds the confirmation page, with a CSRF token of this browser. */
export const prepareConfirmation = step({
  needs: ['visit', 'mailProvider', 'identifier', 'linkToken'],
  says: { 'confirmation.prepared': ['confirmation'] },
  async run({ visit, mailProvider, identifier, linkToken }, world) {
    return {
      type: 'confirmation.prepared',
      confirmation: {
        page: 'confirm',
        origin: visit.origin,
        action: `${visit.base}/callback/${mailProvider.id}`,
        csrfToken: await provideFormToken(visit, world),
        token: linkToken,
        email: identifier,
        callbackUrl: visit.query.get('callbackUrl') ?? undefined,
      },
    }
  },
})

/** Removes a used link from the cookie of the browser that requested it, and reads who requested it. */
export const forgetUsedLink = step({
  needs: ['visit', 'mailProvider', 'identifier', 'linkToken'],
  says: { 'link.forgotten': ['requester'] },
  async run({ visit, mailProvider, identifier, linkToken }, world) {
    const link = { provider: mailProvider.id, identifier, token: linkToken }
    const { cookies, starter = {} } = await forgetLink(link, visit, world)
    world.out.setCookies(cookies)
    return { type: 'link.forgotten', requester: starter }
  },
})

/** Looks up who has the address, and reads the stamp of that account before the link or the code is checked. */
export const readStampOfAddress = step({
  needs: ['identifier'],
  says: { 'stamp.read': ['addressed', 'stamp'] },
  async run({ identifier }, world) {
    const addressed = await findTypedAddress(identifier, requireStore(world), world.settings)
    const stamp = await readStamp(addressed.addressee ?? addressed.claimant, world)
    return { type: 'stamp.read', addressed, stamp }
  },
})

/** Removes the token from the store, so that it works only once. Accepts tokens of all listed secrets. */
export const consumeToken = step({
  needs: ['identifier', 'linkToken', 'mailProvider', 'stamp'],
  says: consumption,
  async run({ identifier, linkToken, mailProvider, stamp }, world) {
    const hashes = await hashesOf(linkToken, mailProvider, world.settings, stamp)
    return consumeHashed(identifier, hashes, world)
  },
})

type Used = Pick<Facts, 'visit' | 'mailProvider' | 'consumedToken' | 'linkToken'>

/** Stores the row of a link again, and its cookie as this browser sent it. */
async function giveBack(
  { visit, mailProvider, consumedToken, linkToken: token }: Used,
  world: World,
  { confirm = false } = {},
): Promise<void> {
  const { identifier } = await storeRow(consumedToken, world)
  const link = { provider: mailProvider.id, identifier, token }
  world.out.setCookies(await keepLink(link, visit, world, confirm))
}

/** Stores the row of a link again. The browser still counts as the browser that requested it. */
export const restoreToken = step({
  needs: ['visit', 'mailProvider', 'consumedToken', 'linkToken'],
  says: { 'token.restored': [] },
  async run(used, world) {
    await giveBack(used, world)
    return { type: 'token.restored' }
  },
})

/**
 * Stores the row again, because the session of this browser must not use it yet. The link asks for a click when it is
 * opened again: the user who signs in next may not have opened it.
 */
export const deferToken = step({
  needs: ['visit', 'mailProvider', 'consumedToken', 'linkToken', 'callbackUrl'],
  says: { 'token.deferred': ['callbackUrl'] },
  async run({ callbackUrl, ...used }, world) {
    const { visit, mailProvider, consumedToken, linkToken } = used
    await giveBack(used, world, { confirm: true })
    const query = new URLSearchParams({ callbackUrl, token: linkToken, email: consumedToken.identifier })
    return { type: 'token.deferred', callbackUrl: `${visit.base}/callback/${mailProvider.id}?${query}` }
  },
})

/**
 * Decides which user the address belongs to. A user who never verified it loses it to the user who has just verified
 * it.
 */
export const decideUser = step({
  needs: ['requester'],
  may: ['addressee', 'claimant'],
  says: {
    'user.known': ['member'],
    'user.new': [],
    'address.contested': ['claimant'],
    'starter.remembered': [],
  },
  run({ requester, addressee, claimant }) {
    if (addressee) return { type: 'user.known', member: addressee }
    if (requester.id !== undefined && requester.intent === 'requested') return { type: 'starter.remembered' }
    return claimant ? { type: 'address.contested', claimant } : { type: 'user.new' }
  },
})

/**
 * Decides whether an address that identifies nobody goes to the user who requested the link. That user must still be
 * signed in, have registered with a passkey, and have no verified address.
 */
export const decideStarter = step({
  needs: ['requester'],
  may: ['currentUser', 'heldCookie', 'claimant'],
  says: {
    'user.known': ['member'],
    'user.new': [],
    'address.contested': ['claimant'],
    'address.gained': ['member', 'currentUser', 'heldCookie'],
  },
  async run({ requester, currentUser, heldCookie = '', claimant }, world) {
    const member = isSameId(requester.id, currentUser?.id) ? currentUser : undefined
    if (!member || !(await isUnproven(member, requireStore(world), world.settings)))
      return claimant ? { type: 'address.contested', claimant } : { type: 'user.new' }
    // Someone else may have prepared the user with this address, so everything from before is removed (AL-04).
    if (claimant && isSameId(claimant.id, member.id)) return { type: 'user.known', member }
    return { type: 'address.gained', member, currentUser: member, heldCookie }
  },
})

/** Stores the verified address with the signed-in user. If that fails, another request may have been faster. */
export const addAddress = step({
  needs: ['visit', 'currentUser', 'identifier'],
  says: { 'address.added': ['member'], 'user.conflicting': ['conflict'] },
  async run({ visit, currentUser, identifier }, world) {
    const emailVerified = new Date(world.platform.now())
    const answer = await changeUser({ id: currentUser.id, email: identifier, emailVerified }, world)
    if ('conflict' in answer) return { type: 'user.conflicting', ...answer }
    const { member } = answer
    const message = { user: member }
    tell('add-address', { event: 'updateUser', message }, { user: currentUser, visit }, world.out)
    return { type: 'address.added', member }
  },
})

async function changeUser(
  patch: Partial<AdapterUser> & Pick<AdapterUser, 'id'>,
  world: World,
): Promise<{ readonly member: AdapterUser } | { readonly conflict: Error }> {
  try {
    return { member: requireCurrentUser(await requireStore(world).updateUser(patch), 'updateUser') }
  } catch (error) {
    return { conflict: asError(error) }
  }
}

/** Stores a new user with a verified address. If that fails, another request may have been faster. */
export const createProvenUser = step({
  needs: ['candidate', 'identifier'],
  says: { 'user.created': ['createdUser', 'member'], 'user.conflicting': ['conflict'] },
  async run({ candidate, identifier }, world) {
    const store = requireStore(world)
    const user = { ...candidate, id: candidate.id ?? '', email: identifier }
    try {
      const answer = await store.createUser({ ...user, emailVerified: new Date(world.platform.now()) })
      const createdUser = requireCurrentUser(answer, 'createUser')
      world.out.announce({ event: 'createUser', message: { user: createdUser } })
      return { type: 'user.created', createdUser, member: createdUser }
    } catch (error) {
      return { type: 'user.conflicting', conflict: asError(error) }
    }
  },
})

/** Reads the user of the address again after a failed write. */
export const rereadAddressee = step({
  needs: ['identifier', 'conflict'],
  says: { 'user.known': ['member'], 'conflict.unexplained': ['fault'] },
  async run({ identifier, conflict }, world) {
    const { addressee } = await findByAddress(identifier, requireStore(world), world.settings)
    if (addressee) return { type: 'user.known', member: addressee }
    return { type: 'conflict.unexplained', fault: conflict }
  },
})

/** Records when the address was first verified. */
export const proveAddress = step({
  needs: ['member'],
  says: { 'address.proven': ['member'] },
  async run({ member }, world) {
    if (isProven(member)) return { type: 'address.proven', member }
    const emailVerified = new Date(world.platform.now())
    const updated = await requireStore(world).updateUser({ id: member.id, emailVerified })
    const proven = { ...member, ...requireCurrentUser(updated, 'updateUser') }
    world.out.announce({ event: 'updateUser', message: { user: proven } })
    return { type: 'address.proven', member: proven }
  },
})
