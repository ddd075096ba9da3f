import { describe, expect, it } from 'vitest'
import { phone } from '../../docs/examples/features/phone.ts'
import { terms } from '../../docs/examples/features/terms.ts'
import { type App, type AppOptions, csrfOf, openApp, origin, sessionOf } from '../support/app.ts'
import type { Agent } from '../support/browser-agent.ts'
import { heldSession } from '../support/session-cookie.ts'

const ada = '+491701234567'

/** A site with phone codes, and the messages that it sends. */
function openPhones(options: AppOptions = {}) {
  const messages: { readonly to: string; readonly code: string }[] = []
  const way = phone({ send: async (message) => void messages.push(message) })
  const config = { ...options.config, features: [way, ...(options.config?.features ?? [])] }
  const app = openApp({ strategy: 'database', providers: [], ...options, config })
  return { app, messages, code: () => messages.at(-1)?.code ?? expect.fail() }
}

const post = async (agent: Agent, path: string, fields: Record<string, string>) =>
  agent.send(`/auth/${path}`, { form: { csrfToken: await csrfOf(agent), ...fields } })
const ask = (agent: Agent, number = ada, more: Record<string, string> = {}) =>
  post(agent, 'phone', { number, ...more })
const enter = (agent: Agent, code: string) => post(agent, 'phone-code', { code })
const locationOf = (response: Response) => response.headers.get('location')

describe('phone codes', () => {
  it('FT-08 sign in', async () => {
    const { app, code, messages } = openPhones()
    const agent = app.agent()
    const page = await (await agent.send('/auth/signin?callbackUrl=/home')).text()
    expect(page).toContain('Phone number')
    console.log(page.slice(page.indexOf('<form'), page.indexOf('</form>')))
    const sent = await ask(agent, '+49 170 1234567', { callbackUrl: '/home' })
    console.log(sent.status, locationOf(sent), app.ended(), app.errors, messages)
    const r = await enter(agent, code())
    console.log(r.status, locationOf(r), app.ended(), app.errors)
    expect(app.ended()).toBe('signedIn')
    console.log(await sessionOf(agent), app.rows.users(), app.events)
  })
})
