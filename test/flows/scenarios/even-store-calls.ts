import { expect } from 'vitest'
import { Password } from '../../../src/password.ts'
import type { Adapter } from '../../../src/types/adapter.ts'
import { type App, csrfOf, signIn } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { mailProvider } from '../../support/mail.ts'
import { parameters, password } from '../../support/passwords.ts'
import { withFactor } from '../../support/second-factor.ts'
import { unreachable, watching, type Call } from '../../support/watch-store.ts'
import { withPasskeys } from '../../support/webauthn/app.ts'
import { scenario, type Stage } from '../scenario.ts'

type Send = (agent: Agent, email: string) => Promise<Response>

function post(path: string, more: Record<string, string> = {}): Send {
  return async (agent, email) =>
    agent.send(path, { form: { csrfToken: await csrfOf(agent), email, ...more } })
}

function get(path: string, more: Record<string, string> = {}): Send {
  return async (agent, email) => agent.send(`${path}?${new URLSearchParams({ email, ...more })}`)
}

/** The routes that accept an address that anyone can type. */
const routes: Readonly<Record<string, Send>> = {
  'a request for a link': post('/auth/signin/mail'),
  'a request to add an address': post('/auth/signin/mail', { link: 'true' }),
  'a request for a code': post('/auth/signin/code'),
  'a failed sign-in with a password': post('/auth/callback/password', { password: 'wrong' }),
  'a request for a password': post('/auth/password/password'),
  'a reset with an invalid link': post('/auth/password-reset/password', { token: 'invented', password }),
  'an invalid link': post('/auth/callback/mail', { token: 'invented' }),
  'passkey options': get('/auth/webauthn-options/passkey'),
  'passkey options to register': get('/auth/webauthn-options/passkey', { action: 'register' }),
}

const accountOf = (userId: string) =>
  ({ provider: 'idp', providerAccountId: userId, type: 'oidc', userId }) as const

async function addPasskey(store: Required<Adapter>, userId: string) {
  await store.linkAccount({ provider: 'passkey', providerAccountId: userId, type: 'webauthn', userId })
  await store.createAuthenticator({
    userId,
    credentialID: userId,
    providerAccountId: userId,
    credentialPublicKey: 'a2V5',
    counter: 0,
    credentialDeviceType: 'singleDevice',
    credentialBackedUp: false,
  })
}

/** How each user got the address, by the name of the user. Nobody has the address of `nobody`. */
const origins: Readonly<Record<string, (store: Required<Adapter>, id: string) => Promise<unknown>>> = {
  proven: async (store, id) => store.updateUser({ id, emailVerified: new Date(1) }),
  registered: async (store, id) => {
    await store.updateUser({ id, emailVerified: new Date(1) })
    await store.setPassword(id, 'a hash that nothing matches')
  },
  imported: async () => undefined,
  'of-a-provider': async (store, id) => store.linkAccount(accountOf(id)),
  'of-a-provider-with-passkey': async (store, id) => {
    await store.linkAccount(accountOf(id))
    await addPasskey(store, id)
  },
  'with-passkey': addPasskey,
}

async function openSite(open: Stage['open'], strategy: 'database' | 'jwt-stored', calls: Call[]) {
  const app = open(
    withPasskeys({
      strategy,
      wrap: watching(calls, rejectUnknownIds),
      providers: [
        mailProvider([]),
        { ...mailProvider([]), id: 'code', method: 'code' },
        Password({ sendLink: () => undefined, parameters, verifyLegacy: () => false }),
      ],
      config: { ...withFactor(), emailChange: { sendLink: () => undefined, sendNotice: () => undefined } },
    }),
  )
  for (const [name, add] of Object.entries(origins)) {
    const email = `${name}@example.com`
    const { id } = await app.store.createUser({ id: name, name, email, emailVerified: null })
    await add(app.store, id)
  }
  return app
}

/** A database with another type of ids rejects an id that no user has. */
function rejectUnknownIds(store: Adapter): Partial<Adapter> {
  const demand = async (id: string) => (await store.getUser?.(id)) ?? unreachable()
  return {
    listAccountsByUserId: async (id) => (await demand(id)) && (store.listAccountsByUserId?.(id) ?? []),
    listAuthenticatorsByUserId: async (id) =>
      (await demand(id)) && (store.listAuthenticatorsByUserId?.(id) ?? []),
  }
}

/** Returns the operations that a request calls for an address of each kind, with its result. */
async function compare(app: App, calls: Call[], send: Send, enter: (agent: Agent) => Promise<unknown>) {
  const seen = new Map<string, string>()
  for (const name of ['nobody', ...Object.keys(origins)]) {
    const agent = app.agent()
    await enter(agent)
    calls.length = 0
    const { status, headers } = await send(agent, `${name}@example.com`)
    const result = [status, headers.get('location'), ...calls.map(({ operation }) => operation)]
    seen.set(name, result.join(' '))
  }
  return seen
}

/** Tests that the number of store calls reveals nothing about an address. */
export const evenStoreCallScenarios = (['database', 'jwt-stored'] as const).flatMap((strategy) => [
  ...Object.entries(routes).map(([route, send]) =>
    scenario(
      `IL-10 ${route} makes the same store calls for every address (${strategy})`,
      async ({ open }) => {
        const calls: Call[] = []
        const app = await openSite(open, strategy, calls)
        const seen = await compare(app, calls, send, async () => undefined)
        expect(Object.fromEntries(seen)).toEqual(
          Object.fromEntries([...seen.keys()].map((name) => [name, seen.get('nobody')])),
        )
      },
    ),
  ),
  scenario(
    `IL-10 EC-04 a request for another address makes the same store calls for every address (${strategy})`,
    async ({ open }) => {
      const calls: Call[] = []
      const app = await openSite(open, strategy, calls)
      const seen = await compare(app, calls, post('/auth/email-change'), (agent) => signIn(app, agent))
      expect(seen.get('nobody')).toContain('createVerificationToken')
      expect(Object.fromEntries(seen)).toEqual(
        Object.fromEntries([...seen.keys()].map((name) => [name, seen.get('nobody')])),
      )
    },
  ),
])
