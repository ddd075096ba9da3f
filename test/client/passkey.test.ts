import { afterEach, describe, expect, it, vi } from 'vitest'
import { openAuthenticator, type Answer, type Options } from '../../fuzz/world/webauthn/authenticator.ts'
import { createAuthClient } from '../../src/client.ts'
import { openApp, origin, sessionOf } from '../support/app.ts'
import { knowing, withPasskeys } from '../support/webauthn/app.ts'
import type { AdapterUser } from '../../src/types/adapter.ts'
import type { WebAuthnUserConfig } from '../../src/types/provider.ts'
import { openPage } from './tabs.ts'

/** The browser API: a credential serialises itself to JSON, and options are parsed from JSON. */
class StubCredential {
  static parseCreationOptionsFromJSON = (options: Options) => options
  static parseRequestOptionsFromJSON = (options: Options) => options
  readonly #answer: Answer
  constructor(answer: Answer) {
    this.#answer = answer
  }
  toJSON = () => this.#answer
}

function open(webauthn?: WebAuthnUserConfig) {
  const app = openApp(withPasskeys({ webauthn }))
  const agent = app.agent()
  const page = openPage(agent)
  const device = openAuthenticator(origin)
  vi.stubGlobal('PublicKeyCredential', StubCredential)
  vi.stubGlobal('navigator', {
    credentials: {
      create: async ({ publicKey }: { publicKey: Options }) => new StubCredential(device.create(publicKey)),
      get: async ({ publicKey }: { publicKey: Options }) => new StubCredential(device.get(publicKey)),
    },
  })
  return { app, agent, page, client: createAuthClient() }
}

afterEach(() => void vi.unstubAllGlobals())

describe("the client's passkeys", () => {
  it('EMB-005 registers a new user, and signs in without an address', async () => {
    const { agent, page, client } = open()
    expect(await client.registerPasskey({ email: 'ada@example.com', redirect: false })).toMatchObject({
      ok: true,
    })
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'ada@example.com', email: null } })
    await client.signOut({ redirect: false })
    expect(await client.signInWithPasskey({ redirectTo: '/welcome' })).toMatchObject({ ok: true })
    expect(page.location.href).toBe(`${origin}/welcome`)
    expect(await sessionOf(agent)).toMatchObject({ user: { name: 'ada@example.com', email: null } })
  })

  it('EMB-005 signIn registers a user whom getUserInfo does not know, and signs in one whom it knows', async () => {
    let findUsers = (): readonly AdapterUser[] => []
    const { app, agent, client } = open(knowing(() => findUsers()))
    findUsers = app.rows.users
    for (const turn of [1, 2]) {
      const outcome = await client.signIn('webauthn', { email: 'ada@example.com', redirect: false })
      expect(outcome, `turn ${turn}`).toMatchObject({ ok: true })
      expect(await sessionOf(agent)).toMatchObject({ user: { name: 'ada@example.com', email: null } })
      await client.signOut({ redirect: false })
    }
    expect(app.rows.users()).toHaveLength(1)
  })

  it('EMB-005 distinguishes a browser without passkeys from a user who cancels', async () => {
    const { client } = open()
    vi.stubGlobal('navigator', { credentials: { get: async () => null } })
    await expect(client.signInWithPasskey()).rejects.toMatchObject({ name: 'NotAllowedError' })
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
    await expect(client.signInWithPasskey()).rejects.toMatchObject({ name: 'NotSupportedError' })
  })
})
