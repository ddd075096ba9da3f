import { asError } from '../as-error.ts'
import { whenReady } from '../crypto/maybe-promise.ts'
import { hashesOf } from '../email/link-token.ts'
import { normaliseFor } from '../email/provider-address.ts'
import { AdapterError, Verification } from '../errors.ts'
import type { Visit } from '../http/visit.ts'
import { provideCsrf } from '../session/csrf-cookie.ts'
import { demandUser, readUser } from '../session/stored.ts'
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
    'link.opened': ['confirmation'],
    'link.previewed': [],
    'link.malformed': ['failure'],
  },
  run({ visit, mailProvider }, { settings, out }) {
    if (isPreview(visit.request.headers)) return { type: 'link.previewed' }
    const sent = readSent(visit)
    const identifier = sent && normaliseFor(mailProvider, sent.email)
    if (!sent || identifier === undefined)
      return { type: 'link.malformed', failure: new Verification('The link has no token, or no address') }
    const link = { identifier, linkToken: sent.token }
    if (visit.method === 'POST') return { type: 'link.confirmed', ...link }
    if (!mailProvider.config.confirm) return { type: 'link.followed', ...link }
    const csrf = settings.csrf ? provideCsrf(visit, settings) : { token: undefined, cookies: [] }
    return whenReady(csrf, ({ token: csrfToken, cookies }) => {
      out.setCookies(cookies)
      const callbackUrl = visit.query.get('callbackUrl') ?? undefined
      const action = `${visit.base}/callback/${mailProvider.id}`
      const { token } = sent
      return {
        type: 'link.opened',
        confirmation: { page: 'confirm', action, csrfToken, token, email: identifier, callbackUrl },
      }
    })
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

/** Is there a user of the address? */
export const decideUser = step({
  may: ['addressee'],
  says: { 'user.known': ['member'], 'user.new': [] },
  run: ({ addressee }) => (addressee ? { type: 'user.known', member: addressee } : { type: 'user.new' }),
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
    const member = readUser(await demandStore(world).getUserByEmail(identifier), 'getUserByEmail')
    return member ? { type: 'user.known', member } : { type: 'conflict.unexplained', fault: conflict }
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
