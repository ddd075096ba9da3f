import type { FeatureSettings, OAuthSettings } from '../config/settings.ts'
import { AccessDenied, InvalidConfig } from '../errors/classes.ts'
import { type Given, step } from '../flows/engine/step.ts'
import type { World } from '../flows/engine/world.ts'
import { openApproval } from '../flows/shared/approve-sign-in.ts'
import { readOwner } from '../flows/shared/link-account.ts'
import { chooseTarget } from '../flows/shared/resolve-callback-url.ts'
import { parseCallbackUrl } from '../http/callback-url.ts'
import { authenticationOf, freshness } from '../policy/check-change.ts'
import { isProvenBySession } from '../policy/proven-by-session.ts'
import { deriveUser } from '../oauth/read-profile.ts'
import { hasFailed } from '../oauth/failure.ts'
import type { Approved } from '../session/approval.ts'
import { describeFirstFactor } from '../session/authentication.ts'
import { isSameId } from '../session/stored.ts'
import { canonicaliseClaim } from '../text/email-address.ts'
import type { AdapterUser } from '../types/adapter.ts'
import type { ProvenAccount } from '../types/feature.ts'
import type { Account, Profile, User } from '../types/records.ts'
import type { Authentication } from '../types/authentication.ts'

const always = ['candidate', 'account', 'provider', 'grant', 'checks', 'callbackUrl'] as const

/**
 * Names the account of the identity that a feature has proven, by the name of the feature: no feature can sign in the
 * accounts of a provider or of another feature. An approval names its user. Approves the callback URL, which a feature may have
 * read anywhere.
 */
export const claimIdentity = step({
  needs: ['visit', 'identity'],
  may: ['callbackUrl', 'candidate', 'passed', 'currentUser', 'token', 'session'],
  says: {
    'identity.claimed': [...always, 'profile'],
    'identity.approved': [...always, 'owner', 'stamp', 'approved'],
    'user.denied': ['failure'],
  },
  async run(facts, world) {
    const { visit, identity, callbackUrl, candidate, passed } = facts
    const way = findWay(world)
    if (visit.method !== 'POST')
      throw new InvalidConfig(
        `The feature "${way.id}" admits a user after a GET, which any link can cause. Show a form that posts`,
      )
    const target = parseCallbackUrl(callbackUrl, visit.origin) ?? visit.origin
    const shared = { grant: { tokens: {} }, callbackUrl: await chooseTarget(target, visit, world) }
    if ('approval' in identity) {
      const approved = await openApproval(identity.approval, passed !== undefined, visit, world)
      return approved
        ? { type: 'identity.approved', ...shared, ...describeApproved(way, approved, world) }
        : refuse('The approval is unknown, was used, or is older than a change to the account')
    }
    const claimed = await claimAccount(identity, way, candidate, world)
    const needsOwner = identity.mustExist || isProvenBySession(way)
    const owner = needsOwner && world.store ? await readOwner(claimed.account, world.store) : null
    if (identity.mustExist && !owner) return refuse('Nobody has this account')
    if (isProvenBySession(way) && owner && !passed && !isOpener(way, owner, facts))
      return refuse('Only a session that the account has opened proves it')
    return { type: 'identity.claimed', ...shared, ...claimed }
  },
})

/**
 * Tells whether the account has opened the session of this browser. A session that its user has approved elsewhere is one
 * of the same user, but must not become a recent one.
 */
function isOpener(
  { config }: FeatureSettings,
  owner: AdapterUser,
  { currentUser, token, session }: Given<never, 'currentUser' | 'token' | 'session'>,
): boolean {
  const { amr = [] } = authenticationOf({ token, session })
  return isSameId(owner.id, currentUser?.id) && amr.includes(config.signIn.amr)
}

function refuse(reason: string) {
  return { type: 'user.denied', failure: new AccessDenied(reason) } as const
}

/** @param held the candidate of a sign-in that a gate has held. Without a store, its user has only the id of the candidate */
async function claimAccount(
  identity: ProvenAccount,
  way: FeatureSettings,
  held: User | undefined,
  { platform }: World,
) {
  const { linkTo } = identity
  const profile = { ...identity.profile, sub: identity.id }
  const provider = toProvider(way, identity.id)
  const mapped = await deriveUser(provider, profile, {}, { platform, canonicaliseEmail: canonicaliseClaim })
  if (hasFailed(mapped))
    throw new TypeError(`The feature "${way.id}" has proven an identity without a usable id`)
  const { providerAccountId } = mapped.account
  return {
    candidate: held ?? mapped.candidate,
    account: { provider: way.id, providerAccountId, type: way.type },
    profile,
    provider,
    checks: linkTo === undefined ? {} : { startedBy: String(linkTo), isLink: true },
  } as const
}

/** The account of an approved sign-in is named, for callbacks and events, but never stored: the user is known. */
function describeApproved(way: FeatureSettings, { user, stamp, authTime }: Approved, world: World) {
  const { id, name, email, image } = user
  const account = { provider: way.id, providerAccountId: String(id), type: way.type } as const
  return {
    candidate: { id, name, email, image },
    account,
    provider: toProvider(way, String(id)),
    checks: {},
    owner: user,
    stamp,
    approved: describeBorrowed(account, authTime, world),
  } as const
}

/**
 * Nobody has authenticated in the browser of an approved sign-in, so it is never fresh, and has not passed the second factor: an
 * attacker who talks a user into approving cannot change the account.
 */
function describeBorrowed(
  account: Pick<Account, 'type' | 'provider'>,
  authTime: number | null,
  { settings, platform }: World,
): Authentication {
  const now = platform.now()
  const stale = Math.floor(now / 1000) - freshness - 1
  // A session without the time began before the site recorded it, so it may be of any age.
  return { ...describeFirstFactor(account, now, settings), auth_time: Math.min(authTime ?? 0, stale) }
}

function findWay({ feature, settings }: World): FeatureSettings {
  const way = settings.providers.get(feature?.name ?? '')
  if (way?.kind === 'feature') return way
  throw new InvalidConfig(`The feature "${feature?.name}" admits users, and needs \`signIn\``)
}

/** The provider settings that admission reads. A feature has no tokens, and its accounts are not linked by address. */
function toProvider({ id, name }: FeatureSettings, account: string): OAuthSettings {
  const settings: Pick<
    OAuthSettings,
    | 'id'
    | 'name'
    | 'profile'
    | 'account'
    | 'allowDangerousEmailAccountLinking'
    | 'storeUnverifiedEmail'
    | 'endsSessions'
  > = {
    id,
    name,
    profile: (claims) => toUser(account, claims),
    account: () => undefined,
    allowDangerousEmailAccountLinking: false,
    storeUnverifiedEmail: false,
    endsSessions: false,
  }
  return settings as OAuthSettings
}

function toUser(id: string, { name, email, picture }: Profile): User {
  return { id, name, email, image: typeof picture === 'string' ? picture : undefined }
}
