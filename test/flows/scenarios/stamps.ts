import { expect } from 'vitest'
import { memoryRevocations } from '../../../src/adapters/memory.ts'
import { deleteUser, revokeSessions } from '../../../src/handler/manage-sessions.ts'
import { requireLiveSession } from '../../../src/session/stored.ts'
import type { Adapter } from '../../../src/types/adapter.ts'
import type { JWT } from '../../../src/types/jwt.ts'
import { csrfOf, origin, sessionOf, signIn, type App, type AppOptions } from '../../support/app.ts'
import type { Agent } from '../../support/browser-agent.ts'
import { confirmChange, openAda, requestChange, tokenOf } from '../../support/email-change.ts'
import { askForLink, mailProvider, openMailApp, pathOf, type Mail } from '../../support/mail.ts'
import {
  openPasswordApp,
  resetPassword,
  password,
  requestLink,
  sendNewPassword,
  signIn as enterPassword,
} from '../../support/passwords.ts'
import { codeOf, enrol, enterCode, openEnrolment, withFactor } from '../../support/second-factor.ts'
import { countOf, watching, type Call } from '../../support/watch-store.ts'
import { perform, register, withPasskeys } from '../../support/webauthn/app.ts'
import { scenario, type Stage } from '../scenario.ts'

const locationOf = (response: Response) => response.headers.get('location')
const ada = 'ada@example.com'

async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Buffer.from(digest).toString('hex')
}

/** Runs something once, just before the next session is stored or its token is issued. */
function interrupting() {
  let meanwhile: (() => Promise<unknown>) | undefined
  const interrupt = async () => {
    const run = meanwhile
    meanwhile = undefined
    await run?.()
  }
  const wrap = (store: Adapter): Adapter => ({
    ...store,
    async createSession(session) {
      await interrupt()
      return requireLiveSession(await store.createSession?.(session), 'createSession')
    },
  })
  const jwt = async ({ token }: { readonly token: JWT }) => {
    await interrupt()
    return token
  }
  return { wrap, callbacks: { jwt }, plan: (run: () => Promise<unknown>) => void (meanwhile = run) }
}

interface Way {
  readonly app: App
  /** The first requests of a browser. The function returns the request that opens the session. */
  readonly prepare: (agent: Agent) => Promise<() => Promise<Response>>
}

type Options = Pick<AppOptions, 'wrap' | 'config' | 'strategy'>

/** An application with each way to sign in, and a user who is in the store. */
const ways: Readonly<Record<string, (open: Stage['open'], options: Options) => Promise<Way>>> = {
  async password(open, options) {
    const app = openPasswordApp(open, options)
    await app.addUser()
    return { app, prepare: async (agent) => () => enterPassword(agent) }
  },
  async reset(open, options) {
    const app = openPasswordApp(open, options)
    await app.addUser()
    return {
      app,
      async prepare(agent) {
        await requestLink(agent)
        return () => sendNewPassword(app, agent)
      },
    }
  },
  async link(open, options) {
    const app = openMailApp(open, options)
    await app.store.createUser({ id: 'ada', email: ada, emailVerified: new Date(Date.UTC(2029, 0)) })
    return {
      app,
      async prepare(agent) {
        await askForLink(agent, ada)
        return () => agent.send(pathOf(app.mails.at(-1) as Mail))
      },
    }
  },
  async code(open, options) {
    const app = openMailApp(open, { ...options, mail: { method: 'code' } })
    await app.store.createUser({ id: 'ada', email: ada, emailVerified: new Date(Date.UTC(2029, 0)) })
    return {
      app,
      async prepare(agent) {
        await askForLink(agent, ada)
        const code = app.mails.at(-1)?.token ?? ''
        return async () =>
          agent.send('/auth/callback/mail', { form: { csrfToken: await csrfOf(agent), code } })
      },
    }
  },
  async provider(open, options) {
    const app = open({ strategy: 'database', ...options, config: { ...options.config, ...withFactor() } })
    await signIn(app, app.agent())
    return { app, prepare: async (agent) => () => signIn(app, agent) }
  },
  async factor(open, options) {
    const app = open({ strategy: 'database', ...options, config: { ...options.config, ...withFactor() } })
    const owner = app.agent()
    await signIn(app, owner)
    const { secret } = await enrol(app, owner)
    return {
      app,
      async prepare(agent) {
        await signIn(app, agent)
        return () => enterCode(agent, codeOf(secret, app.clock.now()))
      },
    }
  },
  async passkey(open, { config, ...options }) {
    const mails: Mail[] = []
    const experimental = { enableWebAuthn: true }
    const app = open(
      withPasskeys({ ...options, config: { experimental, ...config }, providers: [mailProvider(mails)] }),
    )
    const { device } = await register(app)
    return { app, prepare: async (agent) => () => perform({ agent, device }) }
  },
}

