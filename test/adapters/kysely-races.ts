import { type Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { deleteExpired, kyselyAdapter } from '../../src/adapters/kysely.ts'

/** Races on a database server. `open` returns a store with empty tables and several connections. */
export function judgeKyselyRaces(name: string, open: () => Promise<Kysely<unknown>>): void {
  describe(`races on the Kysely adapter: ${name}`, { timeout: 60_000 }, () => {
    const many = Array.from({ length: 200 }, (_, n) => n)
    const user = { id: 'u', email: 'ada@example.com', emailVerified: null }
    const expires = new Date('2030-01-01T00:00:00.500Z')
    const sessionOf = (n: number) => ({ sessionToken: `t${n}`, userId: 'u', expires })

    const openSeeded = async () => {
      const db = await open()
      const store = kyselyAdapter(db)
      await store.createUser(user)
      const count = async (table: 'sessions' | 'users') => {
        const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)
        return Number(rows[0]?.n)
      }
      return { db, store, count }
    }

    /** @returns the message of each rejection */
    const failuresOf = (settled: readonly PromiseSettledResult<unknown>[]) =>
      settled.flatMap((each) => (each.status === 'rejected' ? [(each.reason as Error).message] : []))

    it('SU-01 a token is returned to one of 200 concurrent callers, and none gets an error', async () => {
      const { store } = await openSeeded()
      const token = { identifier: user.email, token: 'h', expires }
      await store.createVerificationToken(token)
      const used = await Promise.all(many.map(async () => store.useVerificationToken(token)))
      expect(used.filter((each) => each !== null)).toEqual([token])
    })

    it('CC-01 CC-02 one of 200 concurrent creations of an address or an account succeeds, and the others say why not', async () => {
      const { store, count } = await openSeeded()
      const created = await Promise.allSettled(
        many.map(async (n) => store.createUser({ ...user, id: `n${n}`, email: 'new@example.com' })),
      )
      const account = { userId: 'u', type: 'oidc', provider: 'p', providerAccountId: '7' } as const
      const linked = await Promise.allSettled(many.map(async () => store.linkAccount(account)))
      for (const settled of [created, linked]) {
        const failures = failuresOf(settled)
        expect(failures).toHaveLength(199)
        for (const failure of failures) expect(failure).toMatch(/duplicate/i)
      }
      expect(await count('users')).toBe(2)
      expect(await store.listAccountsByUserId('u')).toHaveLength(1)
    })

    it('DEC-39c concurrent creations, extensions and deletions of the sessions of one user all succeed', async () => {
      const { store, db } = await openSeeded()
      await Promise.all(many.map(async (n) => store.createSession(sessionOf(n))))
      const settled = await Promise.allSettled([
        ...many.map(async (n) => {
          if (n % 20 === 0) return store.deleteSessionsByUserId('u')
          if (n % 3 === 0) return store.deleteSession(`t${n}`)
          if (n % 3 === 1) return store.updateSession({ sessionToken: `t${n}`, expires: new Date(n) })
          return store.createSession(sessionOf(n + 200))
        }),
        deleteExpired(db, expires),
      ])
      expect(failuresOf(settled)).toEqual([])
    })

    it('CC-04 a user who is deleted while sessions are opened leaves no session', async () => {
      const { store, count } = await openSeeded()
      await Promise.allSettled(
        many.map(async (n) => (n === 100 ? store.deleteUser('u') : store.createSession(sessionOf(n)))),
      )
      expect([await count('users'), await count('sessions')]).toEqual([0, 0])
    })
  })
}
