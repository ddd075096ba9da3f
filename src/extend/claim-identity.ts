import type { FeatureSettings, OAuthSettings } from '../config/settings.ts'
import { AccessDenied, InvalidConfig } from '../errors/classes.ts'
import { step } from '../flows/engine/step.ts'
import type { World } from '../flows/engine/world.ts'
import { type Approved, openApproval } from '../flows/shared/approval.ts'
import { readOwner } from '../flows/shared/link-account.ts'
import { chooseTarget } from '../flows/shared/resolve-callback-url.ts'
import { parseCallbackUrl } from '../http/callback-url.ts'
import { deriveUser } from '../oauth/read-profile.ts'
import { hasFailed } from '../oauth/failure.ts'
import { canonicaliseClaim } from '../text/email-address.ts'
import type { Profile, User } from '../types/records.ts'

/** What is known of every identity. */
const named = ['candidate', 'account', 'provider', 'grant', 'checks', 'callbackUrl'] as const

/**
 * Names the account of the identity that a feature has proven, by the name of the feature: no feature can sign in the
 * accounts of a provider or of another feature. An approval names its user. Approves the callback URL, which a feature may have
 * read anywhere.
 */
export const claimIdentity = step({
  needs: ['visit', 'identity'],
  may: ['callbackUrl', 'candidate', 'passed'],
  says: {
    'identity.claimed': [...named, 'profile'],
    'identity.approved': [...named, 'owner', 'stamp', 'approved'],
    'user.denied': ['failure'],
  },
  async run({ visit, identity, callbackUrl, candidate: held, passed }, world) {
    const way = findWay(world)
    if (visit.method !== 'POST')
      throw new InvalidConfig(
        `The feature "${way.id}" admits a user after a GET, which any link can cause. Show a form that posts`,
      )
    const target = parseCallbackUrl(callbackUrl, visit.origin) ?? visit.origin
    const named = { grant: { tokens: {} }, callbackUrl: await chooseTarget(target, visit, world) }
    if ('approval' in identity) {
      const approved = await openApproval(identity.approval, passed !== undefined, visit, world)
      if (!approved)
        return refuse('The approval is unknown, was used, or is older than a change to the account')
      return { type: 'identity.approved', ...named, ...describeUser(way, approved) }
    }
    const { linkTo } = identity
    const profile = { ...identity.profile, sub: identity.id }
    const provider = toProvider(way, identity.id)
    const helpers = { platform: world.platform, canonicaliseEmail: canonicaliseClaim }
    const mapped = await deriveUser(provider, profile, {}, helpers)
    if (hasFailed(mapped))
      throw new TypeError(`The feature "${way.id}" has proven an identity without a usable id`)
    const account = {
      provider: way.id,
      providerAccountId: mapped.account.providerAccountId,
      type: way.type,
    } as const
    if (identity.mustExist && !(world.store && (await readOwner(account, world.store))))
      return refuse('Nobody has this account')
    return {
      type: 'identity.claimed',
      ...named,
      // A gate may have held the sign-in. Without a store, its user has only the id of the candidate.
      candidate: held ?? mapped.candidate,
      account,
      profile,
      provider,
      checks: linkTo === undefined ? {} : { startedBy: String(linkTo), isLink: true },
    }
  },
})

function refuse(reason: string) {
  return { type: 'user.denied', failure: new AccessDenied(reason) } as const
}

/** The account of an approved sign-in is named, for callbacks and events, but never stored: the user is known. */
function describeUser(way: FeatureSettings, approved: Approved) {
  const { user, stamp } = approved
  const { id, name, email, image } = user
  return {
    candidate: { id, name, email, image },
    account: { provider: way.id, providerAccountId: String(id), type: way.type },
    provider: toProvider(way, String(id)),
    checks: {},
    owner: user,
    stamp,
    approved,
  } as const
}

function findWay({ feature, settings }: World): FeatureSettings {
  const way = settings.providers.get(feature?.name ?? '')
  if (way?.kind === 'feature') return way
  throw new InvalidConfig(`The feature "${feature?.name}" admits users, and needs \`signIn\``)
}

/** What admission reads of the settings of a provider. A feature has no tokens, and its accounts are not linked by address. */
function toProvider({ id, name }: FeatureSettings, account: string): OAuthSettings {
  const settings: Pick<
    OAuthSettings,
    | 'id'
    | 'name'
    | 'profile'
    | 'account'
    | 'allowDangerousEmailAccountLinking'
    | 'storeUnverifiedEmail'
    | 'backChannelLogout'
  > = {
    id,
    name,
    profile: (claims) => toUser(account, claims),
    account: () => undefined,
    allowDangerousEmailAccountLinking: false,
    storeUnverifiedEmail: false,
    backChannelLogout: false,
  }
  return settings as OAuthSettings
}

function toUser(id: string, { name, email, picture }: Profile): User {
  return { id, name, email, image: typeof picture === 'string' ? picture : undefined }
}
