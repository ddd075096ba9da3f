import type { AuthConfig } from '../../src/types/config.ts'
import type { EmailConfig, EmailProviderSendVerificationRequestParams } from '../../src/types/provider.ts'
import type { Agent } from './browser-agent.ts'
import { csrfOf, origin, type App, type AppOptions, type openApp } from './app.ts'

export type Mail = EmailProviderSendVerificationRequestParams

/** An e-mail provider that collects its messages in a list. */
export function mailProvider(mails: Mail[], more: Partial<EmailConfig> = {}): EmailConfig {
  return {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    sendVerificationRequest: (mail) => void mails.push(mail),
    ...more,
  }
}

/** An application with e-mail sign-in, and the messages it sent. */
export function openMailApp(
  open: typeof openApp,
  { mail, ...options }: AppOptions & { readonly mail?: Partial<EmailConfig> } = {},
): App & { readonly mails: Mail[] } {
  const mails: Mail[] = []
  const providers: AuthConfig['providers'] = [mailProvider(mails, mail)]
  return { ...open({ strategy: 'database', providers, ...options }), mails }
}

/** Requests a link. @returns the response */
export async function askForLink(
  agent: Agent,
  email: string,
  form: Record<string, string> = {},
  provider = 'mail',
) {
  const csrfToken = await csrfOf(agent)
  return agent.send(`/auth/signin/${provider}`, { form: { csrfToken, email, ...form } })
}

/** The path of a mailed link, with some of its parameters changed or removed. */
export function pathOf({ url }: Pick<Mail, 'url'>, change: Record<string, string | undefined> = {}): string {
  const link = new URL(url)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) link.searchParams.delete(name)
    else link.searchParams.set(name, value)
  }
  return link.href.slice(origin.length)
}
