import Passkey from '../../../src/providers/passkey.ts'
import WebAuthn from '../../../src/providers/webauthn.ts'
import type { Adapter, AdapterAuthenticator, AdapterUser } from '../../../src/types/adapter.ts'
import type { WebAuthnUserConfig } from '../../../src/types/provider.ts'
import { csrfOf, issuer, origin, type App, type AppOptions } from '../app.ts'
import type { Agent } from '../browser-agent.ts'
import {
  openAuthenticator,
  type Answer,
  type Authenticator,
  type Faults,
  type Options,
} from '../../../fuzz/world/webauthn/authenticator.ts'

export const challengeCookie = '__Secure-authjs.challenge'
const client = { issuer, clientId: 'client', clientSecret: 'client-secret' }

interface PasskeyAppOptions extends AppOptions {
  /** Options that both WebAuthn providers share. */
  readonly webauthn?: WebAuthnUserConfig
}

/** Options of `openApp` for an application with passkeys and security keys in addition to its identity provider. */
export function withPasskeys({ webauthn, ...options }: PasskeyAppOptions = {}): AppOptions {
  return {
    strategy: 'database',
    ...options,
    config: { experimental: { enableWebAuthn: true }, ...options.config },
    providers: [
      Passkey(webauthn),
      // Only one provider can use conditional UI.
      WebAuthn({ enableConditionalUI: false, ...webauthn }),
      { id: 'idp', name: 'Idp', type: 'oidc', ...client },
      ...(options.providers ?? []),
    ],
  }
}

/** A custom getUserInfo: the name of a known user selects that user's ceremony. */
export function knowing(users: () => readonly AdapterUser[]): WebAuthnUserConfig {
  return {
    getUserInfo({ url }) {
      const email = url.searchParams.get('email')
      if (email === null) return null
      const user = users().find(({ name }) => name === email)
      return user ? { user, exists: true } : { user: { email }, exists: false }
    },
  }
}

/** A person at a browser with an authenticator. */
export interface Person {
  readonly agent: Agent
  readonly device: Authenticator
}

export function createPerson(app: App, device = openAuthenticator(origin)): Person {
  return { agent: app.agent(), device }
}

export interface AnsweredOptions {
  readonly status: number
  readonly action?: string
  readonly options: Options
  readonly error?: string
}

/** Requests passkey options. */
export async function askOptions(
  agent: Agent,
  fields: Record<string, string> = {},
  provider = 'passkey',
): Promise<AnsweredOptions> {
  const response = await agent.send(`/auth/webauthn-options/${provider}?${new URLSearchParams(fields)}`)
  const body = (await response.json()) as Omit<AnsweredOptions, 'status'>
  return { status: response.status, ...body }
}

/** Posts the authenticator's response, as the page's script does. */
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

export interface Ceremony {
  /** For the options. */
  readonly fields?: Record<string, string>
  readonly faults?: Faults
  /** For the callback. */
  readonly form?: Record<string, string>
  readonly provider?: string
}

/** Performs the complete ceremony that the options name. */
export async function perform({ agent, device }: Person, ceremony: Ceremony = {}): Promise<Response> {
  const { fields, faults, form, provider = 'passkey' } = ceremony
  const { action = '', options } = await askOptions(agent, fields, provider)
  const answer = action === 'register' ? device.create(options, faults) : device.get(options, faults)
  return postAnswer(agent, action, answer, { provider, ...form })
}

/** Registers a person with an address, who is then signed in. */
export async function register(
  app: App,
  email = 'ada@example.com',
  device?: Authenticator,
  provider?: string,
): Promise<Person> {
  const person = createPerson(app, device)
  await perform(person, { fields: { action: 'register', email }, provider })
  return person
}

/** The authenticators of a user, by default of the first one in the store. */
export async function authenticatorsOf(
  app: App,
  userId = app.rows.users()[0]?.id ?? '',
): Promise<AdapterAuthenticator[]> {
  return app.store.listAuthenticatorsByUserId(userId)
}

/** A store with one method that is replaced once the store is armed. */
export function breakable(operation: keyof Adapter, instead: (...args: never[]) => unknown) {
  let isArmed = false
  return {
    arm: () => void (isArmed = true),
    wrap(store: Adapter): Adapter {
      const own = store[operation] as (...args: never[]) => unknown
      return { ...store, [operation]: (...args: never[]) => (isArmed ? instead(...args) : own(...args)) }
    },
  }
}
