import { describe, expect, it } from 'vitest'
import { AccountNotLinked, OAuthAccountNotLinked } from '../../src/errors.ts'
import { decideLinkFor, type LinkQuestion } from '../../src/flows/shared/linking.ts'
import type { AdapterUser } from '../../src/types/adapter.ts'

const person = (id: string): AdapterUser => ({ id, email: `${id}@example.com`, emailVerified: null })
const [owner, currentUser, addressee] = ['owner', 'current', 'addressee'].map(person)

const ask = (question: Partial<LinkQuestion>) =>
  decideLinkFor({ type: 'oauth', provider: { allowDangerousEmailAccountLinking: true }, ...question })

const refusals = {
  oauth: OAuthAccountNotLinked,
  oidc: OAuthAccountNotLinked,
  feature: AccountNotLinked,
} as const
const types = ['oauth', 'oidc', 'feature'] as const

describe('decideLink', () => {
  it.each(types)(
    'AL-02 signs the owner of a linked %s account in, no matter which user has the address',
    (type) => {
      expect(ask({ type, owner })).toEqual({ kind: 'returning', member: owner })
      expect(ask({ type, owner, addressee })).toEqual({ kind: 'returning', member: owner })
      expect(ask({ type, owner, currentUser: owner })).toEqual({ kind: 'returning', member: owner })
    },
  )

  it.each(types)('creates a user for a first sign-in of %s', (type) => {
    expect(ask({ type })).toEqual({ kind: 'new' })
  })

  it.each(types)(
    'AL-05 links an account of %s to the signed-in user, but never moves it from its owner',
    (type) => {
      expect(ask({ type, currentUser, addressee })).toEqual({ kind: 'link', member: currentUser })
      const decision = ask({ type, owner, currentUser })
      const failure = decision.kind === 'taken' ? decision.failure : undefined
      expect(failure).toBeInstanceOf(refusals[type])
      expect(failure?.message).toMatch('The account is linked to another user')
    },
  )

  it('AL-01 links by address only if the provider allows it', () => {
    const allow = (allowDangerousEmailAccountLinking: boolean) => ({ allowDangerousEmailAccountLinking })
    for (const type of types) {
      expect(ask({ type, addressee, provider: allow(true) }).kind).toBe('link')
      expect(ask({ type, addressee, provider: allow(false) }).kind).toBe('taken')
    }
  })

  it.each(types)('AL-01 rejects %s with an error that gives the reason', (type) => {
    const decision = ask({ type, addressee, provider: { allowDangerousEmailAccountLinking: false } })
    const failure = decision.kind === 'taken' ? decision.failure : undefined
    expect(failure).toBeInstanceOf(refusals[type])
    expect(failure?.message).toMatch('Another user has the same e-mail address')
  })

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
    'AL-01 DEC-19b does not link by an address that the provider reports as unverified: %o',
    (profile, kind) => {
      expect(ask({ addressee, profile: profile as LinkQuestion['profile'] }).kind).toBe(kind)
    },
  )
})
