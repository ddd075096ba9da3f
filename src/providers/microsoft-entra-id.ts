import type { GivenId, OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { Profile, ProviderProfile, TokenSet } from '../types/records.ts'
import { readStandardUser } from '../provider-base/base.ts'
import { preset, type Preset } from '../provider-base/preset.ts'

/** Claims of Entra's id_token, in addition to the standard ones. */
export interface MicrosoftEntraIDProfile extends ProviderProfile {
  sub: string
  /** The tenant. */
  tid: string
  /** Identifies the user in all applications of the tenant. */
  oid?: string
  /** An optional claim of the application: does the user's organisation own the domain of the address? */
  xms_edov?: boolean | number | string
}

/** The options of {@link MicrosoftEntraID}. */
export interface MicrosoftEntraIDOptions<P> extends OIDCUserConfig<P> {
  /** Pixels of the square photo. @default 48 */
  readonly profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648
}

const host = 'https://login.microsoftonline.com'

/**
 * Issuers shared by several tenants, and the issuer in their metadata and tokens. The last is that of all personal
 * accounts.
 */
const sharedIssuers: ReadonlyMap<string, string> = new Map([
  [`${host}/common/v2.0`, `${host}/{tenantid}/v2.0`],
  [`${host}/organizations/v2.0`, `${host}/{tenantid}/v2.0`],
  [`${host}/consumers/v2.0`, `${host}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`],
])

/** A session cookie holds a photo of about 20 kB. A larger one would make the sign-in fail. */
const largestPhoto = 16 * 1024

/**
 * Signs users in with Microsoft Entra ID, work, school and personal accounts.
 *
 * Register an application at https://entra.microsoft.com, with the web redirect URI
 * `https://<host>/auth/callback/microsoft-entra-id`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (one tenant: `https://login.microsoftonline.com/<tenant id>/v2.0`; the
 * default admits every tenant, `tenants` restricts that), `profilePhotoSize`, and any of `OIDCUserConfig`. Claims: sub,
 * name, email; the photo comes from Microsoft Graph, as a data URI. An administrator of a tenant can set any address, so
 * with several tenants, `email_verified` is `false` unless the token has the optional claim `xms_edov`. Without it, new
 * users have no address unless you set `storeUnverifiedEmail`, and `allowDangerousEmailAccountLinking` does not link by
 * it.
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/migrate-off-email-claim-authorization
 * @example providers: [MicrosoftEntraID({ clientId: '...', clientSecret: '...', issuer: '...' })]
 */
export default function MicrosoftEntraID<
  P extends MicrosoftEntraIDProfile = MicrosoftEntraIDProfile,
  const Id extends GivenId = GivenId,
>(options: MicrosoftEntraIDOptions<P> & { id?: Id } = {}): Preset<OIDCConfig<P>, 'microsoft-entra-id', Id> {
  const issuer = options.issuer ?? `${host}/common/v2.0`
  const issuerTemplate = sharedIssuers.get(issuer.replace(/\/$/, ''))
  const size = options.profilePhotoSize ?? 48
  return {
    id: 'microsoft-entra-id',
    name: 'Microsoft Entra ID',
    type: 'oidc',
    issuer,
    authorization: { params: { scope: 'openid profile email User.Read' } },
    profile: readStandardUser,
    style: { brandColor: '#0072c6' },
    [preset]: {
      ...(issuerTemplate !== undefined && { issuerTemplate }),
      complete: (profile, tokens, send) =>
        addPhoto(issuerTemplate ? checkAddress(profile) : profile, tokens, send, size),
    },
    options,
  }
}

/** Any tenant's administrator can set any address; Entra says by a claim when it has checked who owns the domain. */
function checkAddress(profile: Profile): Profile {
  const isChecked = ['true', '1'].includes(String(profile.xms_edov))
  return isChecked ? profile : { ...profile, email_verified: false }
}

/** Adds the photo. A failure must not prevent the sign-in, so the profile then stays without one. */
async function addPhoto(
  profile: Profile,
  tokens: TokenSet,
  send: typeof fetch,
  size: number,
): Promise<Profile> {
  try {
    const answer = await send(`https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
      redirect: 'manual',
    })
    const type = /^image\/[\w.+-]+/.exec(answer.headers.get('content-type') ?? '')?.[0]
    if (!answer.ok || type === undefined) return profile
    const photo = new Uint8Array(await answer.arrayBuffer())
    if (photo.length > largestPhoto) return profile
    const binary = Array.from(photo, (byte) => String.fromCharCode(byte)).join('')
    return { ...profile, picture: `data:${type};base64,${btoa(binary)}` }
  } catch {
    return profile
  }
}
