import { expect } from 'vitest'
import { readForms } from '../../../fuzz/world/forms.ts'
import { csrfOf, origin, signIn } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import {
  addressOf,
  changeAddress,
  confirmChange,
  newAddress,
  oldAddress,
  openAda,
  openChangeApp,
  requestChange,
  tokenOf,
} from '../../support/email-change.ts'
import { mailProvider } from '../../support/mail.ts'
import { codeOf, enrol, enterCode, withFactor } from '../../support/second-factor.ts'
import { heldSession, plant } from '../../support/session-cookie.ts'
import { type Call, failing, unreachable, watching } from '../../support/watch-store.ts'
import { scenario } from '../scenario.ts'

const strategies = ['database', 'jwt-stored'] as const
const form = `${origin}/auth/email-change`
const signInPage = `${origin}/auth/signin?${new URLSearchParams({ error: 'SessionRequired', callbackUrl: form })}`
const factorPage = `${origin}/auth/factor?${new URLSearchParams({ callbackUrl: form })}`
const unsent = `${origin}/auth/signin?error=EmailSignInError`

const locationOf = (response: Response) => response.headers.get('location')
const seen = async (response: Response) => [response.status, await response.text()] as const

/** Changes of the e-mail address: the request of a link. */
export const emailChangeRequestScenarios = [
  scenario('EC-01 without emailChange, the paths are not found', async ({ open }) => {
    const { app, agent } = await openAda(open, { config: { emailChange: undefined } })
    for (const path of ['/auth/email-change', '/auth/email-change-confirm'])
      for (const body of [undefined, { csrfToken: await csrfOf(agent), email: newAddress }])
        expect((await agent.send(path, { form: body })).status).toBe(404)
    expect(app.rows.tokens()).toEqual([])
  }),

  scenario(
    'EC-03 EC-06 EC-08 CC-10 a link changes the address, and the previous address gets a notice',
    async ({ open }) => {
      for (const strategy of strategies) {
        const { app, agent } = await openAda(open, { strategy })
        const [status, text] = await seen(await requestChange(agent, ' Ada@NEW.example '))
        expect([status, app.ended(), text.includes(newAddress)]).toEqual([200, 'linkMailed', true])
        const expires = new Date(app.clock.now() + 3_600_000)
        expect(app.links).toMatchObject([{ to: newAddress, expires, user: { email: oldAddress } }])
        expect(app.links[0]?.request.headers.get('cookie')).toContain('session-token')
        expect(app.links[0]?.url.startsWith(`${origin}/auth/email-change-confirm?token=`)).toBe(true)
        expect([app.notices, app.rows.users()[0]?.email]).toEqual([[], oldAddress])
        app.clock.advance(60)
        const now = new Date(app.clock.now())
        const [changed, page] = await seen(await confirmChange(agent, tokenOf(app)))
        expect([changed, app.ended(), page.includes(newAddress)]).toEqual([200, 'changed', true])
        expect(app.rows.users()).toMatchObject([{ email: newAddress, emailVerified: now, name: 'Ada' }])
        expect(app.events.filter(({ event }) => event === 'updateUser')).toMatchObject([
          { message: { user: { email: newAddress, name: 'Ada' } } },
        ])
        expect(app.notices).toMatchObject([
          { type: 'changed', to: oldAddress, newAddress, user: { email: newAddress } },
        ])
        expect(app.rows.tokens()).toEqual([])
      }
    },
  ),

  scenario('EC-02 a request without a session leads to the sign-in page and back', async ({ open }) => {
    for (const strategy of strategies) {
      const app = openChangeApp(open, { strategy })
      const agent = app.agent()
      for (const response of [await agent.send('/auth/email-change'), await requestChange(agent)]) {
        expect([locationOf(response), app.ended()]).toEqual([signInPage, 'anonymous'])
      }
      await signIn(app, agent)
      const html = await (await agent.send('/auth/email-change')).text()
      expect(app.ended()).toBe('awaitingAddress')
      expect(readForms(html)).toMatchObject([{ action: form, fields: { csrfToken: await csrfOf(agent) } }])
      expect(html).toContain(`<strong dir="ltr">${oldAddress}</strong>`)
      await app.store.deleteUser(app.rows.users()[0]?.id ?? '')
      expect(locationOf(await requestChange(agent))).toBe(signInPage)
      expect(app.links).toEqual([])
    }
  }),

  scenario(
    'EC-02 EC-05 an expired or invalid session, and that of a deleted user, mail and change nothing',
    async ({ open }) => {
      for (const strategy of strategies) {
        const { app, agent } = await openAda(open, { strategy })
        await requestChange(agent)
        const [late, stranger] = [app.agent(), app.agent()]
        await signIn(app, late)
        plant(stranger, 'unknown')
        const expectNobody = async (each: Agent) => {
          await requestChange(each, 'eve@evil.example')
          expect(app.ended()).toBe('anonymous')
          await confirmChange(each, tokenOf(app))
          expect(app.ended()).toBe('anonymous')
        }
        await expectNobody(stranger)
        const session = heldSession(late)
        app.clock.advance(31 * 86_400)
        plant(late, session)
        await expectNobody(late)
        const gone = app.agent()
        await signIn(app, gone)
        await app.store.deleteUser(app.rows.users()[0]?.id ?? '')
        await expectNobody(gone)
        expect([app.links.length, app.notices]).toEqual([1, []])
      }
    },
  ),

  scenario('EC-02 ACP-13 a request needs a recent sign-in', async ({ open }) => {
    for (const strategy of strategies) {
      const { app, agent } = await openAda(open, { strategy })
      app.clock.advance(901)
      for (const response of [await agent.send('/auth/email-change'), await requestChange(agent)])
        expect([locationOf(response), app.ended()]).toEqual([signInPage, 'anonymous'])
      await signIn(app, agent)
      expect((await requestChange(agent)).status).toBe(200)
      expect(app.links).toHaveLength(1)
    }
  }),

  scenario('EC-02 SF-13 a request needs the second factor of the user', async ({ open }) => {
    const { app, agent } = await openAda(open, { config: withFactor({ rememberFor: 86_400 }) })
    const { secret } = await enrol(app, agent)
    const phone = app.agent()
    await signIn(app, phone)
    await enterCode(phone, codeOf(secret, app.clock.now()), { remember: 'true' })
    app.clock.advance(30)
    await signIn(app, phone)
    expect([locationOf(await requestChange(phone)), app.ended()]).toEqual([factorPage, 'challenged'])
    expect(app.links).toEqual([])
    const response = await enterCode(phone, codeOf(secret, app.clock.now()), { callbackUrl: form })
    expect(locationOf(response)).toBe(form)
    expect((await requestChange(phone)).status).toBe(200)
    expect(app.links).toHaveLength(1)
  }),

  scenario('EC-02 TX-18 a form without the CSRF token of the browser sends nothing', async ({ open }) => {
    const { app, agent } = await openAda(open)
    for (const csrfToken of ['', 'f'.repeat(64)]) {
      await requestChange(agent, newAddress, { csrfToken })
      expect(app.ended()).toBe('refused')
    }
    expect([app.links, app.rows.tokens()]).toEqual([[], []])
  }),

  scenario(
    'EC-02 EC-03 the form is shown again for an invalid address, and for the current one',
    async ({ open }) => {
      const { app, agent } = await openAda(open)
      for (const [email, text] of [
        ['', 'Enter a complete email address'],
        ['ada', 'Enter a complete email address'],
        ['ada@new.example,eve@evil.example', 'Enter a complete email address'],
        ['ADA@example.com', 'This is already your email address.'],
      ] as const) {
        const [status, html] = await seen(await requestChange(agent, email))
        expect([status, app.ended(), html.includes(text)]).toEqual([422, 'awaitingAddress', true])
        // The user corrects what is wrong, and need not type it again.
        expect(readForms(html)).toMatchObject([{ fields: { email } }])
      }
      const csrfToken = await csrfOf(agent)
      const twice = new URLSearchParams({ csrfToken, email: newAddress })
      twice.append('email', 'eve@evil.example')
      const response = await agent.send('/auth/email-change', { form: twice })
      expect(response.status).toBe(422)
      expect([app.links, app.rows.tokens()]).toEqual([[], []])
    },
  ),

  scenario('EC-03 the address is normalised as for a sign-in by mail', async ({ open }) => {
    const normalizeIdentifier = (address: string) => `${address.split('@')[0]}@corp.example`
    const mail = mailProvider([], { normalizeIdentifier })
    const providers = [...(openChangeApp(open).config.providers ?? []), mail]
    const { app, agent } = await openAda(open, { providers })
    await changeAddress(app, agent, 'ada@anywhere.example')
    expect(app.rows.users()).toMatchObject([{ email: 'ada@corp.example' }])
  }),

  scenario('EC-04 IL-01 the response is the same for a taken address and a free one', async ({ open }) => {
    const calls: Call[] = []
    const { app, agent } = await openAda(open, { wrap: watching(calls) })
    const bob = app.agent()
    app.idp.choose('bob')
    await signIn(app, bob)
    const ask = async (email: string) => {
      const csrfToken = await csrfOf(agent)
      calls.length = 0
      const response = await requestChange(agent, email, { csrfToken })
      const operations = calls.map(({ operation }) => operation)
      return [response.status, (await response.text()).replaceAll(email, ''), operations, app.ended()]
    }
    const free = await ask('bob@new.example')
    const row = app.rows.tokens()
    expect(await ask('bob@example.com')).toEqual(free)
    expect(free.at(-1)).toBe('linkMailed')
    expect([app.links.map(({ to }) => to), app.rows.tokens().length]).toEqual([
      ['bob@new.example'],
      row.length,
    ])
    expect(app.notices).toMatchObject([{ type: 'taken', to: 'bob@example.com', user: { name: 'Bob' } }])
    // The newer request invalidates the link, as that for a free address does.
    await confirmChange(agent, tokenOf(app))
    expect([app.ended(), await addressOf(agent)]).toEqual(['invalid', oldAddress])
  }),

  scenario('EC-09 SU-11 a link whose mail could not be sent does not work', async ({ open }) => {
    const sent: string[] = []
    const sendLink = ({ url }: { readonly url: string }) => {
      sent.push(url)
      throw new Error('the mail server is down')
    }
    const { app, agent } = await openAda(open, { emailChange: { sendLink } })
    const response = await requestChange(agent)
    expect([locationOf(response), app.ended()]).toEqual([unsent, 'failed'])
    expect([app.rows.tokens(), app.notices]).toEqual([[], []])
    await confirmChange(agent, new URL(sent[0] ?? '').searchParams.get('token') ?? '')
    expect([app.ended(), await addressOf(agent)]).toEqual(['invalid', oldAddress])
  }),

  scenario('EC-04 EC-09 a failed notice to a taken address gets the same response', async ({ open }) => {
    const { app, agent } = await openAda(open, { emailChange: { sendNotice: unreachable } })
    const bob = app.agent()
    app.idp.choose('bob')
    await signIn(app, bob)
    expect(locationOf(await requestChange(agent, 'bob@example.com'))).toBe(unsent)
    expect([app.ended(), app.rows.tokens(), app.links]).toEqual(['failed', [], []])
  }),

  scenario('EC-10 OPT-003 rateLimit can refuse the mail and the use of a link', async ({ open }) => {
    const asked: unknown[] = []
    const allowed = { email: true, verification: true } as Record<string, boolean>
    const rateLimit = ({ request: _, ...attempt }: { request: Request; type: string }) => {
      asked.push(attempt)
      return allowed[attempt.type] ?? true
    }
    const { app, agent } = await openAda(open, { config: { callbacks: { rateLimit } } })
    allowed['email'] = false
    expect((await requestChange(agent)).status).toBe(302)
    expect([app.ended(), app.links, app.rows.tokens()]).toEqual(['denied', [], []])
    Object.assign(allowed, { email: true, verification: false })
    await changeAddress(app, agent)
    expect([app.ended(), app.rows.tokens().length, await addressOf(agent)]).toEqual(['denied', 1, oldAddress])
    const attempt = { provider: 'email-change', identifier: newAddress }
    expect(asked).toEqual([
      { type: 'email', ...attempt },
      { type: 'email', ...attempt },
      { type: 'verification', ...attempt },
    ])
    allowed['verification'] = true
    await confirmChange(agent, tokenOf(app))
    expect(app.ended()).toBe('changed')
  }),

  scenario('EC-01 FI-01 no mail is sent if the store fails when a link is requested', async ({ open }) => {
    const failures = { left: 0 }
    const { app, agent } = await openAda(open, { wrap: failing('createVerificationToken', failures) })
    failures.left = 1
    await requestChange(agent)
    expect([app.ended(), app.links]).toEqual(['faulted', []])
    await requestChange(agent)
    expect(app.links).toHaveLength(1)
  }),
]
