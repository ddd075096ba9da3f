import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { readForms } from '../../../fuzz/world/forms.ts'
import { openAuthenticator } from '../../../fuzz/world/webauthn/authenticator.ts'
import { memoryRevocations } from '../../../src/adapters/memory.ts'
import { hashPassword } from '../../../src/password.ts'
import { type App, type openApp, origin, sessionOf, signIn, signOut } from '../app.ts'
import type { Agent } from '../browser-agent.ts'
import { parameters, password, signIn as enterPassword } from '../passwords.ts'
import { codeOf, enrol, enterCode } from '../second-factor.ts'
import { perform } from '../webauthn/app.ts'
import { type Sent, siteConfig, siteProvider, type Strategy } from './config.ts'

/** A site, in one process or in several. */
export interface Place {
  readonly app: Pick<
    App,
    'agent' | 'clock' | 'config' | 'ended' | 'errors' | 'events' | 'handle' | 'idp' | 'store'
  >
  readonly sent: Readonly<Record<Sent['list'], Sent[]>>
  /** Lets another process serve the requests from now on. */
  readonly moveTo: (process: number) => void
}

/** Who signs in: with a password and a proven address, with an address that nobody has proven, or with a passkey. */
export type Kind = 'password' | 'unproven' | 'passkey'

/** A site with every feature, and a user who has a second factor. */
export interface Site extends Place {
  readonly kind: Kind
  readonly id: string
  /** What the user signs in with. */
  readonly first: { email: string; password: string }
  /** The secret of the authenticator app. */
  secret: string
  recovery: readonly string[]
  /** Gives the first factor in a browser. */
  enter: (agent: Agent) => Promise<Response>
}

/** Opens a site in this process. A test can let calls of its store fail. */
export async function openSite(
  open: typeof openApp,
  strategy: Strategy,
  kind?: Kind,
  wrap: <T extends object>(store: T) => T = (store) => store,
): Promise<Site> {
  const sent: Place['sent'] = { mails: [], passwordMails: [], changes: [], notices: [] }
  const { providers, ...config } = siteConfig(strategy, wrap(memoryRevocations()), (each) => {
    sent[each.list].push(each)
  })
  const app = open({ strategy, config, providers, idp: siteProvider, wrap })
  return settle({ app, sent, moveTo() {} }, kind)
}

/** Adds the user, who then enrols an app. */
export async function settle(place: Place, kind: Kind = 'password'): Promise<Site> {
  const { app } = place
  const device = openAuthenticator(origin)
  const owner = app.agent()
  const first = { email: 'ada@example.com', password }
  const entries: Readonly<Record<Kind, Site['enter']>> = {
    password: (agent) => enterPassword(agent, first.email, first.password),
    passkey: (agent) => perform({ agent, device }),
    unproven(agent) {
      app.idp.choose('ada')
      return signIn(app, agent)
    },
  }
  const id = kind === 'passkey' ? await registerEve(place, owner, device) : await addAda(place, kind)
  const enter = entries[kind]
  const site: Site = { ...place, kind, id, first, secret: '', recovery: [], enter }
  if (kind !== 'passkey') await enter(owner)
  Object.assign(site, await enrol(app, owner))
  return site
}

async function registerEve({ app }: Place, agent: Agent, device: ReturnType<typeof openAuthenticator>) {
  await perform({ agent, device }, { fields: { action: 'register', email: 'eve@example.com' } })
  const created = app.events.find(({ event }) => event === 'createUser')
  return (created?.message as { user?: { id: string } } | undefined)?.user?.id ?? expect.fail('no user')
}

async function addAda({ app: { store } }: Place, kind: Kind): Promise<string> {
  const isUnproven = kind === 'unproven'
  const emailVerified = isUnproven ? null : new Date(Date.UTC(2029, 0))
  const given = { id: randomUUID(), name: 'Ada', email: 'ada@example.com', emailVerified }
  const { id } = await store.createUser(given)
  await store.linkAccount({ userId: id, type: 'oidc', provider: 'idp', providerAccountId: 'ada' })
  await store.setPassword(id, await hashPassword(password, parameters))
  if (isUnproven) await addPasskey(store, id)
  return id
}

/** A passkey that somebody added before the address was proven. */
async function addPasskey(store: App['store'], userId: string): Promise<void> {
  const providerAccountId = 'cGFzc2tleQ=='
  await store.linkAccount({ userId, type: 'webauthn', provider: 'passkey', providerAccountId })
  await store.createAuthenticator({
    userId,
    providerAccountId,
    credentialID: providerAccountId,
    credentialPublicKey: 'a2V5',
    counter: 0,
    credentialBackedUp: false,
    credentialDeviceType: 'singleDevice',
    transports: null,
  })
}

/** The current code. Each code works once, so the clock moves on. */
export function nextCode({ app, secret }: Site): string {
  app.clock.advance(30)
  return codeOf(secret, app.clock.now())
}

/** Signs in with both factors, in a new browser. */
export async function enterWhole(site: Site, form: Record<string, string> = {}): Promise<Agent> {
  const agent = site.app.agent()
  await site.enter(agent)
  await enterCode(agent, nextCode(site), form)
  expect(await sessionOf(agent)).not.toBeNull()
  return agent
}

/** Signs in on a remembered device: the session is fresh, but lacks the second factor. */
export async function enterWeakly(site: Site): Promise<Agent> {
  const agent = await enterWhole(site, { remember: 'true' })
  await signOut(agent)
  await site.enter(agent)
  expect((await sessionOf(agent))?.['amr']).not.toContain('mfa')
  return agent
}

/** Sends a form of the account page. */
export async function changeAccount(agent: Agent, name: string, at = 0, more: Record<string, string> = {}) {
  const html = await (await agent.send('/auth/account')).text()
  const forms = readForms(html)
  const form = forms.filter(({ fields }) => fields.change === name)[at]
  const fields = form?.fields ?? { ...forms[0]?.fields, change: name }
  return agent.send('/auth/account', { form: { ...fields, ...more } as Record<string, string> })
}

/** The seconds of the last authentication, as the session shows them. */
export async function authTimeOf(agent: Agent): Promise<unknown> {
  return (await sessionOf(agent))?.['auth_time']
}
