import type { FeatureSettings, OAuthSettings } from '../config/settings.ts'
import { InvalidConfig } from '../errors/classes.ts'
import { step } from '../flows/engine/step.ts'
import type { World } from '../flows/engine/world.ts'
import { chooseTarget } from '../flows/shared/resolve-callback-url.ts'
import { parseCallbackUrl } from '../http/callback-url.ts'
import { deriveUser } from '../oauth/read-profile.ts'
import { hasFailed } from '../oauth/failure.ts'
import { canonicaliseClaim } from '../text/email-address.ts'
import type { ProvenIdentity } from '../types/feature.ts'
import type { Profile, User } from '../types/records.ts'

/**
 * Names the account of the identity that a feature has proven, by the name of the feature: no feature can sign in the
 * accounts of a provider or of another feature. Approves the callback URL, which a feature may have read anywhere.
 */
export const claimIdentity = step({
  needs: ['visit', 'identity'],
  may: ['callbackUrl', 'candidate'],
  says: {
    'identity.claimed': ['candidate', 'account', 'profile', 'provider', 'grant', 'checks', 'callbackUrl'],
  },
  async run({ visit, identity, callbackUrl, candidate: held }, world) {
    const way = findWay(world)
    if (visit.method !== 'POST')
      throw new InvalidConfig(
        `The feature "${way.id}" admits a user after a GET, which any link can cause. Show a form that posts`,
      )
    const { linkTo } = identity
    const profile = { ...identity.profile, sub: identity.id }
    const target = parseCallbackUrl(callbackUrl, visit.origin) ?? visit.origin
    const provider = toProvider(way, identity)
    const helpers = { platform: world.platform, canonicaliseEmail: canonicaliseClaim }
    const mapped = await deriveUser(provider, profile, {}, helpers)
    if (hasFailed(mapped))
      throw new TypeError(`The feature "${way.id}" has proven an identity without a usable id`)
    return {
      type: 'identity.claimed',
      // A gate may have held the sign-in. Without a store, its user has only the id of the candidate.
      candidate: held ?? mapped.candidate,
      account: { provider: way.id, providerAccountId: mapped.account.providerAccountId, type: way.type },
      profile,
      provider,
      grant: { tokens: {} },
      checks: linkTo === undefined ? {} : { startedBy: String(linkTo), isLink: true },
      callbackUrl: await chooseTarget(target, visit, world),
    }
  },
})

function findWay({ feature, settings }: World): FeatureSettings {
  const way = settings.providers.get(feature?.name ?? '')
  if (way?.kind === 'feature') return way
  throw new InvalidConfig(`The feature "${feature?.name}" admits users, and needs \`signIn\``)
}

/** What admission reads of the settings of a provider. A feature has no tokens, and its accounts are not linked by address. */
function toProvider({ id, name }: FeatureSettings, identity: ProvenIdentity): OAuthSettings {
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
    profile: (claims) => toUser(identity.id, claims),
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
