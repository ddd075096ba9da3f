import type { Call, Situation, Stage } from '../situation.ts'
import { ada, formProvider, store, throwError } from './support.ts'

const cookie = '__Secure-authjs.session-token'

function withTokens(title: string, call: Call, change: (stage: Stage) => void): Situation {
  return {
    group: 'Session and sign-out',
    title,
    async play(stage) {
      stage.config.providers = [formProvider()]
      await stage.visit({ path: '/auth/callback/form', form: {} })
      change(stage)
      return call
    },
  }
}

function withRows(title: string, call: Call, broken: string): Situation {
  return {
    group: 'Session and sign-out',
    title,
    async play(stage) {
      const faulty = new Set<string>()
      const adapter = store(faulty)
      await adapter.createUser?.({ ...ada, emailVerified: null })
      const expires = new Date(Date.now() + 3_600_000)
      await adapter.createSession?.({ sessionToken: 'session-of-ada', userId: 'ada', expires })
      stage.cookies.set(cookie, 'session-of-ada')
      Object.assign(stage.config, { adapter, session: { strategy: 'database' } })
      faulty.add(broken)
      return call
    },
  }
}

const read = { path: '/auth/session' }
const leave = { path: '/auth/signout', form: {} }

export const sessionSituations: readonly Situation[] = [
  withTokens('works', read, () => undefined),
  withTokens('unreadable cookie', read, ({ cookies }) => void cookies.set(cookie, 'nonsense')),
  withTokens('`jwt` callback throws', read, ({ config }) => {
    config.callbacks = { jwt: throwError }
  }),
  withTokens('`session` callback throws', read, ({ config }) => {
    config.callbacks = { session: throwError }
  }),
  withTokens('update without a CSRF token', { path: '/auth/session', form: {} }, ({ config }) => {
    config.skipCSRFCheck = undefined
  }),
  withTokens('sign-out works', leave, () => undefined),
  withTokens('sign-out without a CSRF token', leave, ({ config }) => {
    config.skipCSRFCheck = undefined
  }),
  withRows('store: `getSessionAndUser` throws', read, 'getSessionAndUser'),
  withRows('store: `updateSession` throws', read, 'updateSession'),
  withRows('sign-out, store: `deleteSession` throws', leave, 'deleteSession'),
]
