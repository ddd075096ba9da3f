import { beforeEach, describe, expect, it, vi } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import type { QwikActionEvent, QwikEvent } from '../../src/integrations/qwik/serve-event.ts'
import { issuer, openApp, origin, signIn as signInAt } from '../support/app.ts'
import { openQwikApp } from './event.ts'

type Act = (data: object, event: QwikActionEvent) => Promise<unknown>
type Load = (event: QwikEvent) => unknown

/** The platform according to the bundler, and the arguments of the mocks below. */
const qwik = vi.hoisted(() => ({
  isServer: true,
  acts: [] as Act[],
  loads: [] as Load[],
}))

// Qwik's optimizer turns a function into one that is loaded when it is called. Tests have no optimizer.
vi.mock('@builder.io/qwik', () => ({
  implicit$FirstArg: (take: (qrl: Load) => unknown) => (given: Load) => take(async (event) => given(event)),
}))
vi.mock('@builder.io/qwik/build', () => ({
  get isServer() {
    return qwik.isServer
  },
}))
vi.mock('@builder.io/qwik-city', () => ({
  globalAction$: (act: Act) => {
    qwik.acts.push(act)
    return act
  },
  routeLoader$: (load: Load) => {
    qwik.loads.push(load)
    return load
  },
}))

const library = await import('../../src/integrations/qwik/auth.qwik.ts')

beforeEach(() => {
  qwik.isServer = true
  qwik.acts = []
  qwik.loads = []
})

function open() {
  const app = openApp()
  const configure = vi.fn((_event: QwikEvent) => app.config)
  const auth = library.serverAuth$(configure)
  return { app, configure, auth, city: openQwikApp(app) }
}

describe('serverAuth$', () => {
  it('INT-001 receives the configuration from a function of the event', async () => {
    const { auth, configure, city } = open()
    for (const act of [
      auth.onRequest,
      ...qwik.acts.map((each) => (event: QwikActionEvent) => each({}, event)),
    ]) {
      const { event } = await city.send('/', act)
      expect(configure).toHaveBeenCalledTimes(1)
      expect(configure.mock.lastCall?.[0]).toBe(event)
      configure.mockClear()
    }
  })

  it('INT-002 returns onRequest, useSession, useSignIn and useSignOut', async () => {
    const { app, auth, city } = open()
    expect(Object.keys(auth).toSorted()).toEqual(['onRequest', 'useSession', 'useSignIn', 'useSignOut'])
    const signIn = qwik.acts.find((act) => Object.is(act, auth.useSignIn))
    const signOut = qwik.acts.find((act) => Object.is(act, auth.useSignOut))
    const session = qwik.loads.find((load) => Object.is(load, auth.useSession))
    const started = await city.send('/', (event) => Promise.resolve(signIn?.({ providerId: 'idp' }, event)))
    expect(new URL(started.redirect?.location ?? '').origin).toBe(issuer)
    await signInAt(app, city.agent)
    const page = await city.send('/', auth.onRequest)
    expect(session?.(page.event)).toMatchObject({ user: { name: 'Ada' } })
    const ended = await city.send('/', (event) => Promise.resolve(signOut?.({ redirectTo: '/bye' }, event)))
    expect(ended.redirect?.location).toBe(`${origin}/bye`)
    expect(session?.((await city.send('/', auth.onRequest)).event)).toBeNull()
  })

  it('EMB-013 does not read the configuration in a browser, so that a bundler drops the code that does', async () => {
    const { auth, configure, city } = open()
    qwik.isServer = false
    await city.send('/', auth.onRequest)
    expect(configure).not.toHaveBeenCalled()
  })

  it('EMB-013 has names that Qwik compiles and removes from the browser bundle', () => {
    expect(manifest.exports['./qwik']).toMatch(/\.qwik\.ts$/)
    expect(library.serverAuth$).toBe(library.QwikAuth$)
    expect(library.serverAuthQrl).toBe(library.QwikAuthQrl)
  })
})
