import { expect, it, vi } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory.ts'
import { listCauses } from '../../src/errors/connection-problem.ts'
import { customFetch, passwords, platform } from '../../src/types/symbols.ts'
import { scenarios } from '../flows/scenarios/index.ts'
import type { Scenario } from '../flows/scenario.ts'
import { openApp, type App } from '../support/app.ts'

vi.setConfig({ testTimeout: 300_000 })

/** The error that a function of the configuration throws. */
class Marked extends Error {
  readonly code = 'ECANARY'
  constructor() {
    super('canary-message')
  }
}

type Operation = (this: unknown, ...args: unknown[]) => unknown

/** Counts the calls of the functions in a configuration, and makes the first call of one of them throw. */
interface Watch {
  readonly calls: Set<string>
  readonly fails?: string
  thrown?: Marked
}

/** Errors that need not be in the log, each with the reason. */
const expected: readonly (readonly [lost: RegExp, why: string])[] = [
  [
    /^config\.adapter\.getPassword: (PW-09|AL-13)/,
    'without a user, the call only makes the response take as long, and a database may reject the id (PW-07)',
  ],
  [
    /^config\.adapter\.(deleteFactor: .*application-removes-factor|deleteUser: .*without a list of revocations)/,
    'the call of the application itself rejects',
  ],
]

/** Hooks to which the requirement does not apply: the logger itself, and the clock. */
const excluded = /^config\.(logger|platform\.(now|timer)|adapter\.toJSON)/

/** Operations of optional features, whose own tests call them, and one that no flow of these scenarios calls. */
const uncalled = [
  'getRecord',
  'setRecord',
  'deleteRecord',
  'getKeyedRecord',
  'setKeyedRecord',
  'deleteKeyedRecord',
  'deleteSessionsByUserId',
]

/** Functions that an application may configure. Each must be called by some scenario. */
const hooks = [
  ...['signIn', 'jwt', 'session', 'redirect', 'rateLimit', 'endSession'].map(
    (name) => `config.callbacks.${name}`,
  ),
  ...[
    'signIn',
    'signOut',
    'createUser',
    'updateUser',
    'deleteUser',
    'linkAccount',
    'unlinkAccount',
    'session',
  ].map((name) => `config.events.${name}`),
  ...['updatePassword', 'updateSecondFactor'].map((name) => `config.events.${name}`),
  ...['encode', 'decode', 'isRevoked', 'revocations.find', 'revocations.add'].map(
    (name) => `config.jwt.${name}`,
  ),
  ...['describe', 'generateSessionToken', 'signInMaxAge'].map((name) => `config.session.${name}`),
  ...['sendLink', 'sendNotice'].map((name) => `config.emailChange.${name}`),
  ...['sendVerificationRequest', 'generateVerificationToken', 'normalizeIdentifier'].map(
    (name) => `config.providers(email).${name}`,
  ),
  ...['profile', 'account', 'token.conform', 'custom-fetch'].map((name) => `config.providers(oidc).${name}`),
  ...['token.request', 'userinfo.request'].map((name) => `config.providers(oauth).${name}`),
  ...['authorize', 'passwords.sendLink', 'passwords.check'].map(
    (name) => `config.providers(credentials).${name}`,
  ),
  ...['getRelayingParty', 'getUserInfo'].map((name) => `config.providers(webauthn).options.${name}`),
  'config.platform.fetch',
  'config.redirectProxy.allow',
  'config.secondFactor.findStep',
]

/** Returns a copy of a value of the configuration, with its functions watched. */
function watch(value: unknown, path: string, state: Watch): unknown {
  if (excluded.test(path)) return value
  if (typeof value === 'function') return watchFunction(value as Operation, path, state)
  if (Array.isArray(value)) return value.map((each) => watch(each, `${path}${nameOf(each)}`, state))
  if (typeof value !== 'object' || value === null) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const copy = Object.create(prototype, Object.getOwnPropertyDescriptors(value)) as object
  for (const key of Reflect.ownKeys(value)) {
    const descriptor = Object.getOwnPropertyDescriptor(value, key)
    const isHook = typeof key === 'string' || [customFetch, passwords, platform].some((hook) => hook === key)
    if (!isHook || !descriptor || !('value' in descriptor)) continue
    const name = typeof key === 'symbol' ? key.description?.replace(/.*\./, '') : key
    Object.defineProperty(copy, key, {
      ...descriptor,
      value: watch(descriptor.value, `${path}.${name}`, state),
    })
  }
  return copy
}

