import type { IdpUser } from './idp/contract.ts'

/** Somebody, with an identity at each provider of the world; no two of them share an address. */
export interface Person {
  readonly name: 'ada' | 'bob' | 'eve'
  /** The address that comes from each provider. */
  readonly address: Readonly<Record<ProviderName, string>>
  readonly password: string
}

/** The providers that an application of the world may have. */
export const providerNames = ['alpha', 'beta', 'plain', 'mail', 'form', 'passkey'] as const
export type ProviderName = (typeof providerNames)[number]
/** Those to which a browser is sent away: two OpenID providers, and one that knows OAuth 2.0 alone. */
export type RemoteName = Extract<ProviderName, 'alpha' | 'beta' | 'plain'>

function person(name: Person['name']): Person {
  const at = (provider: ProviderName) => [provider, `${name}@${provider}.example`] as const
  return {
    name,
    address: Object.fromEntries(providerNames.map(at)) as Record<ProviderName, string>,
    password: `the password of ${name}`,
  }
}

/** Two honest users, and an attacker who has accounts like anybody else. */
export const people = { ada: person('ada'), bob: person('bob'), eve: person('eve') } as const

/** Who has this address? */
export function ownerOf(address: unknown): Person | undefined {
  return Object.values(people).find((each) => Object.values(each.address).includes(String(address)))
}

/** Who registers passkeys with this address? */
export function registrantOf(address: string): Person | undefined {
  return Object.values(people).find((each) => each.address.passkey === address)
}

/** What an identity provider knows of each. */
export function usersOf(provider: RemoteName): IdpUser[] {
  return Object.values(people).map(({ name, address }) => ({
    sub: `${name}-at-${provider}`,
    claims: { name, email: address[provider], email_verified: true },
  }))
}
