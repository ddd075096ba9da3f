import type { Settings } from '../../config/settings.ts'
import { isSessionId } from '../../config/store.ts'
import { readCandidates, writeChunked } from '../../cookies/chunks.ts'
import { AccessDenied, AdapterError } from '../../errors/classes.ts'
import { changeCsrf } from '../../http/csrf.ts'
import { withRequest } from '../../http/rebuild-request.ts'
import { askLifetime, rowLifetime } from '../../session/lifetime.ts'
import { loadRevocations } from '../../session/load-revocations.ts'
import { heldSignInCookie } from '../../session/held-sign-in.ts'
import { nameRow, parseRow } from '../../session/row-id.ts'
import { isOutdated } from '../../policy/stamp.ts'
import { readAnswer, readRevocable, type Revocable, setOwnClaims } from '../../session/session-token.ts'
import { requireNewSession } from '../../session/stored.ts'
import { revokeHeldTokens } from './revoke-held-tokens.ts'
import { nameProviderSession } from '../../session/provider-session.ts'
import { describeSession } from './describe-session.ts'
import { type Given, step } from '../engine/step.ts'
import { requireStore, type World } from '../engine/world.ts'
import { sealIntoCookies } from './seal-into-cookies.ts'
import { clearFormerCookies } from './several-cookies.ts'

/** Asks the application for the lifetime of the session, and changes the CSRF token. */
const prepareSession = step({
  needs: ['visit', 'candidate', 'account'],
  may: ['member'],
  says: { 'token.wanted': ['lifetime', 'csrfCookies'], 'row.wanted': ['lifetime', 'csrfCookies'] },
  async run({ visit, candidate, account, member }, { settings, platform }) {
    const user = member ?? candidate
    const ask = () => withRequest({ user, account }, visit)
    const type = settings.session.strategy === 'jwt' ? 'token.wanted' : 'row.wanted'
    // Created first: after a failure, a session cookie set before would still be sent.
    const { cookies: csrfCookies } = settings.csrf ? await changeCsrf(visit, settings) : { cookies: [] }
    const lifetime = await askLifetime(settings, platform.now(), ask)
    return { type, lifetime, csrfCookies }
  },
})

/** Creates the claims with the jwt callback, and encrypts them. Null refuses the sign-in. */
const issueToken = step({
  needs: ['visit', 'candidate', 'account', 'lifetime'],
  may: ['member', 'createdUser', 'profile', 'provider', 'grant', 'authentication', 'stamp', 'earlier'],
  says: { 'token.issued': ['sessionCookies'], 'user.denied': ['failure'] },
  async run(facts, world) {
    const { settings } = world
    const { lifetime, authentication } = facts
    const arrival = describeArrival(facts, world)
    const { name, email, image, id } = arrival.user
    const answered = await settings.callbacks.jwt({
      ...arrival,
      trigger: arrival.isNewUser ? 'signUp' : 'signIn',
      token: { name, email, picture: image, sub: id === undefined ? id : String(id) },
    })
    const claims = readAnswer(answered)
    if (claims === null)
      return { type: 'user.denied', failure: new AccessDenied('The jwt callback refused the sign-in') }
    // Without a store, ids are random unless the application chooses them.
    const userId = world.store ? id : (claims.sub ?? id)
    const revocable = settings.jwt.revocations ? await makeRevocable(userId, facts, settings) : undefined
    // The account may have changed since before the credential was checked.
    if (facts.stamp && (await isOutdated(facts.stamp, arrival.user.id, world))) return denyOutdated()
    const token = setOwnClaims(claims, { lifetime, revocable, authentication })
    return { type: 'token.issued', sessionCookies: await sealIntoCookies(token, facts.visit, world) }
  },
})

async function makeRevocable(
  userId: string | undefined,
  facts: Given<never, 'provider' | 'grant' | 'stamp' | 'earlier'>,
  settings: Settings,
): Promise<Revocable> {
  const { stamp, earlier } = facts
  const at = stamp?.at ?? settings.platform.now()
  const opened = earlier ? readRevocable(earlier.token ?? {})?.opened : await findOpening(facts)
  return (await loadRevocations()).makeRevocable(userId, opened, at, settings)
}

function denyOutdated() {
  const failure = new AccessDenied('The account was changed during the sign-in')
  return { type: 'user.denied', failure } as const
}

/** Names the session at the provider, if the provider may end sessions. */
function findOpening({ provider, grant }: Given<never, 'provider' | 'grant'>) {
  return provider?.endsSessions && grant?.claims ? nameProviderSession(provider.id, grant.claims) : undefined
}

/** Returns the session at the provider, or the one noted in the row that the new session replaces. */
function findRowOpening(facts: Given<never, 'provider' | 'grant' | 'earlier'>) {
  const { earlier } = facts
  return earlier ? parseRow(earlier.session?.sessionToken ?? '').opening : findOpening(facts)
}

