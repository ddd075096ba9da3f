import { expectNull, expectNothing, expectRecord, expectSame, expectThrow } from './expect.ts'
import { expires, later, nobody, openSession, other, seed, session, untyped } from './records.ts'
import { type AdapterRule, rule } from './rule.ts'

/** The rules for sessions. */
export const sessionsRules: readonly AdapterRule[] = [
  rule({
    proves: ['OI-19'],
    name: 'session tokens are compared case-sensitively',
    guards: true,
    uses: ['createUser', 'createSession', 'getSessionAndUser'],
    async run(store) {
      await openSession(store)
      for (const token of ['token-1', 'TOKEN-1', 'Token-1 ', ' Token-1', 'Token', 'Token%', 'Token_1'])
        expectNull(`getSessionAndUser of ${token}`, await store.getSessionAndUser(token))
    },
  }),
  rule({
    proves: ['ADP-014', 'REC-030'],
    name: 'createSession returns the session',
    uses: ['createUser', 'createSession'],
    async run(store) {
      const { id } = await seed(store)
      const created = await store.createSession({ ...session, userId: id })
      expectRecord('createSession', created, { ...session, userId: id })
    },
  }),
  rule({
    proves: ['ADP-014'],
    name: 'createSession throws for a duplicate token, and leaves that session unchanged',
    guards: true,
    uses: ['createUser', 'createSession', 'getSessionAndUser'],
    async run(store) {
      const { userId } = await openSession(store)
      const second = await store.createUser(other)
      await expectThrow('createSession with a taken token', () =>
        store.createSession({ ...session, userId: second.id, expires: later }),
      )
      const found = await store.getSessionAndUser('Token-1')
      expectRecord('the session', found?.session, { ...session, userId })
    },
  }),
  rule({
    proves: ['ADP-014'],
    name: 'createSession throws for an unknown user',
    guards: true,
    uses: ['createUser', 'createSession', 'getSessionAndUser'],
    async run(store) {
      await seed(store)
      await expectThrow('createSession for an unknown user', () =>
        store.createSession({ ...session, userId: nobody }),
      )
      expectNull('getSessionAndUser', await store.getSessionAndUser('Token-1'))
    },
  }),
  rule({
    proves: ['ADP-015', 'REC-028'],
    name: 'getSessionAndUser returns both, or null for an unknown, empty or missing token',
    guards: true,
    uses: ['createUser', 'createSession', 'getSessionAndUser'],
    async run(store) {
      const created = await seed(store)
      const second = await store.createUser(other)
      await store.createSession({ ...session, sessionToken: 'Token-2', userId: second.id, expires: later })
      await store.createSession({ ...session, userId: created.id })
      const found = await store.getSessionAndUser('Token-1')
      expectRecord('the user', found?.user, created)
      expectRecord('the session', found?.session, { ...session, userId: created.id })
      for (const token of ['', 'nothing', untyped<string>(undefined)])
        expectNull('getSessionAndUser of an unknown token', await store.getSessionAndUser(token))
    },
  }),
  rule({
    proves: ['ADP-016'],
    name: 'updateSession changes the given members, even to an earlier time',
    uses: ['createUser', 'createSession', 'updateSession', 'getSessionAndUser'],
    async run(store) {
      const { userId } = await openSession(store)
      for (const until of [later, expires]) {
        const changed = await store.updateSession({
          sessionToken: 'Token-1',
          expires: until,
          userId: undefined,
        })
        if (changed !== undefined)
          expectRecord('updateSession', changed, { sessionToken: 'Token-1', userId, expires: until })
        const found = await store.getSessionAndUser('Token-1')
        expectRecord('the session', found?.session, { userId, expires: until })
      }
    },
  }),
  rule({
    proves: ['ADP-016'],
    name: 'updateSession returns nothing for a deleted session, and creates none',
    uses: ['createUser', 'createSession', 'updateSession', 'getSessionAndUser'],
    async run(store) {
      const { userId } = await openSession(store)
      const gone = await store.updateSession({ sessionToken: 'gone', expires, userId })
      expectNothing('updateSession of a missing session', gone)
      expectNull('getSessionAndUser', await store.getSessionAndUser('gone'))
    },
  }),
  rule({
    proves: ['CC-04'],
    name: 'concurrent updateSession and deleteSession calls leave no row',
    guards: true,
    uses: ['createUser', 'createSession', 'updateSession', 'deleteSession', 'getSessionAndUser'],
    async run(store) {
      const { id } = await seed(store)
      for (const first of ['update', 'delete', 'update', 'delete']) {
        await store.createSession({ ...session, userId: id })
        const update = async () => store.updateSession({ sessionToken: 'Token-1', expires: later })
        const remove = async () => store.deleteSession('Token-1')
        await Promise.all(first === 'update' ? [update(), remove()] : [remove(), update()])
        expectNull('getSessionAndUser', await store.getSessionAndUser('Token-1'))
      }
    },
  }),
  rule({
    proves: ['CC-05'],
    name: 'of several concurrent extensions, the latest one wins',
    guards: true,
    uses: ['createUser', 'createSession', 'updateSession', 'getSessionAndUser'],
    async run(store) {
      await openSession(store)
      const times = Array.from({ length: 20 }, (_, second) => new Date(later.getTime() + second * 1000))
      await Promise.all(
        times.map(async (until) => store.updateSession({ sessionToken: 'Token-1', expires: until })),
      )
      expectSame('the expiry', (await store.getSessionAndUser('Token-1'))?.session.expires, times.at(-1))
    },
  }),
  rule({
    proves: ['ADP-017'],
    name: 'deleteSession removes that session, and does not throw if there is none',
    guards: true,
    uses: ['createUser', 'createSession', 'deleteSession', 'getSessionAndUser'],
    async run(store) {
      const { userId } = await openSession(store)
      await store.createSession({ ...session, sessionToken: 'Token-2', userId })
      await store.deleteSession('Token-1')
      expectNull('getSessionAndUser', await store.getSessionAndUser('Token-1'))
      expectSame('the user of the other session', (await store.getSessionAndUser('Token-2'))?.user.id, userId)
      expectNothing('deleteSession of a deleted session', await store.deleteSession('Token-1'))
    },
  }),
  rule({
    proves: ['OPT-046'],
    name: 'listSessionsByUserId lists the sessions of the user, or none for an unknown one',
    guards: true,
    uses: ['createUser', 'createSession', 'updateSession', 'deleteSession', 'listSessionsByUserId'],
    async run(store) {
      const { id } = await seed(store)
      const second = await store.createUser(other)
      expectSame('the sessions of a user without any', await store.listSessionsByUserId(id), [])
      await store.createSession({ ...session, userId: id })
      await store.createSession({ ...session, sessionToken: 'Token-2', userId: second.id })
      await store.createSession({ ...session, sessionToken: 'Token-3', userId: id })
      await store.updateSession({ sessionToken: 'Token-3', expires: later })
      const list = async (userId: string) =>
        (await store.listSessionsByUserId(userId)).toSorted((a, b) =>
          a.sessionToken < b.sessionToken ? -1 : 1,
        )
      const listed = await list(id)
      expectSame('the number of sessions of the user', listed.length, 2)
      expectRecord('a session', listed[0], { ...session, userId: id })
      expectRecord('an extended session', listed[1], {
        sessionToken: 'Token-3',
        userId: id,
        expires: later,
      })
      await store.deleteSession('Token-3')
      const tokensOf = async (userId: string) => (await list(userId)).map(({ sessionToken }) => sessionToken)
      expectSame('the remaining sessions', await tokensOf(id), ['Token-1'])
      expectSame('the sessions of the other user', await tokensOf(second.id), ['Token-2'])
      for (const userId of [nobody, '', untyped<string>(undefined)])
        expectSame('the sessions of an unknown user', await store.listSessionsByUserId(userId), [])
    },
  }),
  rule({
    proves: ['CC-04', 'OPT-046'],
    name: 'concurrent updateSession calls do not restore the sessions that deleteSessionsByUserId or deleteUser removes',
    guards: true,
    uses: [
      ...(['createUser', 'createSession', 'updateSession', 'listSessionsByUserId'] as const),
      ...(['deleteSessionsByUserId', 'deleteUser', 'getSessionAndUser'] as const),
    ],
    async run(store) {
      for (const isFirst of [true, false]) {
        const { id } = await seed(store)
        const removals = {
          deleteSessionsByUserId: async () => store.deleteSessionsByUserId(id),
          deleteUser: async () => store.deleteUser(id),
        }
        for (const [name, remove] of Object.entries(removals)) {
          await store.createSession({ ...session, userId: id })
          const update = async () => store.updateSession({ sessionToken: 'Token-1', expires: later })
          await Promise.all(isFirst ? [update(), remove()] : [remove(), update()])
          expectNull(`getSessionAndUser after ${name}`, await store.getSessionAndUser('Token-1'))
          expectSame(`the sessions after ${name}`, await store.listSessionsByUserId(id), [])
        }
      }
    },
  }),
  rule({
    proves: ['DEC-39c'],
    name: 'deleteSessionsByUserId removes only that user’s sessions, and does not throw if there are none',
    guards: true,
    uses: ['createUser', 'createSession', 'deleteSessionsByUserId', 'getSessionAndUser'],
    async run(store) {
      const { userId } = await openSession(store)
      const second = await store.createUser(other)
      await store.createSession({ ...session, sessionToken: 'Token-2', userId })
      await store.createSession({ ...session, sessionToken: 'Token-3', userId: second.id })
      await store.deleteSessionsByUserId(nobody)
      await store.deleteSessionsByUserId(userId)
      for (const sessionToken of ['Token-1', 'Token-2'])
        expectNull(`getSessionAndUser of ${sessionToken}`, await store.getSessionAndUser(sessionToken))
      expectSame(
        'the user of the other session',
        (await store.getSessionAndUser('Token-3'))?.user.id,
        second.id,
      )
      await store.deleteSessionsByUserId(userId)
      await store.createSession({ ...session, userId })
      expectSame('the user of a new session', (await store.getSessionAndUser('Token-1'))?.user.id, userId)
    },
  }),
]
