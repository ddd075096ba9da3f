import { expect } from 'vitest'
import { openAuthenticator } from '../../../fuzz/world/webauthn/authenticator.ts'
import { removeSecondFactor, revokeSessions } from '../../../src/handler/manage-sessions.ts'
import { ruleOf } from '../../../src/policy/table.ts'
import type { AccountChange } from '../../../src/types/account-notice.ts'
import { origin, sessionOf, signIn, signOut } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { confirmChange, requestChange, tokenOf } from '../../support/email-change.ts'
import { askForLink, pathOf, type Mail } from '../../support/mail.ts'
import { logoutClaims, postLogout, signLogout } from '../../support/oidc/logout-token.ts'
import { changePassword, newPassword, requestLink, sendNewPassword } from '../../support/passwords.ts'
import { enrol, enterCode } from '../../support/second-factor.ts'
import { authenticatorsOf, perform } from '../../support/webauthn/app.ts'
import { scenario } from '../scenario.ts'
import {
  authTimeOf,
  changeAccount,
  enterWeakly,
  enterWhole,
  nextCode,
  openSite,
  type Site,
  type Strategy,
  surround,
} from './account-policy-site.ts'

const newAddress = 'ada@new.example'

/** How a test makes a change, and finds out whether it was made. */
interface Driver {
  /** Who signs in. @default a user with a password */
  readonly user?: 'password' | 'unproven' | 'passkey'
  /** By a session, by a sign-in that waits for the second factor, or by the application. */
  readonly by: 'session' | 'sign-in' | 'application'
  readonly prepare?: (site: Site) => Promise<void>
  readonly make: (site: Site, agent: Agent) => Promise<unknown>
  /** What is left to do after the second factor. */
  readonly finish?: (site: Site, agent: Agent) => Promise<unknown>
  readonly isMade: (site: Site, agent: Agent) => boolean | Promise<boolean>
  readonly strategies?: readonly Strategy[]
}

const userOf = async ({ app, id }: Site) => app.store.getUser(id)
const hasAccount = async ({ app, id }: Site, provider: string, providerAccountId: string) =>
  (await app.store.getUserByAccount({ provider, providerAccountId }))?.id === id
const countChanges = ({ app }: Site, change: string) =>
  app.events.filter(({ event, message }) => event === 'updateSecondFactor' && message['change'] === change)
    .length
const hashOf = ({ app, id }: Site) => app.store.getPassword(id)

