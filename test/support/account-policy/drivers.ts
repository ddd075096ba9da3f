import { openAuthenticator } from '../../../fuzz/world/webauthn/authenticator.ts'
import { callOptional, revokeSessions } from '../../../src/handler/manage-sessions.ts'
import type { AccountChange } from '../../../src/types/account-notice.ts'
import { origin, sessionOf, signIn, signOut } from '../app.ts'
import type { Agent } from '../browser-agent.ts'
import { confirmChange, newAddress, requestChange, tokenOf } from '../email-change.ts'
import { askForLink, pathOf } from '../mail.ts'
import { logoutClaims, postLogout, signLogout } from '../oidc/logout-token.ts'
import { changePassword, newPassword, requestLink, sendNewPassword } from '../passwords.ts'
import { enrol, enterCode } from '../second-factor.ts'
import { perform } from '../webauthn/app.ts'
import type { Strategy } from './config.ts'
import { changeAccount, enterWhole, type Kind, nextCode, type Site } from './site.ts'

/** How a test makes a change, and finds out whether it was made. */
export interface Driver {
  /** Who signs in. @default a user with a password */
  readonly user?: Kind
  /** What makes the change: a session, a sign-in that awaits the second factor, or the application. */
  readonly by: 'session' | 'sign-in' | 'application'
  readonly prepare?: (site: Site) => Promise<void>
  readonly make: (site: Site, agent: Agent) => Promise<unknown>
  /** The remaining steps after the second factor. */
  readonly finish?: (site: Site, agent: Agent) => Promise<unknown>
  readonly isMade: (site: Site, agent: Agent) => boolean | Promise<boolean>
  /** The existing item that the change replaces, if there can be only one. */
  readonly replaces?: string
  readonly strategies?: readonly Strategy[]
}

const userOf = async ({ app, id }: Site) => app.store.getUser(id)
const hasAccount = async ({ app, id }: Site, provider: string, providerAccountId: string) =>
  (await app.store.getUserByAccount({ provider, providerAccountId }))?.id === id
const countChanges = ({ app }: Site, change: string) =>
  app.events.filter(({ event, message }) => event === 'updateSecondFactor' && message['change'] === change)
    .length
const passkeysOf = async ({ app, id }: Site) => app.store.listAuthenticatorsByUserId(id)
const lastLinkOf = ({ sent }: Site) => pathOf(sent.mails.at(-1) ?? { url: origin })
const hashOf = ({ app, id }: Site) => app.store.getPassword(id)

