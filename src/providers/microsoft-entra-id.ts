import type { OIDCConfig, OIDCUserConfig } from '../types/provider.ts'
import type { Profile, ProviderProfile, TokenSet } from '../types/records.ts'
import { readStandardUser } from './base.ts'
import { preset, type Preset } from './preset.ts'

/** Claims of Entra's id_token, beside the standard ones. */
export interface MicrosoftEntraIDProfile extends ProviderProfile {
  sub: string
  /** The tenant. */
  tid: string
  /** The user across the applications of the tenant. */
  oid?: string
}

interface MicrosoftEntraIDOptions<P> extends OIDCUserConfig<P> {
  /** Pixels of the square photo. @default 48 */
  readonly profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648
}

const host = 'https://login.microsoftonline.com'

/** Issuers that are no tenant's own, and the one that their metadata and tokens name: of all personal accounts, the last. */
const sharedIssuers: ReadonlyMap<string, string> = new Map([
  [`${host}/common/v2.0`, `${host}/{tenantid}/v2.0`],
  [`${host}/organizations/v2.0`, `${host}/{tenantid}/v2.0`],
  [`${host}/consumers/v2.0`, `${host}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`],
])

/** A session cookie holds about 20 kB of photo; a larger one would cost the sign-in. */
const largestPhoto = 16 * 1024

/**
 * Sign in with Microsoft Entra ID, work, school and personal accounts.
 *
 * Register an application at https://entra.microsoft.com, with the web redirect URI
 * `https://<host>/auth/callback/microsoft-entra-id`.
 *
 * Options: `clientId`, `clientSecret`, `issuer` (one tenant: `https://login.microsoftonline.com/<tenant id>/v2.0`; the
 * default admits every tenant, `tenants` restricts that), `profilePhotoSize`, and any of `OIDCUserConfig`. Claims: sub,
 * name, email; the photo comes from Microsoft Graph, as a data URI. Addresses are what a tenant's administrator typed:
 * never combine several tenants with `allowDangerousEmailAccountLinking`.
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc
 * @example providers: [MicrosoftEntraID({ clientId: '...', clientSecret: '...', issuer: '...' })]
 */
export default function MicrosoftEntraID<P extends MicrosoftEntraIDProfile = MicrosoftEntraIDProfile>(
  options: MicrosoftEntraIDOptions<P> = {},
): Preset<OIDCConfig<P>> {
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
      complete: (profile, tokens, send) => addPhoto(profile, tokens, send, size),
    },
    options,
  }
}

/** A photo is no reason to turn somebody away: whatever goes wrong, the profile stays without. */
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
