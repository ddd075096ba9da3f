import { expect } from 'vitest'
import { openAuthenticator } from '../../../fuzz/world/webauthn/authenticator.ts'
import { origin, sessionOf, type App } from '../../support/app.ts'
import { askForLink, mailProvider, pathOf, type Mail } from '../../support/mail.ts'
import {
  authenticatorsOf,
  createPerson,
  perform,
  register,
  withPasskeys,
  type Ceremony,
  type Person,
} from '../../support/webauthn/app.ts'
import { requireLiveSession } from '../../../src/session/stored.ts'
import type { Adapter } from '../../../src/types/adapter.ts'
import { scenario, type Stage } from '../scenario.ts'
import { eventsOf, expectError } from '../expectations.ts'

/** Gives the only user an address that nobody has verified, and an account, so that the address identifies the user. */
async function claimAddress(app: App, email: string): Promise<void> {
  const { id = '' } = app.rows.users()[0] ?? {}
  await app.store.updateUser({ id, email })
  await app.store.linkAccount({ userId: id, type: 'oidc', provider: 'idp', providerAccountId: 'eve' })
}

/**
 * Eve prepared a user with the address of another person, who verifies it while this ceremony of Eve waits for the signIn
 * callback, or before it stores its session.
 */
async function overlap(
  open: Stage['open'],
  at: 'signIn' | 'createSession',
  choose: (eve: Person, app: App) => Person,
  ceremony?: Ceremony,
) {
  const mails: Mail[] = []
  let meanwhile: (() => Promise<unknown>) | undefined
  const reach = async (point: typeof at) => {
    const run = point === at ? meanwhile : undefined
    if (run) meanwhile = undefined
    await run?.()
  }
  const signIn = async () => {
    await reach('signIn')
    return true
  }
  const wrap = (store: Adapter): Adapter => ({
    ...store,
    async createSession(session) {
      await reach('createSession')
      return requireLiveSession(await store.createSession?.(session), 'createSession')
    },
  })
  const config = { experimental: { enableWebAuthn: true }, callbacks: { signIn } }
  const app = open(withPasskeys({ config, wrap, providers: [mailProvider(mails)] }))
  const eve = await register(app)
  await claimAddress(app, 'victim@mail.example')
  const shared = app.agent()
  await askForLink(shared, 'victim@mail.example')
  meanwhile = () => shared.send(pathOf(mails[0] as Mail))
  app.events.length = 0
  const person = choose(eve, app)
  const response = await perform(person, ceremony)
  const events = eventsOf(app)
  const ended = app.ended()
  expect(app.rows.users()).toMatchObject([{ email: 'victim@mail.example', emailVerified: expect.any(Date) }])
  expect(await sessionOf(shared)).toMatchObject({ user: { email: 'victim@mail.example' } })
  expect(await sessionOf(person.agent)).toBeNull()
  expect(await authenticatorsOf(app)).toEqual([])
  expect(app.rows.accounts()).toMatchObject([{ provider: 'idp' }])
  expect(app.rows.sessions()).toHaveLength(1)
  return { ended, events, response }
}

/** Ceremonies that are under way while the address of their user is verified for the first time. */
export const firstProofScenarios = [
  scenario('AL-04 DEC-39c a sign-in under way at a first proof leaves no session', async ({ open }) => {
    for (const at of ['signIn', 'createSession'] as const) {
      const { ended, events, response } = await overlap(open, at, ({ device }, app) =>
        createPerson(app, device),
      )
      expectError(response, 'WebAuthnVerificationError')
      expect(ended).toBe('unproven')
      // The events of the link, which ended the session of Eve.
      expect(events).toEqual(['signOut', 'updateUser', 'signIn'])
    }
  }),

  scenario(
    'AL-04 DEC-39c WA-11 a registration under way at a first proof leaves no passkey',
    async ({ open }) => {
      const choose = ({ agent }: Person) => ({ agent, device: openAuthenticator(origin) })
      const fields = { action: 'register' }
      const early = await overlap(open, 'signIn', choose, { fields })
      expectError(early.response, 'AccountNotLinked', '/auth/signin')
      expect(early.ended).toBe('refused')
      expect(early.events).toEqual(['signOut', 'updateUser', 'signIn'])
      const late = await overlap(open, 'createSession', choose, { fields })
      expectError(late.response, 'WebAuthnVerificationError')
      expect(late.ended).toBe('unproven')
    },
  ),

  scenario(
    'FI-02 AL-11 DEC-39e a failed write of a first proof leaves its user a way in',
    async ({ open }) => {
      let failing = Number.POSITIVE_INFINITY
      const fails = () => {
        failing -= 1
        if (failing === 0) throw new Error('the store cannot be reached')
      }
      const wrap = (store: Adapter): Adapter =>
        Object.fromEntries(
          Object.entries(store).map(([name, operation]: [string, (...args: never[]) => unknown]) => {
            const writes = /^(update|delete|unlink)/.test(name)
            return [name, (...args: never[]) => (writes && fails(), operation(...args))]
          }),
        )
      let failed = 0
      for (let at = 1; failed === at - 1; at++) {
        const mails: Mail[] = []
        const app = open(withPasskeys({ wrap, providers: [mailProvider(mails)] }))
        const eve = await register(app)
        const [user] = app.rows.users()
        await claimAddress(app, 'eve@mail.example')
        await askForLink(eve.agent, 'eve@mail.example')
        failing = at
        await eve.agent.send(pathOf(mails[0] as Mail))
        if (failing <= 0) failed += 1
        failing = Number.POSITIVE_INFINITY
        // The passkey, or else another link.
        const later = createPerson(app, eve.device)
        await perform(later)
        if (app.ended() !== 'signedIn') {
          await askForLink(later.agent, 'eve@mail.example')
          await later.agent.send(pathOf(mails[1] as Mail))
        }
        expect(app.ended()).toBe('signedIn')
        expect(app.rows.users()).toMatchObject([{ id: user?.id }])
      }
      expect(failed).toBeGreaterThan(4)
    },
  ),
]
