import { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createIdp } from '../../fuzz/world/idp/idp.ts'
import { locationOf } from '../flows/expectations.ts'
import { csrfOf, issuer, origin, sessionOf, startSignIn } from '../support/app.ts'
import { type Agent, openAgent } from '../support/browser-agent.ts'
import { copyCookies, followLink } from '../support/follow-link.ts'
import { askForLink } from '../support/mail.ts'
import { askForCode, enterPhoneCode } from '../support/phone.ts'
import { newPassword, requestLink } from '../support/passwords.ts'
import type { Message } from './messages.ts'
import { type Processes, startProcesses } from './processes.ts'
import { openPostgresStore, type SharedStore } from './stores.ts'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

type Sent = Extract<Message, { kind: 'message' }>

const count = 4
const people = Array.from({ length: 50 }, (_, n) => `person${n}`)
const emailOf = (person: string) => `${person}@example.com`
const numberOf = (person: string) => `+4917012${String(people.indexOf(person)).padStart(5, '0')}`

const idp = createIdp({
  issuer,
  clients: [{ id: 'client', secret: 'client-secret' }],
  users: people.map((sub) => ({ sub, claims: { name: sub, email: emailOf(sub), email_verified: true } })),
})
const sent: Sent[] = []
const sentTo = (to: string) =>
  sent.findLast((message) => message.to === to) ?? expect.fail(`nothing for ${to}`)

/** Every way to sign in for the first time, up to the first gate. */
const ways: Readonly<Record<string, (agent: Agent, person: string) => Promise<Response>>> = {
  async provider(agent, person) {
    const url = locationOf(await startSignIn(agent)).href
    idp.choose(person)
    const { parameters } = await idp.authorize(url)
    return agent.send(`/auth/callback/idp?${parameters}`)
  },
  async link(agent, person) {
    await askForLink(agent, emailOf(person))
    return followLink(agent, sentTo(emailOf(person)).url)
  },
  async code(agent, person) {
    await askForLink(agent, emailOf(person), {}, 'code')
    const code = sentTo(emailOf(person)).token
    return agent.send('/auth/callback/code', { form: { csrfToken: await csrfOf(agent), code } })
  },
  async password(agent, person) {
    await requestLink(agent, emailOf(person))
    const fields = Object.fromEntries(new URL(sentTo(emailOf(person)).url).searchParams)
    const form = { csrfToken: await csrfOf(agent), ...fields, password: newPassword }
    return agent.send('/auth/password-reset/password', { form })
  },
  async phone(agent, person) {
    await askForCode(agent, numberOf(person))
    return enterPhoneCode(agent, sentTo(numberOf(person)).token)
  },
}
const way = (person: string) => Object.keys(ways)[people.indexOf(person) % Object.keys(ways).length] as string
const enter = (agent: Agent, person: string) => (ways[way(person)] as (typeof ways)[string])(agent, person)

async function post(agent: Agent, gate: string, answer: Readonly<Record<string, string>>) {
  return agent.send(`/auth/${gate}`, { form: { csrfToken: await csrfOf(agent), ...answer } })
}
async function userOf(agent: Agent) {
  return Object((await sessionOf(agent))?.['user']) as {
    readonly id?: string
    readonly email?: string | null
  }
}
const invite = (agent: Agent, code: string) => post(agent, 'invitation', { code })
const accept = (agent: Agent) => post(agent, 'terms', { accept: 'yes' })
const gateOf = (response: Response) => locationOf(response).pathname

