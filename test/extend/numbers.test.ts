import { describe, expect, it } from 'vitest'
import { terms } from '../../docs/examples/features/terms.ts'
import type { Adapter } from '../../src/types/adapter.ts'
import { csrfOf, openApp, sessionOf, signIn } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { askForLink, type Mail, mailProvider, pathOf } from '../support/mail.ts'
import { askForCode, enterPhoneCode, openPhones } from '../support/phone.ts'

/** An adapter whose users have numbers as ids, and that refuses other ids as a database would. */
function withNumbers(adapter: Required<Adapter>): Adapter {
  let last = 41
  const read = (id: unknown) => {
    if (typeof id !== 'number') throw new TypeError(`The id ${JSON.stringify(id)} is not a number`)
    return String(id)
  }
  const write = <T extends object | null | undefined>(row: T, name: 'id' | 'userId' = 'id'): T =>
    row ? { ...row, [name]: Number(Object(row)[name]) } : row
  return {
    createUser: async (user) => write(await adapter.createUser({ ...user, id: String(++last) })),
    getUser: async (id) => write(await adapter.getUser(read(id))),
    getUserByEmail: async (email) => write(await adapter.getUserByEmail(email)),
    getUserByAccount: async (account) => write(await adapter.getUserByAccount(account)),
    updateUser: async (user) => write(await adapter.updateUser({ ...user, id: read(user.id) })),
    deleteUser: async (id) => adapter.deleteUser(read(id)),
    linkAccount: async (row) => void (await adapter.linkAccount({ ...row, userId: read(row.userId) })),
    createSession: async (row) =>
      write(await adapter.createSession({ ...row, userId: read(row.userId) }), 'userId'),
    async getSessionAndUser(token) {
      const found = await adapter.getSessionAndUser(token)
      return found && { session: write(found.session, 'userId'), user: write(found.user) }
    },
    updateSession: async ({ userId: _owner, ...row }) => write(await adapter.updateSession(row), 'userId'),
    deleteSession: async (token) => void (await adapter.deleteSession(token)),
    createVerificationToken: adapter.createVerificationToken,
    useVerificationToken: adapter.useVerificationToken,
    getRecord: async (id, name) => (typeof id === 'number' ? adapter.getRecord(read(id), name) : null),
    setRecord: async (id, name, value, held) => adapter.setRecord(read(id), name, value, held),
    deleteRecord: async (id, name, held) => adapter.deleteRecord(read(id), name, held),
  }
}

const wrap = (adapter: Adapter) => withNumbers(adapter as Required<Adapter>)

async function accept(agent: Agent) {
  return agent.send('/auth/terms', { form: { csrfToken: await csrfOf(agent), accept: 'yes' } })
}

describe('with an adapter whose ids are numbers', () => {
  const features = [terms({ version: '1', url: '/terms' })]

  it('FT-03 FT-04 FT-06 a gate holds a new and a known user, and its record is found again', async () => {
    const app = openApp({ strategy: 'database', wrap, config: { features } })
    const first = app.agent()
    await signIn(app, first)
    await accept(first)
    expect([app.ended(), app.errors]).toEqual(['signedIn', []])
    expect(await app.store.getRecord('42', 'feature-terms')).not.toBeNull()
    const second = app.agent()
    await signIn(app, second)
    expect(app.ended()).toBe('signedIn')
    await app.store.deleteRecord('42', 'feature-terms')
    const third = app.agent()
    await signIn(app, third)
    expect(app.ended()).toBe('held')
    await accept(third)
    expect([app.ended(), app.errors]).toEqual(['signedIn', []])
    expect(await sessionOf(third)).toMatchObject({ user: { name: 'Ada' } })
  })

  it('FT-08 FT-10 FT-13 a feature signs in, and links', async () => {
    const providers = openApp().config.providers
    const { app, code } = openPhones({ wrap, providers, config: { features, accountPage: true } })
    const agent = app.agent()
    await askForCode(agent)
    await enterPhoneCode(agent, code())
    await accept(agent)
    expect([app.ended(), app.errors]).toEqual(['signedIn', []])
    await signIn(app, agent, 'idp', { link: 'true' })
    expect(app.rows.accounts().length).toBe(2)
    const other = app.agent()
    app.idp.choose('bob')
    await signIn(app, other)
    await accept(other)
    await askForCode(other, '+491709999999', { link: 'true' })
    await enterPhoneCode(other, code())
    expect([app.ended(), app.errors, app.rows.accounts().length]).toEqual(['signedIn', [], 4])
  })
  it('EM-05 STM-01 ADP-025 a mailed link signs in a new user', async () => {
    const mails: Mail[] = []
    const app = openApp({ strategy: 'database', wrap, providers: [mailProvider(mails)] })
    const agent = app.agent()
    await askForLink(agent, 'ada@example.com')
    await agent.send(pathOf(mails[0] ?? expect.fail()))
    expect([app.ended(), app.errors]).toEqual(['signedIn', []])
  })
})
