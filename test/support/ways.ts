import type { AuthConfig } from '../../src/types/config.ts'
import { csrfOf, signIn, type App, type AppOptions, type openApp } from './app.ts'
import type { Agent } from './browser-agent.ts'
import { confirmLink } from './follow-link.ts'
import { askForLink, mailProvider, pathOf, type Mail } from './mail.ts'
import { openPasswordApp, signIn as enterPassword } from './passwords.ts'
import { createPerson, perform, withPasskeys } from './webauthn/app.ts'

/** An application, and ways to sign in to it as one user. */
export interface Way {
  readonly app: App
  readonly enter: (agent: Agent) => Promise<Response>
  /** Further sign-ins as the same user. */
  readonly later?: readonly ((agent: Agent) => Promise<Response>)[]
}

type Given = [open: typeof openApp, strategy: AppOptions['strategy'], config: Partial<AuthConfig>]

const strategyOf = (strategy: AppOptions['strategy']) => ({ strategy })

/** Every way to sign in, each with an application of this configuration. */
export const ways: Readonly<Record<string, (...given: Given) => Promise<Way> | Way>> = {
  callback(open, strategy, config) {
    const app = open({ ...strategyOf(strategy), config })
    return { app, enter: (agent) => signIn(app, agent, 'idp', { callbackUrl: '/home' }) }
  },
  email(...given) {
    const { app, link, code, elsewhere } = openMails(...given)
    return { app, enter: link, later: [code, elsewhere] }
  },
  code(...given) {
    const { app, code } = openMails(...given)
    return { app, enter: code }
  },
  async credentials(open, strategy, config) {
    const authorize = () => ({ id: 'ada', email: 'ada@example.com' })
    const app = open({
      ...strategyOf(strategy),
      config,
      providers: [{ id: 'form', name: 'Form', type: 'credentials', credentials: {}, authorize }],
    })
    await app.store.createUser({ id: 'ada', email: 'ada@example.com', emailVerified: null })
    const enter = async (agent: Agent) =>
      agent.send('/auth/callback/form', { form: { csrfToken: await csrfOf(agent), callbackUrl: '/home' } })
    return { app, enter }
  },
  async password(open, strategy, config) {
    const app = openPasswordApp(open, { ...strategyOf(strategy), config })
    await app.addUser()
    const enter = async (agent: Agent) => {
      await agent.send('/auth/signin?callbackUrl=/home')
      return enterPassword(agent)
    }
    return { app, enter }
  },
  passkey(open, strategy, config) {
    const app = open(
      withPasskeys({
        ...strategyOf(strategy),
        config: { experimental: { enableWebAuthn: true }, ...config },
      }),
    )
    const person = createPerson(app)
    const enter = (agent: Agent) =>
      perform(
        { ...person, agent },
        app.rows.users().length === 0
          ? { fields: { action: 'register', email: 'ada@example.com' }, form: { callbackUrl: '/home' } }
          : { fields: { action: 'authenticate' }, form: { callbackUrl: '/home' } },
      )
    return { app, enter }
  },
}

/** An application that mails links and codes, and the ways to sign in with them. */
function openMails(...[open, strategy, config]: Given) {
  const mails: Mail[] = []
  const app = open({
    ...strategyOf(strategy),
    config,
    providers: [mailProvider(mails), mailProvider(mails, { id: 'code', method: 'code' })],
  })
  const link = async (agent: Agent) => {
    await askForLink(agent, 'ada@example.com', { callbackUrl: '/home' })
    return agent.send(pathOf(mails.at(-1) as Mail))
  }
  const code = async (agent: Agent) => {
    await askForLink(agent, 'ada@example.com', { callbackUrl: '/home' }, 'code')
    const form = { csrfToken: await csrfOf(agent), code: mails.at(-1)?.token ?? '' }
    return agent.send('/auth/callback/code', { form })
  }
  const elsewhere = async (agent: Agent) => {
    await askForLink(app.agent(), 'ada@example.com', { callbackUrl: '/home' })
    return confirmLink(agent, await agent.send(pathOf(mails.at(-1) as Mail)))
  }
  return { app, link, code, elsewhere }
}
