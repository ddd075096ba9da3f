import { asError } from '../as-error.ts'
import { hashesOf } from '../email/link-token.ts'
import { normaliseFor } from '../email/provider-address.ts'
import { AdapterError, Verification } from '../errors.ts'
import type { Visit } from '../http/visit.ts'
import { findByAddress } from '../linking/find-by-address.ts'
import { provideCsrf } from '../session/csrf-cookie.ts'
import { forgetLink, hasRequested } from '../session/requested-links.ts'
import { demandUser } from '../session/stored.ts'
import { timeOf } from '../time-of.ts'
import type { VerificationToken } from '../types/adapter.ts'
import { demandStore } from './demand-store.ts'
import { step } from './step.ts'

/** Reads who follows a link: a person, a button of ours, or a program that only looks. */
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
    const identifier = sent && normaliseFor(mailProvider, sent.email)
    if (!sent || identifier === undefined)
      return { type: 'link.malformed', failure: new Verification('The link has no token, or no address') }
    const link = { identifier, linkToken: sent.token }
    return { type: visit.method === 'POST' ? 'link.confirmed' : 'link.followed', ...link }
  },
})

/** Browsers and mail programs say so when nobody is looking yet. */
function isPreview(headers: Headers): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /\b(prefetch|prerender|preview)\b/i.test(headers.get(name) ?? ''),
  )
}

/** Token and address of a link, each exactly once and not empty. */
function readSent({ method, query, body, duplicates }: Visit): { token: string; email: string } | undefined {
  const isForm = method === 'POST'
  const twice = isForm ? duplicates : ['token', 'email'].filter((name) => query.getAll(name).length > 1)
  const token = isForm ? body.token : query.get('token')
  const email = isForm ? body.email : query.get('email')
  const isUsable =
    typeof token === 'string' && typeof email === 'string' && token.trim() !== '' && twice.length === 0
  return isUsable ? { token, email } : undefined
}

/** Tells the browser that requested the link from any other, unless the provider asks everybody or nobody to confirm. */
export const checkRequester = step({
  needs: ['visit', 'mailProvider', 'identifier', 'linkToken'],
  says: {
    'requester.recognised': [],
    'requester.unknown': [],
    'confirmation.required': [],
    'confirmation.waived': [],
  },
  async run({ visit, mailProvider, identifier, linkToken }, { keys, platform }) {
    if (mailProvider.confirm === 'always') return { type: 'confirmation.required' }
    if (mailProvider.confirm === 'never') return { type: 'confirmation.waived' }
    const link = { provider: mailProvider.id, identifier, token: linkToken }
    const isHere = await hasRequested(link, visit, keys, platform.now())
    return { type: isHere ? 'requester.recognised' : 'requester.unknown' }
  },
})

/** Fills in the page whose button takes the link, with a CSRF token of this browser. */
export const prepareConfirmation = step({
  needs: ['visit', 'mailProvider', 'identifier', 'linkToken'],
  says: { 'confirmation.prepared': ['confirmation'] },
  async run({ visit, mailProvider, identifier, linkToken }, { settings, out }) {
    const csrf = settings.csrf ? await provideCsrf(visit, settings) : { token: undefined, cookies: [] }
    out.setCookies(csrf.cookies)
    return {
      type: 'confirmation.prepared',
      confirmation: {
        page: 'confirm',
        action: `${visit.base}/callback/${mailProvider.id}`,
        csrfToken: csrf.token,
        token: linkToken,
        email: identifier,
        callbackUrl: visit.query.get('callbackUrl') ?? undefined,
      },
    }
  },
})

/** Removes a link that was used from the cookie of the browser that requested it. */
export const forgetUsedLink = step({
  needs: ['visit', 'mailProvider', 'identifier', 'linkToken'],
  says: { 'link.forgotten': [] },
  async run({ visit, mailProvider, identifier, linkToken }, { keys, platform, out }) {
    const link = { provider: mailProvider.id, identifier, token: linkToken }
    out.setCookies(await forgetLink(link, visit, keys, platform.now()))
    return { type: 'link.forgotten' }
  },
})

/** Takes the token out of the store, so that it works once; under any secret that is still listed. */
export const consumeToken = step({
  needs: ['identifier', 'linkToken', 'mailProvider'],
  says: { 'token.consumed': [], 'token.unknown': ['failure'], 'token.expired': ['failure'] },
  async run({ identifier, linkToken, mailProvider }, world) {
    const store = demandStore(world)
    for (const hash of hashesOf(linkToken, mailProvider, world.settings)) {
      const token = await hash
      const taken = await store.useVerificationToken({ identifier, token })
      if (!taken || taken.identifier !== identifier || taken.token !== token) continue
      if (expiryOf(taken) > world.platform.now()) return { type: 'token.consumed' }
      return { type: 'token.expired', failure: new Verification('The link has expired') }
    }
    return { type: 'token.unknown', failure: new Verification('The link is unknown, or was used before') }
  },
})

function expiryOf({ expires }: VerificationToken): number {
  const time = timeOf(expires)
  if (time !== undefined) return time
  throw new AdapterError("The adapter's useVerificationToken answered an expires that is no Date")
}

/** Is there a user of the address? One who never proved it has to leave it to whoever has. */
export const decideUser = step({
  may: ['addressee', 'claimant'],
  says: { 'user.known': ['member'], 'user.new': [], 'address.contested': ['claimant'] },
  run({ addressee, claimant }) {
    if (addressee) return { type: 'user.known', member: addressee }
    return claimant ? { type: 'address.contested', claimant } : { type: 'user.new' }
  },
})

/** Stores a new user, whose address is proven. If that fails, another request may have been faster. */
export const createProvenUser = step({
  needs: ['candidate', 'identifier'],
  says: { 'user.created': ['createdUser', 'member'], 'user.conflicting': ['conflict'] },
  async run({ candidate, identifier }, world) {
    const store = demandStore(world)
    const user = { ...candidate, id: candidate.id ?? '', email: identifier }
    try {
      const answer = await store.createUser({ ...user, emailVerified: new Date(world.platform.now()) })
      const createdUser = demandUser(answer, 'createUser')
      world.out.announce({ event: 'createUser', message: { user: createdUser } })
      return { type: 'user.created', createdUser, member: createdUser }
    } catch (error) {
      return { type: 'user.conflicting', conflict: asError(error) }
    }
  },
})

/** Reads again, after storing failed: whose address is it now? */
export const rereadAddressee = step({
  needs: ['identifier', 'conflict'],
  says: { 'user.known': ['member'], 'conflict.unexplained': ['fault'] },
  async run({ identifier, conflict }, world) {
    const { addressee } = await findByAddress(identifier, demandStore(world), world.settings)
    if (addressee) return { type: 'user.known', member: addressee }
    return { type: 'conflict.unexplained', fault: conflict }
  },
})

/** Notes when the address was proven, the first time. */
export const proveAddress = step({
  needs: ['member'],
  says: { 'address.proven': ['member'] },
  async run({ member }, world) {
    if (member.emailVerified) return { type: 'address.proven', member }
    const emailVerified = new Date(world.platform.now())
    const answer = await demandStore(world).updateUser({ id: member.id, emailVerified })
    const proven = { ...member, ...demandUser(answer, 'updateUser') }
    world.out.announce({ event: 'updateUser', message: { user: proven } })
    return { type: 'address.proven', member: proven }
  },
})
