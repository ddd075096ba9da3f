import { expect } from 'vitest'
import { readForms } from '../../../fuzz/world/forms.ts'
import { type App, type AppOptions, issuer, origin, sessionOf, signIn } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { codeOf, enrol, enterCode, withFactor } from '../../support/second-factor.ts'
import { claimsOf, heldSession } from '../../support/session-cookie.ts'
import { scenario, type Stage } from '../scenario.ts'

const page = `${origin}/auth/account`
const client = { type: 'oidc', issuer, clientId: 'client', clientSecret: 'client-secret' } as const
const providers = [
  { id: 'idp', name: 'Idp', ...client },
  { id: 'second', name: 'Second', ...client },
]
const strategies = ['database', 'jwt-stored'] as const
/** Seconds after which a sign-in is no longer recent. */
const late = 901

/** Ada is signed in and has linked both providers. */
async function openAda(open: Stage['open'], { config, ...options }: AppOptions = {}) {
  const app = open({ strategy: 'database', providers, ...options, config: { accountPage: true, ...config } })
  const agent = app.agent()
  await signIn(app, agent)
  await signIn(app, agent, 'second', { link: 'true' })
  app.events.length = 0
  return { app, agent }
}

async function readPage(agent: Agent) {
  const html = await (await agent.send('/auth/account')).text()
  return { html, forms: readForms(html) }
}

/** Sends a form of the page, or a change that the page does not offer. */
async function change(agent: Agent, name: string, more: Readonly<Record<string, string>> = {}) {
  const { forms } = await readPage(agent)
  const csrfToken = forms[0]?.fields['csrfToken'] ?? ''
  const form = forms.find(({ fields }) => fields['change'] === name) ?? {
    fields: { csrfToken, change: name },
  }
  return agent.send('/auth/account', { form: { ...form.fields, ...more } })
}

const locationOf = (response: Response) => response.headers.get('location')
const factorsOf = async ({ store, rows }: App) => store.getFactor(rows.users()[0]?.id ?? '')
const readCodes = (html: string) =>
  [...html.matchAll(/<code[^>]*>([a-z2-7-]{27})<\/code>/g)].map(([, code = '']) => code)

/** The data of the event. */
const changesOf = ({ events }: App) =>
  events.flatMap(({ event, message }) => (event === 'updateSecondFactor' ? [message['change']] : []))

const deletion = { confirmation: 'ada@example.com' }
const signInPage = `${origin}/auth/signin?${new URLSearchParams({ error: 'SessionRequired', callbackUrl: page })}`
const factorPage = `${origin}/auth/factor?${new URLSearchParams({ callbackUrl: page })}`