const idOf = ({ rows }: App) => rows.users()[0]?.id ?? ''

/** The operations that a change to an account ends in addition to sessions, and sign-ins that run at the same time. */
export const stampScenarios = [
  ...Object.entries(ways).flatMap(([name, openWay]) =>
    (['database', 'jwt-stored'] as const).map((strategy) =>
      scenario(
        `STM-01 STM-03 ${name}: a sign-in opens no session if the sessions are revoked meanwhile (${strategy})`,
        async ({ open }) => {
          const { wrap, callbacks, plan } = interrupting()
          const config = {
            callbacks,
            ...(strategy !== 'database' && { jwt: { revocations: memoryRevocations() } }),
          }
          const { app, prepare } = await openWay(open, { wrap, config, strategy })
          const agent = app.agent()
          const finish = await prepare(agent)
          plan(() => revokeSessions(app.config, idOf(app)))
          const response = await finish()
          expect(locationOf(response)).toBe(`${origin}/auth/error?error=AccessDenied`)
          expect(app.ended()).toBe('denied')
          expect(await sessionOf(agent)).toBeNull()
          expect(app.rows.sessions()).toEqual([])
          // It leaves no traces: the next sign-in succeeds.
          app.clock.advance(30)
          const later = app.agent()
          await (
            await prepare(later)
          )()
          expect(await sessionOf(later)).not.toBeNull()
        },
      ),
    ),
  ),

  ...(['link', 'code', 'reset'] as const).map((name) =>
    scenario(
      `STM-02 STM-03 ${name}: what was mailed before the sessions were revoked opens no session`,
      async ({ open }) => {
        const way = ways[name] ?? expect.fail()
        const { app, prepare } = await way(open, { strategy: 'database' })
        const agent = app.agent()
        const finish = await prepare(agent)
        await revokeSessions(app.config, idOf(app))
        expect(locationOf(await finish())).toBe(`${origin}/auth/error?error=Verification`)
        expect(app.ended()).toBe('invalid')
        expect(await sessionOf(agent)).toBeNull()
        // One that is mailed afterwards works.
        await (
          await prepare(agent)
        )()
        expect(await sessionOf(agent)).not.toBeNull()
      },
    ),
  ),

  scenario(
    'STM-02 a remembered device and a held sign-in end when the sessions are revoked',
    async ({ open }) => {
      const config = withFactor({ rememberFor: 86_400 })
      const app = open({ strategy: 'database', config })
      const owner = app.agent()
      await signIn(app, owner)
      const { secret } = await enrol(app, owner)
      const known = app.agent()
      await signIn(app, known)
      await enterCode(known, codeOf(secret, app.clock.now()), { remember: 'true' })
      app.clock.advance(30)
      expect(locationOf(await signIn(app, known, 'idp', { callbackUrl: '/home' }))).toBe(`${origin}/home`)
      const held = app.agent()
      await signIn(app, held)
      await revokeSessions(app.config, idOf(app))
      await enterCode(held, codeOf(secret, app.clock.now()))
      app.clock.advance(30)
      expect([app.ended(), await sessionOf(held)]).toEqual(['passed', null])
      expect(locationOf(await signIn(app, known))).toBe(`${origin}/auth/factor`)
    },
  ),

  scenario('STM-02 a link to a new address ends when the sessions are revoked', async ({ open }) => {
    const { app, agent } = await openAda(open)
    await requestChange(agent)
    const token = tokenOf(app)
    await revokeSessions(app.config, idOf(app))
    await signIn(app, agent)
    await confirmChange(agent, token)
    expect(app.ended()).toBe('invalid')
    expect(app.rows.users()).toMatchObject([{ email: ada }])
  }),

  scenario(
    'POL-03 a new user has nothing that ends before the first password is stored',
    async ({ open }) => {
      const calls: Call[] = []
      const app = openPasswordApp(open, { wrap: watching(calls) })
      await resetPassword(app, app.agent())
      expect([app.ended(), countOf(calls, 'setRecord')]).toEqual(['signedIn', 1])
    },
  ),

  scenario(
    'STM-04 a sign-in reads the stamp at most twice, and reading a session reads none',
    async ({ open }) => {
      const reads: Readonly<Record<string, number>> = { reset: 4 }
      for (const [name, openWay] of Object.entries(ways)) {
        const calls: Call[] = []
        const { app, prepare } = await openWay(open, { strategy: 'database', wrap: watching(calls) })
        const agent = app.agent()
        const finish = await prepare(agent)
        calls.length = 0
        await finish()
        expect(await sessionOf(agent)).not.toBeNull()
        // A reset also renews the stamp before and after.
        expect([name, countOf(calls, 'getRecord')]).toEqual([name, reads[name] ?? 2])
        calls.length = 0
        await sessionOf(agent)
        expect(countOf(calls, 'getRecord')).toBe(0)
      }
    },
  ),

  scenario('STM-04 a site with a provider only reads no stamp', async ({ open }) => {
    const calls: Call[] = []
    const app = open({ strategy: 'database', wrap: watching(calls) })
    for (const agent of [app.agent(), app.agent()]) await signIn(app, agent)
    await revokeSessions(app.config, idOf(app))
    expect(calls.filter(({ operation }) => operation.endsWith('Record'))).toEqual([])
  }),

  scenario(
    'STM-05 without records, the hash of the password takes the place of the stamp',
    async ({ open }) => {
      const { wrap: interrupt, plan } = interrupting()
      const wrap = ({ getRecord: _get, setRecord: _set, deleteRecord: _delete, ...store }: Adapter) =>
        interrupt(store)
      const parameters = '$scrypt$ln=12,r=8,p=1'
      const app = openPasswordApp(open, { wrap, passwords: { parameters } })
      await app.addUser()
      const before = await app.store.getPassword('ada')
      // The hash has other parameters, and is replaced.
      const agent = app.agent()
      await enterPassword(agent)
      expect(await sessionOf(agent)).not.toBeNull()
      const upgraded = (await app.store.getPassword('ada')) ?? ''
      expect(upgraded).not.toBe(before)
      const thief = app.agent()
      const other = upgraded.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))
      plan(async () => app.store.setPassword('ada', other))
      await enterPassword(thief, ada, password)
      expect([app.ended(), await sessionOf(thief)]).toEqual(['denied', null])
      await revokeSessions(app.config, 'ada')
      expect(await sessionOf(agent)).toBeNull()
    },
  ),

  scenario(
    'STM-05 a link of an account without a stamp is stored as earlier versions store it',
    async ({ open }) => {
      const app = openMailApp(open)
      await app.store.createUser({ id: 'ada', email: ada, emailVerified: new Date(Date.UTC(2029, 0)) })
      const agent = app.agent()
      await askForLink(agent, ada)
      const [stored] = app.rows.tokens()
      const digest = await sha256Hex(`${app.mails[0]?.token}${String(app.config.secret)}`)
      expect(stored?.token).toBe(digest)
    },
  ),

  ...[true, false].flatMap((hasRecords) =>
    [true, false].map((hasPassword) => {
      const isRefused = hasPassword && !hasRecords
      return scenario(
        `STM-05 a link from before the update ${isRefused ? 'fails once' : 'works'} (${hasRecords ? 'with' : 'without'} records, ${hasPassword ? 'with' : 'without'} a password)`,
        async ({ open }) => {
          const mails: Mail[] = []
          const wrap = ({ getRecord, setRecord, deleteRecord, ...store }: Adapter) =>
            hasRecords ? { ...store, getRecord, setRecord, deleteRecord } : store
          const app = openPasswordApp(open, { wrap, providers: [mailProvider(mails)] })
          await app.addUser(hasPassword ? {} : { password: null })
          const agent = app.agent()
          await askForLink(agent, ada)
          const mail = mails.at(-1) as Mail
          for (const stored of app.rows.tokens()) {
            app.store.useVerificationToken(stored)
            const digest = await sha256Hex(`${mail.token}${String(app.config.secret)}`)
            app.store.createVerificationToken({ ...stored, token: digest })
          }
          await agent.send(pathOf(mail))
          expect([app.ended(), (await sessionOf(agent)) === null]).toEqual(
            isRefused ? ['invalid', true] : ['signedIn', false],
          )
          await askForLink(agent, ada)
          await agent.send(pathOf(mails.at(-1) as Mail))
          expect([app.ended(), (await sessionOf(agent)) === null]).toEqual(['signedIn', false])
        },
      )
    }),
  ),

  scenario(
    'POL-03 without a list of revocations, the token of a deleted user is renewed, and changes no account',
    async ({ open }) => {
      const day = 86_400
      const app = openMailApp(open, {
        strategy: 'jwt-stored',
        config: {
          accountPage: true,
          emailChange: { sendLink() {}, sendNotice() {} },
          session: { absoluteMaxAge: 50 * day },
        },
      })
      const agent = app.agent()
      await askForLink(agent, ada)
      await agent.send(pathOf(app.mails[0] as Mail))
      await deleteUser(app.config, idOf(app))
      for (const path of ['/auth/account', '/auth/email-change']) {
        await agent.send(path)
        expect([path, app.ended()]).toEqual([path, 'anonymous'])
      }
      for (const isLive of [true, true, false]) {
        app.clock.advance(20 * day)
        expect((await sessionOf(agent)) !== null).toBe(isLive)
      }
    },
  ),

  scenario('SF-05 of two first enrolments at once, one wins, and its app works', async ({ open }) => {
    // A store with latency, as every real one.
    const wrap = (store: Adapter): Adapter =>
      Object.fromEntries(
        Object.entries(store).map(([name, run]: [string, (...args: never[]) => unknown]) => [
          name,
          async (...args: never[]) => {
            await new Promise(setImmediate)
            return run(...args)
          },
        ]),
      )
    const app = open({ strategy: 'database', wrap, config: withFactor() })
    const agents = [app.agent(), app.agent()]
    for (const agent of agents) await signIn(app, agent)
    const setups = await Promise.all(agents.map(openEnrolment))
    const enrolled = await Promise.all(
      agents.map(async (agent, n) => {
        const { secret = '', fields } = setups[n] ?? {}
        const form = { ...fields, code: codeOf(secret, app.clock.now()) }
        const page = await agent.send('/auth/factor-enrolment', { form })
        return (await page.text()).includes('recovery') ? secret : undefined
      }),
    )
    const secrets = enrolled.filter((secret) => secret !== undefined)
    expect(secrets).toHaveLength(1)
    app.clock.advance(30)
    const later = app.agent()
    await signIn(app, later)
    await enterCode(later, codeOf(secrets[0] ?? '', app.clock.now()))
    expect(await sessionOf(later)).not.toBeNull()
  }),
]
