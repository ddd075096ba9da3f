import Apple from '../../src/providers/apple.ts'
import Auth0 from '../../src/providers/auth0.ts'
import GitHub from '../../src/providers/github.ts'
import Google from '../../src/providers/google.ts'
import Keycloak from '../../src/providers/keycloak.ts'
import MicrosoftEntraID from '../../src/providers/microsoft-entra-id.ts'
import type { Preset } from '../../src/provider-base/preset.ts'
import type { OAuthConfig, OIDCUserConfig } from '../../src/types/provider.ts'
import type { User } from '../../src/types/records.ts'

export interface Sample {
  /** The id in environment variables and URLs. */
  readonly id: string
  /** The label of the button. */
  readonly name: string
  /** The preset, as an entry of `providers`. */
  readonly make: (
    options?: Pick<OIDCUserConfig<never>, 'clientId' | 'clientSecret' | 'issuer'>,
  ) => Preset<OAuthConfig<never>>
  /** The claim that identifies the account. */
  readonly key: string
  /** The response that the provider's documentation shows. */
  readonly claims: Record<string, unknown>
  readonly user: User
}

/** Every preset, with a documented response and the resulting user. */
export const samples: readonly Sample[] = [
  {
    // https://docs.github.com/en/rest/users/users#get-the-authenticated-user
    id: 'github',
    name: 'GitHub',
    make: GitHub,
    key: 'id',
    claims: {
      login: 'octocat',
      id: 1,
      avatar_url: 'https://github.com/images/error/octocat_happy.gif',
      name: 'monalisa octocat',
      email: 'octocat@github.com',
    },
    user: {
      id: '1',
      name: 'monalisa octocat',
      email: 'octocat@github.com',
      image: 'https://github.com/images/error/octocat_happy.gif',
    },
  },
  {
    // https://developers.google.com/identity/openid-connect/openid-connect#an-id-tokens-payload
    id: 'google',
    name: 'Google',
    make: Google,
    key: 'sub',
    claims: {
      iss: 'https://accounts.google.com',
      sub: '10769150350006150715113082367',
      email: 'jsmith@example.com',
      email_verified: true,
      name: 'Jane Smith',
      picture: 'https://lh3.googleusercontent.com/a/photo',
      hd: 'example.com',
    },
    user: {
      id: '10769150350006150715113082367',
      name: 'Jane Smith',
      email: 'jsmith@example.com',
      image: 'https://lh3.googleusercontent.com/a/photo',
    },
  },
  {
    // https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple
    id: 'apple',
    name: 'Apple',
    make: Apple,
    key: 'sub',
    claims: {
      iss: 'https://appleid.apple.com',
      sub: '001999.4bdf4c1a5ed04a9a8bd1b4b2a7f1a6ef.1234',
      email: 'abc123@privaterelay.appleid.com',
      email_verified: true,
      is_private_email: true,
      user: { name: { firstName: 'Mona', lastName: 'Lisa' } },
    },
    user: {
      id: '001999.4bdf4c1a5ed04a9a8bd1b4b2a7f1a6ef.1234',
      name: 'Mona Lisa',
      email: 'abc123@privaterelay.appleid.com',
      image: null,
    },
  },
  {
    // https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference
    id: 'microsoft-entra-id',
    name: 'Microsoft Entra ID',
    make: MicrosoftEntraID,
    key: 'sub',
    claims: {
      iss: 'https://login.microsoftonline.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0',
      sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
      name: 'Abe Lincoln',
      preferred_username: 'AbeLi@microsoft.com',
      email: 'abeli@microsoft.com',
      oid: '00000000-0000-0000-66f3-3332eca7ea81',
      tid: '9122040d-6c67-4c5b-b112-36a304b66dad',
    },
    user: {
      id: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
      name: 'Abe Lincoln',
      email: 'abeli@microsoft.com',
      image: null,
    },
  },
  {
    // https://auth0.com/docs/secure/tokens/id-tokens/id-token-structure
    id: 'auth0',
    name: 'Auth0',
    make: Auth0,
    key: 'sub',
    claims: {
      nickname: 'jane.doe',
      name: 'Jane Doe',
      picture: 'https://example.com/jane.png',
      email: 'jane.doe@example.com',
      email_verified: true,
      sub: 'auth0|5f7c8ec7c33c6c004bbafe82',
    },
    user: {
      id: 'auth0|5f7c8ec7c33c6c004bbafe82',
      name: 'Jane Doe',
      email: 'jane.doe@example.com',
      image: 'https://example.com/jane.png',
    },
  },
  {
    // https://www.keycloak.org/docs/latest/server_admin/#_oidc (a user without a full name)
    id: 'keycloak',
    name: 'Keycloak',
    make: Keycloak,
    key: 'sub',
    claims: {
      sub: '4f3d1c0e-8f31-4ae3-b5f6-4b5a0a6d8c2e',
      preferred_username: 'alice',
      email: 'alice@example.org',
      email_verified: false,
    },
    user: {
      id: '4f3d1c0e-8f31-4ae3-b5f6-4b5a0a6d8c2e',
      name: 'alice',
      email: 'alice@example.org',
      image: null,
    },
  },
]
