import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest'
import { createAuth } from '../../src/instance/create-auth.ts'
import GitHub from '../../src/providers/github.ts'
import { createReactAuth, type SessionProviderProps } from '../../src/react.ts'

const { SessionProvider, useSession, useSuspenseSession } = createReactAuth()
const ada = { user: { name: 'Ada' }, expires: '2030-01-01T00:00:00.000Z' }

function Who() {
  const { status, data } = useSession()
  return `${status}: ${String(data?.user?.name)}`
}

const SuspendingWho = () => useSuspenseSession()?.user?.name ?? 'nobody'

const render = (component: () => string, props: SessionProviderProps) =>
  renderToString(createElement(SessionProvider, props, createElement(component)))

describe('the session of a page on the server', () => {
  it('EMB-026 is the one that the provider receives', () => {
    expect(render(Who, { session: ada })).toBe('authenticated: Ada')
    expect(render(Who, { session: null })).toBe('unauthenticated: undefined')
    expect(render(SuspendingWho, { session: ada })).toBe('Ada')
    expect(render(SuspendingWho, { session: null })).toBe('nobody')
  })

  it('EMB-026 is loading without one, and never that of another user', () => {
    render(Who, { session: ada })
    expect(render(Who, {})).toBe('loading: undefined')
    expect(() => render(SuspendingWho, {})).toThrow('needs the prop `session`')
  })

  it('EMB-026 CC-12 is never that of another user, on a server with a document', () => {
    const fetch = vi.fn(async () => Response.json(ada))
    vi.stubGlobal('document', {})
    vi.stubGlobal('fetch', fetch)
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(() => render(SuspendingWho, {})).toThrow('needs the prop `session`')
    expect(fetch).not.toHaveBeenCalled()
  })

  it('EMB-026 CC-12 is never that of another user, with a React that does not say that it is on a server', async () => {
    const fetch = vi.fn(async () => Response.json(ada))
    vi.stubGlobal('fetch', fetch)
    // `preact/compat` of Preact 10 ignores the third argument.
    vi.doMock('react', async (load) => ({
      ...(await load<object>()),
      useSyncExternalStore: (_: unknown, read: () => unknown) => read(),
    }))
    vi.resetModules()
    onTestFinished(() => {
      vi.doUnmock('react')
      vi.resetModules()
      vi.unstubAllGlobals()
    })
    const other = (await import('../../src/react.ts')).createReactAuth()
    const Name = () => other.useSuspenseSession()?.user?.name ?? 'nobody'
    const Page = () => createElement(other.SessionProvider, { children: createElement(Name) })
    expect(() => renderToString(createElement(Page))).toThrow('needs the prop `session`')
    expect(fetch).not.toHaveBeenCalled()
  })

  it('has the types of the configuration', () => {
    const auth = createAuth({
      providers: [GitHub],
      callbacks: { session: ({ session }) => ({ expires: session.expires, role: 'admin' }) },
    })
    const react = createReactAuth<typeof auth>()
    expectTypeOf(react.useSuspenseSession).returns.toEqualTypeOf<{ role: string; expires: string } | null>()
    expectTypeOf(react.signIn).parameter(0).toEqualTypeOf<'github' | undefined>()
  })

  it('needs a provider', () => {
    expect(() => renderToString(createElement(Who))).toThrow('`useSession` needs a `SessionProvider`')
  })
})
