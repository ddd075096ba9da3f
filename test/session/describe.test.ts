import { describe, expect, it } from 'vitest'
import { createAuth } from '../../src/instance/create-auth.ts'
import type { Adapter } from '../../src/types/adapter.ts'
import type { AuthConfig } from '../../src/types/config.ts'
import type { SessionOptions } from '../../src/types/session-options.ts'
import { openApp, origin, sessionOf, signIn, type AppOptions } from '../support/app.ts'
import { watching, type Call } from '../support/watch-store.ts'

type Describe = NonNullable<SessionOptions['describe']>

/** Signs Ada in, and returns what the site keeps about her session. */
async function keep(describeWith: Describe | undefined, options: AppOptions = {}) {
  const calls: Call[] = []
  const app = openApp({
    strategy: 'database',
    wrap: watching(calls),
    ...options,
    config: { ...options.config, session: { describe: describeWith } },
  })
  const agent = app.agent()
  await signIn(app, agent)
  const session = await sessionOf(agent)
  const [ada] = app.rows.users()
  const listed = await createAuth(app.config).listSessions(ada?.id ?? '')
  return { app, calls, session, listed }
}

const failures: readonly (readonly [string, Describe])[] = [
  [
    'throws',
    () => {
      throw new Error('no place')
    },
  ],
  ['rejects', () => Promise.reject(new Error('no place'))],
  ['returns a number', () => ({ device: 1 as never })],
]

describe('session.describe', () => {
  it('ACP-01 keeps device, address and time of each new session, of the request that completes the sign-in', async () => {
    const seen: string[] = []
    const { app, session, listed } = await keep(async (request) => {
      seen.push(new URL(request.url).pathname)
      return { device: 'Firefox on Linux', address: '203.0.113.7' }
    })
    const createdAt = new Date(app.clock.now())
    expect(seen).toEqual(['/auth/callback/idp'])
    expect(session).toMatchObject({ user: { name: 'Ada' } })
    expect(listed).toMatchObject([{ device: 'Firefox on Linux', address: '203.0.113.7', createdAt }])
  })

  it('ACP-01 keeps the time alone if the function returns nothing', async () => {
    const { app, listed } = await keep(() => null)
    const { id, expires, isCurrent } = listed[0] ?? {}
    expect(listed).toEqual([{ id, expires, isCurrent, createdAt: new Date(app.clock.now()) }])
  })

  it('ACP-01 keeps nothing, and calls no operation, without the option', async () => {
    const { calls, listed } = await keep(undefined)
    expect(calls.map(({ operation }) => operation)).not.toContain('describeSession')
    expect(Object.keys(listed[0] ?? {})).toEqual(['id', 'expires', 'isCurrent'])
  })

  it('ACP-02 cuts long text by characters, and removes control characters', async () => {
    const { listed } = await keep(() => ({
      device: `\0 \u{1F5A5}${'🖥'.repeat(300)}`,
      address: 'a\r\nb\uD800',
    }))
    expect(listed).toMatchObject([{ device: '🖥'.repeat(200), address: 'a b' }])
    const { listed: long } = await keep(() => ({ address: 'x'.repeat(101), device: '\n' }))
    expect(long[0]?.address).toBe('x'.repeat(100))
    expect(Object.keys(long[0] ?? {})).not.toContain('device')
  })

  it.each(failures)('ACP-02 signs in with a warning if the function %s', async (_name, fail) => {
    const { app, session, listed } = await keep(fail)
    expect(session).toMatchObject({ user: { name: 'Ada' } })
    expect(app.warnings).toContain('session-not-described')
    expect(Object.keys(listed[0] ?? {})).toEqual(['id', 'expires', 'isCurrent'])
  })

  it('ACP-02 signs in with a warning if the adapter fails, or the function never returns', async () => {
    const wrap = (store: Adapter): Adapter => ({
      ...store,
      describeSession: () => Promise.reject(new Error('no such column: description')),
    })
    const failed = await keep(() => ({ device: 'Phone' }), { wrap })
    expect(failed.session).toMatchObject({ user: { name: 'Ada' } })
    expect(failed.app.warnings).toContain('session-not-described')
    const stuck = () => {
      setImmediate(() => app.clock.advance(11))
      return new Promise<never>(() => {})
    }
    const app = openApp({ strategy: 'database', config: { session: { describe: stuck } } })
    await signIn(app, app.agent())
    expect(app.ended()).toBe('signedIn')
    expect(app.warnings).toContain('session-not-described')
  })

  it('ACP-03 gives neither createSession nor callbacks.session the description', async () => {
    const shown: unknown[] = []
    const { calls, session } = await keep(() => ({ device: 'Firefox' }), {
      config: { callbacks: { session: ({ session: whole }) => (shown.push(whole), whole) } },
    })
    const { args } = calls.find(({ operation }) => operation === 'createSession') ?? { args: [] }
    expect(Object.keys(args[0] as object)).toEqual(['sessionToken', 'userId', 'expires'])
    expect(JSON.stringify([session, shown])).not.toMatch(/Firefox|description/)
  })

  const { describeSession: _, ...reduced } = openApp().store
  const faults: readonly (readonly [string, AppOptions, object])[] = [
    ['JWT sessions', {}, { type: 'UnsupportedStrategy' }],
    [
      'an adapter without describeSession',
      { strategy: 'database', wrap: () => reduced },
      { type: 'MissingAdapterMethods', message: expect.stringContaining('`describeSession`') as string },
    ],
  ]

  it.each(faults)('ACP-04 is a configuration fault with %s', async (_name, options, fault) => {
    const config: Partial<AuthConfig> = { session: { describe: () => ({}) } }
    const auth = createAuth(openApp({ ...options, config }).config)
    await expect(auth.getSession(new Request(origin))).rejects.toMatchObject(fault)
  })
})
