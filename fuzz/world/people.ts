import type { IdpUser } from './idp/contract.ts'

/** A user, with an identity at each provider of the world. No two users share an address. */
export interface Person {
  readonly name: 'ada' | 'bob' | 'eve'
  /** The address at each provider. */
  readonly address: Readonly<Record<ProviderName, string>>
  readonly password: string
}

/** The providers that an application of the world may have. */
export const providerNames = ['alpha', 'beta', 'plain', 'mail', 'form', 'passkey'] as const
export type ProviderName = (typeof providerNames)[number]
/** The providers that browsers are redirected to: two for OpenID Connect, and one that only supports OAuth 2.0. */
export type RemoteName = Extract<ProviderName, 'alpha' | 'beta' | 'plain'>

function person(name: Person['name']): Person {
  const at = (provider: ProviderName) => [provider, `${name}@${provider}.example`] as const
  return {
    name,
    address: Object.fromEntries(providerNames.map(at)) as Record<ProviderName, string>,
    password: `the password of ${name}`,
  }
}

/** Two honest users, and an attacker with ordinary accounts. */
export const people = { ada: person('ada'), bob: person('bob'), eve: person('eve') } as const

/** Returns the person with this address. */
export function ownerOf(address: unknown): Person | undefined {
  return Object.values(people).find((each) => Object.values(each.address).includes(String(address)))
}

/** Returns the person who registers passkeys with this address. */
export function registrantOf(address: string): Person | undefined {
  return Object.values(people).find((each) => each.address.passkey === address)
}

/** Returns the users of an identity provider. */
export function usersOf(provider: RemoteName): IdpUser[] {
  return Object.values(people).map(({ name, address }) => ({
    sub: `${name}-at-${provider}`,
    claims: { name, email: address[provider], email_verified: true },
  }))
}
