import Passkey from '../../../src/providers/passkey.ts'
import WebAuthn from '../../../src/providers/webauthn.ts'
import type { WebAuthnUserConfig } from '../../../src/types/provider.ts'
import { csrfOf, openApp, origin, type App, type AppOptions } from '../app.ts'
import type { Agent } from '../browser-agent.ts'
import {
  openAuthenticator,
  type Answer,
  type Authenticator,
  type Faults,
  type Options,
} from './authenticator.ts'

export const challengeCookie = '__Secure-authjs.challenge'

interface PasskeyAppOptions extends AppOptions {
  readonly webauthn?: WebAuthnUserConfig
}

/** What `openApp` takes, for an application with passkeys beside its identity provider. */
export function withPasskeys({ webauthn, ...options }: PasskeyAppOptions = {}): AppOptions {
  return {
    strategy: 'database',
    ...options,
    config: { experimental: { enableWebAuthn: true }, ...options.config },
    providers: [
      Passkey(webauthn),
      // Only one provider can offer passkeys by itself.
      WebAuthn({ enableConditionalUI: false, ...webauthn }),
      {
        id: 'idp',
        name: 'Idp',
        type: 'oidc',
        issuer: 'https://idp.test',
        clientId: 'client',
        clientSecret: 'client-secret',
      },
      ...(options.providers ?? []),
    ],
  }
}

/** Somebody at a browser, with an authenticator at hand. */
export interface Person {
  readonly agent: Agent
  readonly device: Authenticator
}

export function sitDown(app: App, device = openAuthenticator(origin)): Person {
  return { agent: app.agent(), device }
}

/** Asks for options. */
export async function askOptions(
  agent: Agent,
  fields: Record<string, string> = {},
  provider = 'passkey',
): Promise<{
  readonly status: number
  readonly action?: string
  readonly options: Options
  readonly error?: string
}> {
  const response = await agent.send(`/auth/webauthn-options/${provider}?${new URLSearchParams(fields)}`)
  const body = (await response.json()) as { action?: string; options: Options; error?: string }
  return { status: response.status, ...body }
}

/** Posts an answer of the authenticator, as the page's script does. */
export async function postAnswer(
  agent: Agent,
  action: string,
  answer: Answer | string,
  { provider = 'passkey', ...form }: Record<string, string> = {},
): Promise<Response> {
  const csrfToken = await csrfOf(agent)
  const data = typeof answer === 'string' ? answer : JSON.stringify(answer)
  return agent.send(`/auth/callback/${provider}`, { form: { csrfToken, action, data, ...form } })
}

/** A whole ceremony, whichever the options name. */
export async function perform(
  { agent, device }: Person,
  fields: Record<string, string> = {},
  faults: Faults = {},
  form: Record<string, string> = {},
): Promise<Response> {
  const { action = '', options } = await askOptions(agent, fields, form.provider)
  const answer = action === 'register' ? device.create(options, faults) : device.get(options, faults)
  return postAnswer(agent, action, answer, form)
}

/** Somebody who registered with an address, and is signed in. */
export async function register(app: App, email = 'ada@example.com', device?: Authenticator): Promise<Person> {
  const person = sitDown(app, device)
  await perform(person, { email })
  return person
}

export type Opened = ReturnType<typeof openApp>