/** Stores a session with a new id. */
const storeSession = step({
  needs: ['visit', 'candidate', 'lifetime'],
  may: ['member', 'holder', 'provider', 'grant', 'authentication', 'earlier'],
  says: { 'session.stored': ['session', 'sessionCookies'] },
  async run(facts, world) {
    const { visit, candidate, lifetime, member, holder, authentication } = facts
    const { settings, platform } = world
    const user = holder ?? member ?? candidate
    const { generateSessionToken } = settings.session
    const generated = generateSessionToken()
    const cookie = visit.cookieTable.sessionToken
    const isOpened = facts.earlier !== undefined || facts.provider?.endsSessions === true
    const opening = isOpened ? await findRowOpening(facts) : undefined
    const notes = { scope: cookie.options, authentication, opening, ...lifetime }
    const sessionToken = nameRow(generated, notes)
    if (!isSessionId(generated) || !isSessionId(sessionToken))
      throw new TypeError('`session.generateSessionToken` must return 1 to 1000 visible ASCII characters')
    const { maxAge: ownAge, since: ownStart } = parseRow(generated)
    if (ownAge !== undefined || ownStart !== undefined)
      throw new TypeError(
        '`session.generateSessionToken` must not return text that ends like `.max60` or `.at60`',
      )
    const { maxAge, end } = rowLifetime(sessionToken, settings)
    const expires = new Date(Math.min(platform.now() + maxAge * 1000, end))
    const session = requireNewSession(
      await requireStore(world).createSession({ sessionToken, userId: user.id ?? '', expires }),
    )
    if (sessionToken !== generated && session.sessionToken !== sessionToken)
      throw new AdapterError(
        "The adapter's createSession changed the session token, which names the lifetime",
      )
    if (settings.session.describe) await describeSession(session.sessionToken, visit, world)
    const sessionCookies = writeChunked(visit.cookies, cookie, session.sessionToken, session.expires)
    return { type: 'session.stored', session, sessionCookies }
  },
})

/** Removes the session that was just stored if the account has changed since before the credential was checked. */
const recheckStamp = step({
  needs: ['session'],
  may: ['stamp'],
  says: { 'stamp.kept': [], 'user.denied': ['failure'] },
  async run({ session, stamp }, world) {
    if (!stamp || !(await isOutdated(stamp, session.userId, world))) return { type: 'stamp.kept' }
    await requireStore(world).deleteSession(session.sessionToken)
    return denyOutdated()
  },
})

/** Revokes the tokens that the browser had before, and clears the cookie if its scope changed. */
const revokePreviousToken = step({
  needs: ['visit'],
  says: { 'previous-session.revoked': [] },
  async run({ visit }, world) {
    if (world.settings.jwt.revocations) await revokeHeldTokens(visit, world)
    world.out.setCookies(await clearFormerCookies(visit, world))
    return { type: 'previous-session.revoked' }
  },
})

/** Removes the session that the browser had before from the store, and clears its cookie if its scope changed. */
const revokePreviousSession = step({
  needs: ['visit', 'session'],
  says: { 'previous-session.revoked': [] },
  async run({ visit, session }, world) {
    const former = await clearFormerCookies(visit, world)
    for (const held of readCandidates(visit.cookies, visit.cookieTable.sessionToken.name))
      if (held !== session.sessionToken) await requireStore(world).deleteSession(held)
    world.out.setCookies(former)
    return { type: 'previous-session.revoked' }
  },
})

/** Sets the cookies, and announces the sign-in. After this step, nothing can fail. */
const admitUser = step({
  needs: ['visit', 'candidate', 'account', 'csrfCookies', 'sessionCookies'],
  may: ['member', 'createdUser', 'profile'],
  says: { 'user.admitted': [] },
  run(facts, world) {
    world.out.setCookies(facts.sessionCookies)
    world.out.setCookies(facts.csrfCookies)
    if (heldSignInCookie.isSent(facts.visit)) world.out.setCookies(heldSignInCookie.remove(facts.visit))
    world.out.announce({ event: 'signIn', message: describeArrival(facts, world) })
    return { type: 'user.admitted' }
  },
})

/** Describes who signs in to the application. */
function describeArrival(
  {
    candidate,
    account,
    member,
    createdUser,
    profile,
  }: Given<'candidate' | 'account', 'member' | 'createdUser' | 'profile'>,
  { store }: World,
) {
  const isNewUser = store ? createdUser !== undefined && createdUser === member : undefined
  return { user: member ?? candidate, account, profile, isNewUser }
}

/** The steps that issue a session, for each flow that signs in. */
export const issuanceSteps = {
  prepareSession,
  issueToken,
  revokePreviousToken,
  storeSession,
  recheckStamp,
  revokePreviousSession,
  admitUser,
}
