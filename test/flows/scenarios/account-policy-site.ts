import { expect } from 'vitest'
import { readForms } from '../../../fuzz/world/forms.ts'
import { openAuthenticator } from '../../../fuzz/world/webauthn/authenticator.ts'
import { memoryRevocations } from '../../../src/adapters/memory.ts'
import { Password, hashPassword, type PasswordLinkParams } from '../../../src/password.ts'
import Passkey from '../../../src/providers/passkey.ts'
import type { AccountNotice } from '../../../src/types/account-notice.ts'
import type { EmailChangeLinkParams } from '../../../src/types/email-change.ts'
import { type App, issuer, origin, sessionOf, signOut } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { mailProvider, type Mail } from '../../support/mail.ts'
import { parameters, password, signIn as enterPassword } from '../../support/passwords.ts'
import { codeOf, enrol, enterCode, withFactor } from '../../support/second-factor.ts'
import { perform } from '../../support/webauthn/app.ts'
import type { Stage } from '../scenario.ts'

const client = { type: 'oidc', issuer, clientId: 'client', clientSecret: 'client-secret' } as const

export type Strategy = 'database' | 'jwt-stored'

/** A site with every feature, and a user who has a second factor. */
export interface Site {
  readonly app: App
  readonly id: string
  readonly mails: Mail[]
  readonly passwordMails: PasswordLinkParams[]
  readonly changes: EmailChangeLinkParams[]
  readonly notices: AccountNotice[]
  /** What the user signs in with. */
  readonly first: { email: string; password: string }
  /** The secret of the authenticator app. */
  secret: string
  recovery: readonly string[]
  /** Gives the first factor in a browser. */
  enter: (agent: Agent) => Promise<Response>
}

/** Opens a site whose user has a proven address and a password, or only a passkey. */
export async function openSite(
  open: Stage['open'],
  strategy: Strategy,
  kind: 'password' | 'unproven' | 'passkey' = 'password',
): Promise<Site> {
  const [mails, passwordMails, changes, notices]: [
    Mail[],
    PasswordLinkParams[],
    EmailChangeLinkParams[],
    AccountNotice[],
  ] = [[], [], [], []]
  const app = open({
    strategy,
    config: {
      ...withFactor({ rememberFor: 86_400 }),
      accountPage: true,
      experimental: { enableWebAuthn: true },
      ...(strategy !== 'database' && { jwt: { revocations: memoryRevocations() } }),
      emailChange: { sendLink: (link) => void changes.push(link), sendNotice() {} },
      sendNotice: (notice) => void notices.push(notice),
    },
    providers: [
      Passkey(),
      { id: 'idp', name: 'Idp', ...client, backChannelLogout: true },
      { id: 'second', name: 'Second', ...client, allowDangerousEmailAccountLinking: true },
      mailProvider(mails),
      mailProvider(mails, { id: 'code', name: 'Code', method: 'code' }),
      Password({ sendLink: (mail) => void passwordMails.push(mail), parameters }),
    ],
    idp: {
      clients: [{ id: 'client', secret: 'client-secret' }],
      users: ['ada', 'bob'].map((sub) => ({ sub, claims: { email: `${sub}@example.com` } })),
    },
  })
  const first = { email: 'ada@example.com', password }
  const device = openAuthenticator(origin)
  const owner = app.agent()
  const byPasskey = (agent: Agent) => perform({ agent, device })
  const byPassword = (agent: Agent) => enterPassword(agent, first.email, first.password)
  const isPasskey = kind === 'passkey'
  if (isPasskey)
    await perform({ agent: owner, device }, { fields: { action: 'register', email: 'eve@example.com' } })
  else await addAda(app, kind === 'unproven')
  const id = app.rows.users()[0]?.id ?? ''
  const enter = isPasskey ? byPasskey : byPassword
  const site: Site = {
    app,
    id,
    mails,
    passwordMails,
    changes,
    notices,
    first,
    secret: '',
    recovery: [],
    enter,
  }
  if (!isPasskey) await enter(owner)
  Object.assign(site, await enrol(app, owner))
  return site
}

async function addAda({ store }: App, isUnproven: boolean): Promise<void> {
  const emailVerified = isUnproven ? null : new Date(Date.UTC(2029, 0))
  await store.createUser({ id: 'ada', name: 'Ada', email: 'ada@example.com', emailVerified })
  await store.linkAccount({ userId: 'ada', type: 'oidc', provider: 'idp', providerAccountId: 'ada' })
  await store.setPassword('ada', await hashPassword(password, parameters))
}

/** The code of now. Each works once, so the clock moves on. */
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

/** What else exists of the user: a session, a remembered device, and a sign-in that waits for the second factor. */
export async function surround(site: Site) {
  const { app } = site
  const session = await enterWhole(site)
  const device = await enterWhole(site, { remember: 'true' })
  await signOut(device)
  const held = app.agent()
  await site.enter(held)
  expect(app.ended()).toBe('factorDemanded')
  return {
    /** Reads what of it still works. Call it once. */
    async survey() {
      const hasSession = (await sessionOf(session)) !== null
      await enterCode(held, nextCode(site))
      const pending = (await sessionOf(held)) !== null
      await site.enter(device)
      const trust = (await sessionOf(device)) !== null
      return { session: hasSession, pending, trust }
    },
  }
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