/** A recent sign-in, and the second factor, on the account page. */
export const accountProtectionScenarios = [
  ...strategies.map((strategy) =>
    scenario(
      `ACP-13 a sign-in that is not recent changes nothing that protects the account (${strategy})`,
      async ({ open }) => {
        const { app, agent } = await openAda(open, { strategy })
        app.clock.advance(late)
        for (const name of ['unlink', 'delete-user', 'renew-recovery-codes', 'remove-factor']) {
          expect(locationOf(await change(agent, name, deletion))).toBe(signInPage)
          expect(app.ended()).toBe('anonymous')
        }
        expect([app.rows.users().length, app.rows.accounts().length]).toEqual([1, 2])
        expect((await change(agent, 'end-other-sessions')).status).toBe(strategy === 'database' ? 302 : 422)
        await signIn(app, agent)
        expect(locationOf(await change(agent, 'unlink'))).toBe(page)
        await change(agent, 'delete-user', deletion)
        expect([app.ended(), app.rows.users()]).toEqual(['deleted', []])
      },
    ),
  ),

  scenario('ACP-13 the time of a sign-in survives the extension of the session', async ({ open }) => {
    const { app, agent } = await openAda(open, { strategy: 'jwt-stored' })
    const claims = await claimsOf(app, heldSession(agent))
    app.clock.advance(late)
    await sessionOf(agent)
    expect(await claimsOf(app, heldSession(agent))).toMatchObject({
      amr: ['fed'],
      auth_time: claims['auth_time'],
    })
    expect(locationOf(await change(agent, 'delete-user', deletion))).toBe(signInPage)
  }),

  scenario('ACP-13 with a second factor, a recent sign-in without it does not suffice', async ({ open }) => {
    for (const strategy of strategies) {
      const config = withFactor({ rememberFor: 86_400 })
      const { app, agent } = await openAda(open, { strategy, config })
      const { secret } = await enrol(app, agent)
      const laptop = app.agent()
      await signIn(app, laptop)
      await enterCode(laptop, codeOf(secret, app.clock.now()), { remember: 'true' })
      app.clock.advance(30)
      await signIn(app, laptop)
      expect(await sessionOf(laptop)).toMatchObject({ amr: ['fed'] })
      for (const name of ['unlink', 'delete-user', 'renew-recovery-codes', 'remove-factor']) {
        expect(locationOf(await change(laptop, name, deletion))).toBe(factorPage)
        expect(app.ended()).toBe('challenged')
      }
      expect(app.rows.accounts()).toHaveLength(2)
      expect(await factorsOf(app)).not.toBeNull()
      const response = await enterCode(laptop, codeOf(secret, app.clock.now()), { callbackUrl: page })
      expect(locationOf(response)).toBe(page)
      await change(laptop, 'delete-user', deletion)
      expect(app.ended()).toBe('deleted')
    }
  }),

  scenario('ACP-14 EVT-012 a user turns the second factor on, and off again', async ({ open }) => {
    const { app, agent } = await openAda(open, { config: withFactor() })
    const { html } = await readPage(agent)
    const enrolment = `${origin}/auth/factor-enrolment?${new URLSearchParams({ callbackUrl: page })}`
    expect(html).toContain(`href="${enrolment}"`)
    expect(html).not.toContain('Recovery codes left')
    expect(locationOf(await change(agent, 'remove-factor'))).toBe(page)
    expect(locationOf(await change(agent, 'renew-recovery-codes'))).toBe(page)
    expect(await factorsOf(app)).toBeNull()
    const { secret, recovery } = await enrol(app, agent)
    expect((await readPage(agent)).html).toContain('Recovery codes left: 10.')
    const waiting = app.agent()
    await signIn(app, waiting)
    expect(locationOf(await change(agent, 'remove-factor'))).toBe(page)
    expect([await factorsOf(app), app.ended()]).toEqual([null, 'changed'])
    expect(changesOf(app)).toEqual(['enrolled', 'removed'])
    await enterCode(waiting, codeOf(secret, app.clock.now()))
    await enterCode(waiting, recovery[0] ?? '')
    expect(await sessionOf(waiting)).toBeNull()
    await signIn(app, waiting)
    expect(await sessionOf(waiting)).toMatchObject({ user: { name: 'Ada' } })
  }),

  scenario(
    'ACP-14 EVT-012 a second factor that another request changed meanwhile is not turned off',
    async ({ open }) => {
      /** An action after each read of the factor. */
      const meanwhile: (() => Promise<unknown>)[] = []
      const { app, agent } = await openAda(open, {
        config: withFactor(),
        wrap: (store) => ({
          ...store,
          async getFactor(id) {
            const found = (await store.getFactor?.(id)) ?? null
            await meanwhile.shift()?.()
            return found
          },
        }),
      })
      const { secret } = await enrol(app, agent)
      const laptop = app.agent()
      await signIn(app, laptop)
      const showPage = async () => undefined
      meanwhile.push(showPage, async () => enterCode(laptop, codeOf(secret, app.clock.now())))
      const refused = await change(agent, 'remove-factor')
      expect([refused.status, await refused.text()]).toEqual([
        422,
        expect.stringContaining('Your second factor is still on'),
      ])
      expect(await factorsOf(app)).not.toBeNull()
      expect(changesOf(app)).toEqual(['enrolled'])
      expect(locationOf(await change(agent, 'remove-factor'))).toBe(page)
      expect([await factorsOf(app), changesOf(app)]).toEqual([null, ['enrolled', 'removed']])
    },
  ),

  scenario(
    'ACP-14 SF-06 EVT-012 new recovery codes replace the earlier ones, and the app stays',
    async ({ open }) => {
      const { app, agent } = await openAda(open, { config: withFactor() })
      const { secret, recovery } = await enrol(app, agent)
      const response = await change(agent, 'renew-recovery-codes')
      expect([response.status, app.ended()]).toEqual([200, 'codesShown'])
      expect(response.headers.get('cache-control')).toContain('no-store')
      const html = await response.text()
      const codes = readCodes(html)
      expect(changesOf(app)).toEqual(['enrolled', 'codes-renewed'])
      expect(JSON.stringify(app.events)).not.toContain(codes[0])
      expect([codes.length, new Set([...codes, ...recovery]).size]).toEqual([10, 20])
      expect(html).toContain(`href="${page}"`)
      expect((await readPage(agent)).html).not.toContain(codes[0])
      const enter = async (code: string) => {
        const other = app.agent()
        await signIn(app, other)
        await enterCode(other, code)
        return sessionOf(other)
      }
      expect(await enter(recovery[0] ?? '')).toBeNull()
      expect(await enter(codes[0] ?? '')).toMatchObject({ user: { name: 'Ada' } })
      expect(await enter(codeOf(secret, app.clock.now()))).toMatchObject({ user: { name: 'Ada' } })
      expect((await readPage(agent)).html).toContain('Recovery codes left: 9.')
    },
  ),

  scenario(
    'ACP-14 EVT-012 of two requests for recovery codes at the same time, one shows codes',
    async ({ open }) => {
      const { app, agent } = await openAda(open, { config: withFactor() })
      await enrol(app, agent)
      const { forms } = await readPage(agent)
      const form = forms.find(({ fields }) => fields['change'] === 'renew-recovery-codes')?.fields ?? {}
      const ask = async () => readCodes(await (await agent.send('/auth/account', { form })).text())
      const shown = await Promise.all([ask(), ask()])
      const [codes = []] = shown.filter(({ length }) => length > 0)
      const other = app.agent()
      await signIn(app, other)
      await enterCode(other, codes[0] ?? '')
      expect(changesOf(app)).toEqual(['enrolled', 'codes-renewed', 'code-used'])
      expect([shown.flat().length, await sessionOf(other)]).toMatchObject([10, { user: {} }])
    },
  ),

  scenario('ACP-01 ACP-14 the device and the sign-in of a session survive a code', async ({ open }) => {
    const session = { describe: () => ({ device: 'Phone' }) }
    const { app, agent } = await openAda(open, { config: { ...withFactor(), session } })
    const [, signedIn = ''] = /Signed in (<time[^>]*>)/.exec((await readPage(agent)).html) ?? []
    app.clock.advance(60)
    await enrol(app, agent)
    expect((await readPage(agent)).html).toContain(`Phone, this device</strong></p><p>Signed in ${signedIn}`)
  }),

  scenario('ACP-14 without secondFactor, the page has no such section', async ({ open }) => {
    const { agent } = await openAda(open)
    expect((await readPage(agent)).html).not.toContain('Second factor')
  }),
]
