import { phone } from '../../docs/examples/features/phone.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import { type AppOptions, csrfOf, openApp } from './app.ts'
import type { Agent } from './browser-agent.ts'
import type { Way } from './ways.ts'

/** The number that most tests use. */
export const adaPhone = '+491701234567'

/** A message that the site has sent. */
export interface Message {
  readonly to: string
  readonly code: string
}

/** An application with phone codes only, and the messages that it has sent. Further features come first. */
export function openPhones(options: AppOptions = {}, open = openApp) {
  const messages: Message[] = []
  const way = phone({ send: async (message) => void messages.push(message) })
  const config: Partial<AuthConfig> = {
    ...options.config,
    features: [...(options.config?.features ?? []), way],
  }
  const app = open({ strategy: 'database', providers: [], ...options, config })
  return { app, messages, code: () => messages.at(-1)?.code ?? 'nothing was sent' }
}

/** Posts to a route of the feature, with the CSRF token of the browser. */
async function post(agent: Agent, path: string, fields: Readonly<Record<string, string>>) {
  return agent.send(`/auth/${path}`, { form: { csrfToken: await csrfOf(agent), ...fields } })
}

/** Asks for a code. */
export function askForCode(agent: Agent, number = adaPhone, fields: Readonly<Record<string, string>> = {}) {
  return post(agent, 'phone', { number, callbackUrl: '/home', ...fields })
}

/** Enters a code. */
export function enterPhoneCode(agent: Agent, code: string) {
  return post(agent, 'phone-code', { code })
}

/** Phone codes as a way to sign in. */
export function phoneWay(
  open: typeof openApp,
  strategy: AppOptions['strategy'],
  config: Partial<AuthConfig>,
): Way {
  const { app, code } = openPhones({ ...(strategy && { strategy }), config }, open)
  const enter = async (agent: Agent) => {
    await askForCode(agent)
    return enterPhoneCode(agent, code())
  }
  return { app, enter }
}
