import type {
  EmailChange,
  EmailChangeLinkParams,
  EmailChangeNoticeParams,
} from '../../src/features/email-change/types.ts'
import { type App, type AppOptions, csrfOf, issuer, type openApp, origin, sessionOf, signIn } from './app.ts'
import type { Agent } from './browser-agent.ts'

export const newAddress = 'ada@new.example'
export const oldAddress = 'ada@example.com'

/** An application whose users change their address, and the mails that it sent. */
export interface ChangeApp extends App {
  readonly links: EmailChangeLinkParams[]
  readonly notices: EmailChangeNoticeParams[]
}

interface ChangeLinks {
  readonly links: readonly Pick<EmailChangeLinkParams, 'url'>[]
}

const client = { type: 'oidc', issuer, clientId: 'client', clientSecret: 'client-secret' } as const

export function openChangeApp(
  open: typeof openApp,
  { emailChange, ...options }: AppOptions & { readonly emailChange?: Partial<EmailChange> } = {},
): ChangeApp {
  const links: EmailChangeLinkParams[] = []
  const notices: EmailChangeNoticeParams[] = []
  const change: EmailChange = {
    sendLink: (link) => void links.push(link),
    sendNotice: (notice) => void notices.push(notice),
    ...emailChange,
  }
  const app = open({
    strategy: 'database',
    providers: [{ id: 'idp', name: 'Idp', ...client }],
    ...options,
    config: { emailChange: change, ...options.config },
  })
  return { ...app, links, notices }
}

/** Ada is signed in on two devices. */
export async function openAda(...given: Parameters<typeof openChangeApp>) {
  const app = openChangeApp(...given)
  const [agent, laptop] = [app.agent(), app.agent()]
  for (const each of [agent, laptop]) await signIn(app, each)
  app.events.length = 0
  return { app, agent, laptop }
}

/** Requests a link. @returns the response */
export async function requestChange(agent: Agent, email = newAddress, more: Record<string, string> = {}) {
  const form = { csrfToken: await csrfOf(agent), email, ...more }
  return agent.send('/auth/email-change', { form })
}

/** The path of the last link, or of another one. */
export function pathOf({ links }: ChangeLinks, at = -1): string {
  return (links.at(at)?.url ?? '').slice(origin.length)
}

/** The token of the last link, or of another one. */
export function tokenOf(app: ChangeLinks, at = -1): string {
  return new URL(pathOf(app, at), origin).searchParams.get('token') ?? ''
}

/** Sends the form of a link. @returns the response */
export async function confirmChange(agent: Agent, token: string, more: Record<string, string> = {}) {
  const form = { csrfToken: await csrfOf(agent), token, ...more }
  return agent.send('/auth/email-change-confirm', { form })
}

/** Requests a link, and sends its form. @returns the response */
export async function changeAddress(app: ChangeApp, agent: Agent, email?: string) {
  await requestChange(agent, email)
  return confirmChange(agent, tokenOf(app))
}

/** The address that the session of a browser shows. */
export async function addressOf(agent: Agent): Promise<string | undefined> {
  return ((await sessionOf(agent))?.['user'] as { email?: string } | undefined)?.email
}