/** A driver for each row of the policy. A row without a driver does not compile. */
export const drivers: Readonly<Record<AccountChange, Driver>> = {
  'sign-in': {
    by: 'sign-in',
    make: (site, agent) => site.enter(agent),
    isMade: async (_, agent) => (await sessionOf(agent)) !== null,
  },
  'first-proof': {
    user: 'unproven',
    by: 'sign-in',
    async make(site, agent) {
      await askForLink(agent, 'ada@example.com')
      await agent.send(lastLinkOf(site))
    },
    async isMade(site) {
      const { emailVerified } = (await userOf(site)) ?? {}
      return Boolean(emailVerified) && (await hashOf(site)) === null && (await passkeysOf(site)).length === 0
    },
  },
  'add-address': {
    user: 'passkey',
    by: 'session',
    async make(site, agent) {
      await askForLink(agent, newAddress, { link: 'true' })
      await agent.send(lastLinkOf(site))
    },
    isMade: async (site) => (await userOf(site))?.email === newAddress,
  },
  'request-address': {
    by: 'session',
    replaces: 'a link to a new address',
    make: (_, agent) => requestChange(agent),
    isMade: ({ sent }) => sent.changes.some(({ url }) => url !== ''),
  },
  'confirm-address': {
    by: 'session',
    async prepare(site) {
      await requestChange(await enterWhole(site))
    },
    async make(site, agent) {
      await confirmChange(agent, tokenOf({ links: site.sent.changes }))
      if ((await userOf(site))?.email === newAddress) site.first.email = newAddress
    },
    isMade: async (site) => (await userOf(site))?.email === newAddress,
  },
  'link-account': {
    by: 'session',
    make({ app }, agent) {
      app.idp.choose('bob')
      return signIn(app, agent, 'second', { link: 'true' })
    },
    isMade: (site) => hasAccount(site, 'second', 'bob'),
  },
  'link-by-address': {
    by: 'sign-in',
    make({ app }, agent) {
      app.idp.choose('ada')
      return signIn(app, agent, 'second')
    },
    isMade: (site) => hasAccount(site, 'second', 'ada'),
  },
  unlink: {
    by: 'session',
    make: (_, agent) => changeAccount(agent, 'unlink'),
    isMade: async (site) => !(await hasAccount(site, 'idp', 'ada')),
  },
  'add-passkey': {
    by: 'session',
    make: (_, agent) =>
      perform({ agent, device: openAuthenticator(origin) }, { fields: { action: 'register' } }).catch(
        () => {},
      ),
    isMade: async (site) => (await passkeysOf(site)).length > 0,
  },
  'reset-password': {
    by: 'sign-in',
    async make({ sent }, agent) {
      await requestLink(agent)
      await sendNewPassword({ mails: sent.passwordMails }, agent)
    },
    async finish(site, agent) {
      await sendNewPassword({ mails: site.sent.passwordMails }, agent)
      site.first.password = newPassword
    },
    isMade: async (site) => site.app.events.some(({ event }) => event === 'updatePassword'),
  },
  'change-password': {
    by: 'session',
    async make(site, agent) {
      await changePassword(agent)
      if (site.app.ended() === 'changed') site.first.password = newPassword
    },
    isMade: ({ app }) => app.events.some(({ event }) => event === 'updatePassword'),
  },
  'enrol-factor': {
    by: 'session',
    async make(site, agent) {
      const { secret, recovery } = await enrol(site.app, agent)
      if (recovery.length > 0) site.secret = secret
    },
    // The user's first factor was already enrolled, so one event exists.
    isMade: (site) => countChanges(site, 'enrolled') > 1,
  },
  'renew-recovery-codes': {
    by: 'session',
    make: (_, agent) => changeAccount(agent, 'renew-recovery-codes'),
    isMade: (site) => countChanges(site, 'codes-renewed') > 0,
  },
  'remove-factor': {
    by: 'session',
    make: (_, agent) => changeAccount(agent, 'remove-factor'),
    isMade: async ({ app, id }) => (await app.store.getFactor(id)) === null,
  },
  'application-removes-factor': {
    by: 'application',
    make: ({ app, id }) => callOptional(app.config, 'removeSecondFactor', id),
    isMade: async ({ app, id }) => (await app.store.getFactor(id)) === null,
  },
  'use-recovery-code': {
    by: 'sign-in',
    make: (site, agent) => site.enter(agent),
    finish: async ({ recovery }, agent) => enterCode(agent, recovery[0] ?? ''),
    isMade: (site) => countChanges(site, 'code-used') > 0,
  },
  'step-up': {
    by: 'session',
    make: async (site, agent) => {
      site.app.events.length = 0
      await enterCode(agent, nextCode(site))
    },
    isMade: async (_, agent) =>
      ((await sessionOf(agent))?.['amr'] as string[] | undefined)?.includes('mfa') ?? false,
  },
  'end-session': {
    by: 'session',
    strategies: ['database'],
    make: (_, agent) => changeAccount(agent, 'end-session'),
    isMade: ({ app }) => app.events.filter(({ event }) => event === 'signOut').length > 1,
  },
  'end-other-sessions': {
    by: 'session',
    make: (_, agent) => changeAccount(agent, 'end-other-sessions'),
    isMade: ({ app }) => app.ended() === 'changed',
  },
  'revoke-sessions': {
    by: 'application',
    make: ({ app, id }) => revokeSessions(app.config, id),
    isMade: () => true,
  },
  'sign-out': {
    by: 'session',
    make: (_, agent) => signOut(agent),
    isMade: async (_, agent) => (await sessionOf(agent)) === null,
  },
  'provider-logout': {
    user: 'unproven',
    by: 'application',
    make: async ({ app }) => postLogout(app, await signLogout(logoutClaims(app))),
    isMade: ({ app }) => app.ended() === 'loggedOut',
  },
  'delete-user': {
    by: 'session',
    make: ({ first }, agent) => changeAccount(agent, 'delete-user', 0, { confirmation: first.email }),
    isMade: async (site) => (await userOf(site)) === null,
  },
}
