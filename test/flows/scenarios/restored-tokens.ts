import { expect } from 'vitest'
import { csrfOf, sessionOf } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { askForLink, type Mail, openMailApp, pathOf } from '../../support/mail.ts'
import { openPasswordApp, requestLink, sendNewPassword, signIn } from '../../support/passwords.ts'
import { failing, unreachable } from '../../support/watch-store.ts'
import { scenario } from '../scenario.ts'

const configuration = 'https://app.test/auth/error?error=Configuration'
const home = 'https://app.test/home'
const ada = 'ada@example.com'

const locationOf = (response: Response) => response.headers.get('location')

/** Links and codes whose sign-in fails on the server. */
export const restoredTokenScenarios = [
  scenario(
    'FI-09 SU-01 a link whose sign-in fails on the server works once more, in the same browser and in time',
    async ({ open }) => {
      // The user is looked up before the link is used up.
      const endings = {
        createSession: 'restored',
        getUserByEmail: 'faulted',
        createUser: 'restored',
      } as const
      for (const operation of ['createSession', 'getUserByEmail', 'createUser'] as const) {
        const failures = { left: 0 }
        const app = openMailApp(open, { wrap: failing(operation, failures) })
        const agent = app.agent()
        // Another link, so that the cookie is not removed as a whole.
        await askForLink(agent, 'other@example.com')
        await askForLink(agent, ada, { callbackUrl: '/home' })
        const mail = app.mails.at(-1) as Mail
        const before = app.rows.tokens()
        failures.left = 1
        expect(locationOf(await agent.send(pathOf(mail)))).toContain('/auth/error?error=')
        expect(app.ended()).toBe(endings[operation])
        expect(app.errors.at(-1)?.message).not.toBe('')
        expect(await sessionOf(agent)).toBeNull()
        expect(app.rows.tokens()).toHaveLength(before.length)
        expect(app.rows.tokens()).toEqual(expect.arrayContaining(before))
        // No confirmation page: the browser still counts as the one that requested the link.
        expect(locationOf(await agent.send(pathOf(mail)))).toBe(home)
        expect(await sessionOf(agent)).toMatchObject({ user: { email: ada } })
        await agent.send(pathOf(mail))
        const again = { csrfToken: await csrfOf(agent), token: mail.token, email: ada }
        await agent.send('/auth/callback/mail', { form: again })
        expect(app.ended()).toBe('invalid')
      }
    },
  ),

  scenario('FI-09 SU-03 a link that was stored again expires when it would have', async ({ open }) => {
    const failures = { left: 0 }
    const app = openMailApp(open, { wrap: failing('createSession', failures), mail: { maxAge: 60 } })
    const agent = app.agent()
    await askForLink(agent, ada)
    app.clock.advance(59)
    failures.left = 1
    await agent.send(pathOf(app.mails[0] as Mail))
    expect(app.ended()).toBe('restored')
    app.clock.advance(1)
    const form = { csrfToken: await csrfOf(agent), token: app.mails[0]?.token ?? '', email: ada }
    await agent.send('/auth/callback/mail', { form })
    expect(app.ended()).toBe('invalid')
  }),

  scenario(
    'FI-09 a link that another browser opens is stored again without a cookie of that browser',
    async ({ open }) => {
      const failures = { left: 0 }
      const app = openMailApp(open, { wrap: failing('createSession', failures) })
      await askForLink(app.agent(), ada)
      const other = app.agent()
      const form = { csrfToken: await csrfOf(other), token: app.mails[0]?.token ?? '', email: ada }
      failures.left = 1
      const response = await other.send('/auth/callback/mail', { form })
      expect([app.ended(), response.headers.getSetCookie()]).toEqual(['restored', []])
      await other.send(pathOf(app.mails[0] as Mail))
      expect(app.ended()).toBe('awaitingConfirmation')
      await other.send('/auth/callback/mail', { form })
      expect(app.ended()).toBe('signedIn')
    },
  ),

  scenario('FI-09 SU-07 a link also survives a fault while older links are removed', async ({ open }) => {
    let hits = 10
    const app = openMailApp(open, {
      mail: { supersedeLinks: true },
      wrap: (store) => ({
        ...store,
        useVerificationToken: (row) =>
          // The first call uses the link itself.
          ++hits === 2 ? unreachable() : (store.useVerificationToken?.(row) ?? null),
      }),
    })
    const agent = app.agent()
    // A known user, who would be admitted without the removal.
    await askForLink(agent, ada)
    await agent.send(pathOf(app.mails[0] as Mail))
    await askForLink(agent, ada)
    hits = 0
    await agent.send(pathOf(app.mails[1] as Mail))
    expect(app.ended()).toBe('restored')
    await agent.send(pathOf(app.mails[1] as Mail))
    expect(app.ended()).toBe('signedIn')
  }),

  scenario(
    'FI-09 SU-02 of two requests with a link, at most one signs in despite a fault',
    async ({ open }) => {
      const failures = { left: 0 }
      const app = openMailApp(open, { wrap: failing('createSession', failures) })
      const agents = [app.agent(), app.agent(), app.agent()]
      await askForLink(app.agent(), ada)
      const token = app.mails[0]?.token ?? ''
      for (const agent of agents) await agent.send(pathOf(app.mails[0] as Mail))
      failures.left = 1
      const follow = async (agent: Agent) =>
        agent.send('/auth/callback/mail', { form: { csrfToken: await csrfOf(agent), token, email: ada } })
      await Promise.all(agents.map(follow))
      await Promise.all(agents.map(follow))
      expect(app.rows.sessions()).toHaveLength(1)
      expect(app.rows.tokens()).toEqual([])
    },
  ),

  scenario('FI-09 FI-01 a link is lost only if it cannot be stored again', async ({ open }) => {
    const failures = { left: 0 }
    const app = openMailApp(open, {
      wrap: (store) =>
        failing('createVerificationToken', failures)(failing('createSession', failures)(store)),
    })
    const agent = app.agent()
    await askForLink(agent, ada)
    failures.left = 2
    expect(locationOf(await agent.send(pathOf(app.mails[0] as Mail)))).toBe(configuration)
    expect(app.ended()).toBe('faulted')
    expect(await sessionOf(agent)).toBeNull()
  }),

  scenario(
    'FI-09 CD-02 a right code whose sign-in fails on the server works once more, and uses up no attempt',
    async ({ open }) => {
      const failures = { left: 0 }
      const app = openMailApp(open, { mail: { method: 'code' }, wrap: failing('createSession', failures) })
      const agent = app.agent()
      await askForLink(agent, ada, { callbackUrl: '/home' })
      const code = app.mails[0]?.token ?? ''
      const before = app.rows.tokens()
      const enter = async () =>
        agent.send('/auth/callback/mail', { form: { csrfToken: await csrfOf(agent), code } })
      failures.left = 1
      await enter()
      expect([app.ended(), app.rows.tokens()]).toEqual(['restored', before])
      expect(locationOf(await enter())).toBe(home)
      expect(await sessionOf(agent)).toMatchObject({ user: { email: ada } })
      await enter()
      expect(app.ended()).toBe('invalid')
    },
  ),

  scenario(
    'FI-09 PW-08 a link for a password works once more until the password is stored',
    async ({ open }) => {
      for (const operation of ['setPassword', 'createUser'] as const) {
        const failures = { left: 0 }
        const app = openPasswordApp(open, { wrap: failing(operation, failures) })
        const agent = app.agent()
        await requestLink(agent)
        failures.left = 1
        await sendNewPassword(app, agent)
        expect(app.ended()).toBe('restored')
        await sendNewPassword(app, agent)
        expect(app.ended()).toBe('signedIn')
      }
      const failures = { left: 0 }
      const app = openPasswordApp(open, { wrap: failing('createSession', failures) })
      const agent = app.agent()
      await requestLink(agent)
      failures.left = 1
      await sendNewPassword(app, agent)
      expect(app.ended()).toBe('restored')
      await sendNewPassword(app, agent, { password: 'the password of an attacker' })
      expect(app.ended()).toBe('invalid')
      await signIn(app.agent(), ada, 'the password of an attacker')
      expect(app.ended()).toBe('declined')
    },
  ),
]