/** One for each row of the policy: a row without one does not compile. */
const drivers: Readonly<Record<AccountChange, Driver>> = {
  'sign-in': {
    by: 'sign-in',
    make: (site, agent) => site.enter(agent),
    isMade: async (_, agent) => (await sessionOf(agent)) !== null,
  },
  'first-proof': {
    user: 'unproven',
    by: 'sign-in',
    async make({ mails }, agent) {
      await askForLink(agent, 'ada@example.com')
      await agent.send(pathOf(mails.at(-1) as Mail))
    },
    isMade: async (site) => Boolean((await userOf(site))?.emailVerified) && (await hashOf(site)) === null,
  },
  'add-address': {
    user: 'passkey',
    by: 'session',
    async make({ mails }, agent) {
      await askForLink(agent, newAddress, { link: 'true' })
      await agent.send(pathOf(mails.at(-1) as Mail))
    },
    isMade: async (site) => (await userOf(site))?.email === newAddress,
  },
  'request-address': {
    by: 'session',
    make: (_, agent) => requestChange(agent),
    isMade: ({ changes }) => changes.length > 0,
  },
  'confirm-address': {
    by: 'session',
    async prepare(site) {
      await requestChange(await enterWhole(site))
    },
    async make(site, agent) {
      await confirmChange(agent, tokenOf({ links: site.changes }))
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
    isMade: async ({ app, id }) => (await authenticatorsOf(app, id)).length > 0,
  },
  'reset-password': {
    by: 'sign-in',
    async make({ app, passwordMails }, agent) {
      await requestLink(agent)
      await sendNewPassword({ ...app, mails: passwordMails, addUser: async () => {} }, agent)
    },
    async finish(site, agent) {
      await sendNewPassword({ ...site.app, mails: site.passwordMails, addUser: async () => {} }, agent)
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
    // The first one is from before.
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
    make: ({ app, id }) => removeSecondFactor(app.config, id),
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
    by: 'application',
    async prepare(site) {
      site.enter = (agent) => {
        site.app.idp.choose('ada')
        return signIn(site.app, agent)
      }
    },
    make: async ({ app }) => postLogout(app, await signLogout(logoutClaims(app))),
    isMade: ({ app }) => app.ended() === 'loggedOut',
  },
  'delete-user': {
    by: 'session',
    make: ({ first }, agent) => changeAccount(agent, 'delete-user', 0, { confirmation: first.email }),
    isMade: async (site) => (await userOf(site)) === null,
  },
}

const both = ['database', 'jwt-stored'] as const
const rows = (Object.entries(drivers) as [AccountChange, Driver][]).flatMap(([change, driver]) =>
  (driver.strategies ?? both).map((strategy) => ({ change, driver, strategy })),
)

/** Rows that a browser without a session can make, or that are about the session itself. */
const ofSessions: readonly AccountChange[] = ['step-up', 'sign-out', 'end-session', 'end-other-sessions']

/** Each row of the policy, in both strategies: without a demand nothing happens, and afterwards what ends has ended. */
export const accountPolicyScenarios = [
  ...rows
    .filter(({ change, driver }) => driver.by === 'session' && !ofSessions.includes(change))
    .map(({ change, driver, strategy }) =>
      scenario(
        `POL-01 POL-02 EC-05 PW-10 demands what the row says: ${change} (${strategy})`,
        async ({ open }) => {
          const site = await openSite(open, strategy, driver.user)
          const { session, factor } = ruleOf(change).demands
          const weak = await enterWeakly(site)
          const strong = await enterWhole(site)
          await driver.prepare?.(site)
          site.app.events.length = 0
          const refuse = async (agent: Agent, why: string) => {
            await driver.make(site, agent)
            expect(await driver.isMade(site, agent), why).toBe(false)
          }
          if (factor) {
            await refuse(weak, 'the session lacks the second factor')
            // An enrolment is refused by its page already.
            const ended = { 'link-account': 'factorDemanded', 'enrol-factor': 'refused' }[change as string]
            expect(site.app.ended()).toBe(ended ?? 'challenged')
          }
          site.app.clock.advance(901)
          if (session !== 'any') await refuse(strong, 'the session is stale')
          // Last, because a sign-in may give the address or the account to another user.
          await refuse(site.app.agent(), 'nobody is signed in')
          expect(site.app.errors.filter(({ name }) => name === 'TypeError')).toEqual([])
        },
      ),
    ),

  ...rows
    .filter(({ driver }) => driver.by === 'sign-in')
    .map(({ change, driver, strategy }) =>
      scenario(`POL-01 waits for the second factor: ${change} (${strategy})`, async ({ open }) => {
        const site = await openSite(open, strategy, driver.user)
        const around = await surround(site)
        site.app.events.length = 0
        const before = JSON.stringify([await userOf(site), await hashOf(site), site.app.rows.accounts()])
        const agent = site.app.agent()
        await driver.make(site, agent)
        expect(site.app.ended()).toBe('factorDemanded')
        expect(await driver.isMade(site, agent)).toBe(false)
        const after = JSON.stringify([await userOf(site), await hashOf(site), site.app.rows.accounts()])
        expect(after).toBe(before)
        expect(await around.survey()).toEqual({ session: true, pending: true, trust: true })
      }),
    ),

  ...rows.map(({ change, driver, strategy }) =>
    scenario(
      `POL-03 POL-04 POL-07 POL-08 ends what the row says: ${change} (${strategy})`,
      async ({ open }) => {
        const site = await openSite(open, strategy, driver.user)
        const { app, notices } = site
        await driver.prepare?.(site)
        const agent = driver.by === 'session' ? await enterAs(change, site) : app.agent()
        const around = await surround(site)
        const before = await authTimeOf(agent)
        app.events.length = 0
        if (change === 'enrol-factor')
          app.events.push({ event: 'updateSecondFactor', message: { change: 'enrolled' } })
        if (change === 'end-session') app.events.push({ event: 'signOut', message: {} })
        notices.length = 0
        await driver.make(site, agent)
        if (driver.by === 'sign-in') {
          if (change !== 'use-recovery-code') await enterCode(agent, nextCode(site))
          await driver.finish?.(site, agent)
        }
        expect(await driver.isMade(site, agent)).toBe(true)
        const { ends, tells, authTime } = ruleOf(change)
        const held = await sessionOf(agent)
        if (driver.by !== 'application') expect(held === null).toBe(authTime === 'no session')
        if (driver.by === 'session' && authTime === 'kept') expect(held?.['auth_time']).toBe(before)
        // Nobody knows which tokens a revocation ends.
        const isCounted = tells.event !== 'signOut' || strategy === 'database' || change === 'sign-out'
        if (tells.event && isCounted) expect(app.events.map(({ event }) => event)).toContain(tells.event)
        const count = tells.mail === 'both addresses' ? 2 : tells.mail ? 1 : 0
        expect(notices.map((notice) => notice.change)).toEqual(Array.from({ length: count }, () => change))
        if (change === 'delete-user' || change === 'first-proof') return
        const isGone = change === 'remove-factor' || change === 'application-removes-factor'
        const endsHeld = ends.includes('pending') || ends.includes('held sign-ins that it began')
        const survey = await around.survey()
        const ended = ['all sessions', 'other sessions', 'that session', 'sessions that it opened'] as const
        expect(survey.session).toBe(!ended.some((each) => ends.includes(each)))
        expect(survey.pending).toBe(!endsHeld)
        // Without a second factor, there is nothing to skip.
        if (!isGone) expect(survey.trust).toBe(!ends.includes('trust'))
      },
    ),
  ),
]

/** A step-up needs a session without the second factor. */
async function enterAs(change: AccountChange, site: Site): Promise<Agent> {
  return change === 'step-up' ? enterWeakly(site) : enterWhole(site)
}
