import { hashPassword, Password, type PasswordLinkParams, type PasswordOptions } from '../../src/password.ts'
import type { AdapterUser } from '../../src/types/adapter.ts'
import { type App, type AppOptions, csrfOf, type openApp, origin } from './app.ts'
import type { Agent } from './browser-agent.ts'

/** Parameters with which hashing takes almost no time. */
export const parameters = '$scrypt$ln=4,r=8,p=1'
export const password = 'correct horse battery staple'
export const newPassword = 'a new password of mine'

/** An application with passwords, and the mails that it sent. */
export interface PasswordApp extends App {
  readonly mails: PasswordLinkParams[]
  /** Adds a user with a verified address and a password. */
  readonly addUser: (given?: Partial<AdapterUser> & { readonly password?: string | null }) => Promise<void>
}

interface PasswordMails {
  readonly mails: readonly Pick<PasswordLinkParams, 'url'>[]
}

export function openPasswordApp(
  open: typeof openApp,
  {
    passwords,
    providers = [],
    ...options
  }: AppOptions & { readonly passwords?: Partial<PasswordOptions> } = {},
): PasswordApp {
  const mails: PasswordLinkParams[] = []
  const provider = Password({ sendLink: (mail) => void mails.push(mail), parameters, ...passwords })
  const app = open({ strategy: 'database', providers: [...providers, provider], ...options })
  return {
    ...app,
    mails,
    async addUser({ password: given = password, ...user } = {}) {
      const ada = {
        id: 'ada',
        name: 'Ada',
        email: 'ada@example.com',
        emailVerified: new Date(Date.UTC(2029, 0)),
        image: null,
      }
      const { id } = await app.store.createUser({ ...ada, ...user })
      if (given !== null) await app.store.setPassword(id, await hashPassword(given, parameters))
    },
  }
}

type Fields = Record<string, string>

async function post(agent: Agent, action: string, fields: Fields) {
  return agent.send(`/auth/${action}/password`, { form: { csrfToken: await csrfOf(agent), ...fields } })
}

export async function signIn(agent: Agent, email = 'ada@example.com', given = password) {
  return post(agent, 'callback', { email, password: given })
}

/** Requests a link. */
export async function requestLink(agent: Agent, email = 'ada@example.com', more: Fields = {}) {
  return post(agent, 'password', { email, ...more })
}

/** Sends the form of the last link. */
export async function sendNewPassword(app: PasswordMails, agent: Agent, more: Fields = {}) {
  return post(agent, 'password-reset', { ...fieldsOf(app), password: newPassword, ...more })
}

/** Requests a link, and sends its form. */
export async function resetPassword(app: PasswordApp, agent: Agent, email?: string) {
  await requestLink(agent, email)
  return sendNewPassword(app, agent)
}

export async function changePassword(agent: Agent, more: Fields = {}) {
  return post(agent, 'password-change', { currentPassword: password, password: newPassword, ...more })
}

/** The path of the last link. */
export function pathOf({ mails }: PasswordMails): string {
  return (mails.at(-1)?.url ?? '').slice(origin.length)
}

/** The hidden fields of the page that the last link opens. */
export function fieldsOf(app: PasswordMails): Fields {
  return Object.fromEntries(new URL(pathOf(app), origin).searchParams)
}
