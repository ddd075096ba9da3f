import { describe, expect, it } from 'vitest'
import { AccountNotLinked, OAuthAccountNotLinked } from '../../src/errors.ts'
import { decideLinkFor, type LinkQuestion } from '../../src/linking/decide-link.ts'
import type { AdapterUser } from '../../src/types/adapter.ts'
import type { ProviderType } from '../../src/types/records.ts'

const person = (id: string): AdapterUser => ({ id, email: `${id}@example.com`, emailVerified: null })
const [owner, currentUser, addressee] = ['owner', 'current', 'addressee'].map(person)

const ask = (question: Partial<LinkQuestion>) =>
  decideLinkFor({ type: 'oauth', provider: { allowDangerousEmailAccountLinking: true }, ...question })

const types: readonly ProviderType[] = ['oauth', 'oidc', 'webauthn', 'email', 'credentials']
const refusals: Readonly<Record<ProviderType, new (message: string) => Error>> = {
  oauth: OAuthAccountNotLinked,
  oidc: OAuthAccountNotLinked,
  webauthn: AccountNotLinked,
  email: AccountNotLinked,
  credentials: AccountNotLinked,
}

describe('whose account it is', () => {
  it.each(types)(
    'AL-02 an account of %s that has an owner opens the owner, whoever has the address',
    (type) => {
      expect(ask({ type, owner })).toEqual({ kind: 'returning', member: owner })
      expect(ask({ type, owner, addressee })).toEqual({ kind: 'returning', member: owner })
      expect(ask({ type, owner, currentUser: owner })).toEqual({ kind: 'returning', member: owner })
    },
  )

  it.each(types)('a first sign-in of %s makes a user', (type) => {
    expect(ask({ type })).toEqual({ kind: 'new' })
  })

  it.each(['oauth', 'oidc', 'webauthn'] as const)(
    'AL-05 an account of %s goes to who is signed in, and not away from its owner',
    (type) => {
      expect(ask({ type, currentUser, addressee })).toEqual({ kind: 'link', member: currentUser })
      const decision = ask({ type, owner, currentUser })
      const failure = decision.kind === 'taken' ? decision.failure : undefined
      expect(failure).toBeInstanceOf(refusals[type])
      expect(failure?.message).toMatch('The account is already associated with another user')
    },
  )

  it.each(['email', 'credentials'] as const)('%s link nothing to who is signed in', (type) => {
    expect(ask({ type, currentUser })).toEqual({ kind: 'new' })
    expect(ask({ type, owner, currentUser })).toEqual({ kind: 'returning', member: owner })
  })

  it('AL-01 an address is enough by mail, at other providers where it is allowed, and never else', () => {
    const allow = (allowDangerousEmailAccountLinking: boolean) => ({ allowDangerousEmailAccountLinking })
    const goes = (type: ProviderType, allowed: boolean) =>
      ask({ type, addressee, provider: allow(allowed) }).kind
    expect(types.map((type) => [type, goes(type, true), goes(type, false)])).toEqual([
      ['oauth', 'link', 'taken'],
      ['oidc', 'link', 'taken'],
      ['webauthn', 'taken', 'taken'],
      ['email', 'link', 'link'],
      ['credentials', 'taken', 'taken'],
    ])
    expect(ask({ type: 'email', addressee })).toEqual({ kind: 'link', member: addressee })
  })

  it.each(types.filter((type) => type !== 'email'))(
    'AL-01 %s is refused by an error that says why',
    (type) => {
      const decision = ask({ type, addressee, provider: { allowDangerousEmailAccountLinking: false } })
      const failure = decision.kind === 'taken' ? decision.failure : undefined
      expect(failure).toBeInstanceOf(refusals[type])
      expect(failure?.message).toMatch('Another account already exists with the same e-mail address')
    },
  )

  it.each([
    [undefined, 'link'],
    [{}, 'link'],
    [{ email_verified: true }, 'link'],
    [{ email_verified: false }, 'taken'],
    [{ email_verified: 'false' }, 'taken'],
    [{ email_verified: 'true' }, 'link'],
    ...[null, 0, 1, '0', '1', '', 'no', 'TRUE', {}, []].map(
      (email_verified) => [{ email_verified }, 'taken'] as const,
    ),
  ] as const)(
    'AL-01 DEC-19b an address that the provider says is not verified is nobody’s: %o',
    (profile, kind) => {
      expect(ask({ addressee, profile: profile as LinkQuestion['profile'] }).kind).toBe(kind)
    },
  )
})