describe('gates, in 4 processes with one PostgreSQL', () => {
  let store: SharedStore
  let processes: Processes
  let site: Pool

  beforeAll(async () => {
    store = await openPostgresStore()
    site = new Pool({ connectionString: store.url })
    site.on('error', () => {})
    await site.query('create table invitations (code text primary key)')
    processes = await startProcesses(count, store.url, idp, {
      program: 'gates-process.ts',
      hear: (message) => message.kind === 'message' && sent.push(message),
    })
  })
  afterAll(async () => {
    await processes.stop()
    await site.end()
    await store.stop()
  })
  beforeEach(async () => {
    await store.clear()
    await site.query('delete from invitations')
    sent.length = 0
    processes.errors.length = 0
  })

  /** Creates invitations, and returns a function that counts those that still work. */
  async function createInvitations(codes: readonly string[]) {
    for (const code of codes) await site.query('insert into invitations values ($1)', [code])
    return async () => (await site.query('select code from invitations')).rowCount
  }
  /** A browser, each of whose requests goes to the next process. */
  function agentAt(first: number): Agent {
    let next = first
    return openAgent(origin, (request) => processes.handle((next += 1))(request))
  }
  const rows = async () => ({
    users: (await store.rowsOf('users')).length,
    sessions: (await store.rowsOf('sessions')).length,
  })

  it('FT-01 FT-03 FT-04 admit 50 people at the same time, each as themselves, by every way to sign in', async () => {
    const left = await createInvitations(people)
    const agents = people.map((_, n) => agentAt(n))
    const held = await Promise.all(people.map((person, n) => enter(agents[n] as Agent, person)))
    expect(held.map(gateOf)).toEqual(people.map(() => '/auth/invitation'))
    expect([await rows(), await left()]).toEqual([{ users: 0, sessions: 0 }, people.length])

    const invited = await Promise.all(people.map((person, n) => invite(agents[n] as Agent, person)))
    expect(invited.map(gateOf)).toEqual(people.map(() => '/auth/terms'))
    expect([await rows(), await left()]).toEqual([{ users: 0, sessions: 0 }, 0])

    await Promise.all(agents.map(accept))
    const users = await Promise.all(agents.map(userOf))
    expect(users.map(({ email }) => email)).toEqual(
      people.map((person) => (way(person) === 'phone' ? null : emailOf(person))),
    )
    expect(new Set(users.map(({ id }) => id)).size).toBe(people.length)
    expect(await rows()).toEqual({ users: people.length, sessions: people.length })

    const again = people.map((_, n) => agentAt(n + 1))
    const back = await Promise.all(people.map((person, n) => enter(again[n] as Agent, person)))
    expect(back.map(gateOf)).not.toContainEqual(expect.stringMatching(/invitation|terms/))
    expect((await Promise.all(again.map(userOf))).map(({ id }) => id)).toEqual(users.map(({ id }) => id))
    expect(processes.errors).toEqual([])
  })

  it.each(Object.keys(ways))(
    'FT-02 20 answers at the same time to one held sign-in open one session (%s)',
    async (name) => {
      const person = people.find((each) => way(each) === name) as string
      await createInvitations([person])
      const agent = agentAt(0)
      await enter(agent, person)
      await invite(agent, person)
      const tabs = Array.from({ length: 20 }, (_, n) => copyCookies(agent, agentAt(n)))
      await Promise.all(tabs.map(accept))
      expect(await rows()).toEqual({ users: 1, sessions: 1 })
      const admitted = (await Promise.all(tabs.map(userOf))).filter(({ id }) => id !== undefined)
      expect(admitted).toHaveLength(1)
      expect(processes.errors).toEqual([])
    },
  )

  it.each(Object.keys(ways))(
    'FT-02 FT-03 20 copies of an answer use one invitation once (%s)',
    async (name) => {
      const person = people.find((each) => way(each) === name) as string
      const left = await createInvitations([person, 'another'])
      const agent = agentAt(0)
      await enter(agent, person)
      const tabs = Array.from({ length: 20 }, (_, n) => copyCookies(agent, agentAt(n)))
      const invited = await Promise.all(tabs.map((tab) => invite(tab, person)))
      expect(invited.filter(({ status }) => status === 302)).toHaveLength(1)
      await Promise.all(tabs.map(accept))
      expect([await rows(), await left()]).toEqual([{ users: 1, sessions: 1 }, 1])
      expect(processes.errors).toEqual([])
    },
  )

  it('FT-01 one invitation admits one of 20 people who enter it at the same time', async () => {
    const left = await createInvitations(['only'])
    const crowd = people.slice(0, 20)
    const agents = crowd.map((_, n) => agentAt(n))
    await Promise.all(crowd.map((person, n) => enter(agents[n] as Agent, person)))
    await Promise.all(agents.map((agent) => invite(agent, 'only')))
    await Promise.all(agents.map(accept))
    expect([await rows(), await left()]).toEqual([{ users: 1, sessions: 1 }, 0])
    expect(processes.errors).toEqual([])
  })

  it('FT-03 no browser continues the held sign-in of another, in no process', async () => {
    const left = await createInvitations(people)
    const victims = people.slice(0, Object.keys(ways).length)
    for (const victim of victims) {
      const agent = agentAt(0)
      await enter(agent, victim)
      for (const process of Array.from({ length: count }).keys()) {
        const thief = agentAt(process)
        await csrfOf(thief)
        const csrf = thief.cookies()
        copyCookies(agent, thief)
        for (const [cookie, value] of Object.entries(csrf)) thief.set(`${cookie}=${value}; Path=/; Secure`)
        await invite(thief, victim)
        await accept(thief)
        expect(await sessionOf(thief)).toBeNull()
      }
    }
    expect([await rows(), await left()]).toEqual([{ users: 0, sessions: 0 }, people.length])
    expect(processes.errors).toEqual([])
  })
})