function nameOf(provider: unknown): string {
  const { type } = Object(provider) as { type?: unknown }
  return typeof type === 'string' ? `(${type})` : ''
}

function watchFunction(operation: Operation, path: string, state: Watch): Operation {
  const watched: Operation = function (this: unknown, ...args) {
    state.calls.add(path)
    if (state.fails !== path || state.thrown) return operation.apply(this, args)
    state.thrown = new Marked()
    throw state.thrown
  }
  return watched
}

/** The responses, log entries and rejections of a run. */
interface Outcome {
  readonly sent: string[]
  readonly reported: unknown[]
  readonly hasEnded: boolean
}

/** Runs a scenario, whose own expectations may fail because of the fault. */
async function runWatched({ run }: Scenario, state: Watch): Promise<Outcome> {
  const sent: string[] = []
  const reported: unknown[] = []
  const apps: App[] = []
  const open: typeof openApp = (options) => {
    const app = openApp(options)
    Object.assign(app.config, watch(app.config, 'config', state))
    const note = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
      return (...args: A) =>
        call(...args).catch((error: unknown) => {
          reported.push(error)
          throw error
        })
    }
    const capture = <A extends unknown[]>(call: (...args: A) => Promise<Response>) => {
      return note(async (...args: A) => {
        const response = await call(...args)
        sent.push(await describeResponse(response.clone()))
        return response
      })
    }
    apps.push(app)
    return {
      ...app,
      handle: capture(app.handle),
      agent: () => {
        const agent = app.agent()
        return { ...agent, send: capture(agent.send) }
      },
      accessToken: note(app.accessToken),
      readSession: note(app.readSession),
    }
  }
  const ended = run({ open }).then(
    () => true,
    () => true,
  )
  const waited = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 10_000).unref())
  const hasEnded = await Promise.race([ended, waited])
  return { sent, reported: [...reported, ...apps.flatMap(({ errors }) => errors)], hasEnded }
}

/** Failures that are kept for later requests. Each request gets a copy. */
function isCopyOf(thrown: Marked, cause: unknown): boolean {
  return cause instanceof Marked && cause.code === thrown.code && cause.stack === thrown.stack
}

async function describeResponse(response: Response): Promise<string> {
  return [response.status, ...response.headers, await response.text()].join('\n')
}

it('LOG-01 whatever a hook, a store or a request throws is in the log with code and stack, and in no response', async () => {
  const byHook = new Map<string, Scenario[]>()
  const stuck: string[] = []
  for (const scenario of scenarios) {
    const state: Watch = { calls: new Set() }
    if (!(await runWatched(scenario, state)).hasEnded) stuck.push(scenario.name)
    for (const call of state.calls) byHook.set(call, [...(byHook.get(call) ?? []), scenario])
  }
  expect(stuck, 'scenarios that do not end while they are watched').toEqual([])
  const lost: string[] = []
  let runs = 0
  for (const [hook, users] of byHook)
    for (const scenario of users.slice(0, 3)) {
      const state: Watch = { calls: new Set(), fails: hook }
      const { sent, reported } = await runWatched(scenario, state)
      const { thrown } = state
      if (!thrown) continue
      runs++
      if (!reported.some((error) => listCauses(error).some((cause) => isCopyOf(thrown, cause))))
        lost.push(`${hook}: ${scenario.name}`)
      const leaks = sent.filter((text) => /canary-message|ECANARY|causes\.test/.test(text))
      expect(leaks, hook).toEqual([])
    }
  process.stdout.write(`  ${runs} runs: ${[...byHook.keys()].toSorted().join(', ')}\n`)
  expect(lost.filter((each) => !expected.some(([pattern]) => pattern.test(each)))).toEqual([])
  const called = Object.keys(memoryAdapter()).filter((name) => !uncalled.includes(name))
  const operations = called.map((name) => `config.adapter.${name}`)
  expect([...operations, ...hooks].filter((name) => !byHook.has(name))).toEqual([])
})
