import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAuthClient } from '../../src/client.ts'
import { watchSession } from '../../src/client/watch-session.ts'
import type { Session } from '../../src/types/records.ts'
import { openApp, signIn, signOut } from '../support/app.ts'
import { openPage } from './tabs.ts'

const patience = { timeout: 20_000, interval: 5 }

/**
 * Functions that end subscriptions after each test, even a failed one: the next test would receive messages on an open
 * channel.
 */
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
  vi.unstubAllGlobals()
})

/** Opens a tab that watches the session, and records the user names that it reports; null without a session. */
function openTab(basePath?: string) {
  const client = createAuthClient({ basePath })
  const reported: (string | null | undefined)[] = []
  const end = client.watchSession((session) => void reported.push(session && session.user?.name))
  ends.push(end)
  return { client, reported, end }
}

const hears = (tab: { readonly reported: unknown[] }, names: unknown[]) =>
  vi.waitFor(() => expect(tab.reported).toEqual(names), patience)

describe('watchSession', () => {
  it('EMB-003 reports the user, and a sign-out in another tab', async () => {
    const app = openApp()
    const agent = app.agent()
    openPage(agent)
    await signIn(app, agent)
    const [here, there] = [openTab(), openTab()]
    await hears(here, ['Ada'])
    await hears(there, ['Ada'])
    await there.client.signOut({ redirect: false })
    expect(there.reported).toEqual(['Ada', null])
    await hears(here, ['Ada', null])
  })

  it('EMB-003 CC-12 keeps nothing of visitors on a server', () => {
    const opened = vi.fn()
    vi.stubGlobal('BroadcastChannel', opened)
    const { add } = watchSession(async () => null, 'authmachine:/auth/')
    const shown = vi.fn()
    add(() => {}, shown)()
    add(() => {}, shown)
    expect(opened).not.toHaveBeenCalled()
    expect(shown).not.toHaveBeenCalled()
  })

  it('EMB-003 notices a sign-out on a page that does not watch the session', async () => {
    const app = openApp()
    const agent = app.agent()
    openPage(agent)
    await signIn(app, agent)
    const here = openTab()
    await hears(here, ['Ada'])
    await createAuthClient().signOut()
    await hears(here, ['Ada', null])
  })

  it('EMB-003 notices a sign-in once the destination page loads', async () => {
    const app = openApp()
    const agent = app.agent()
    openPage(agent)
    const here = openTab()
    await hears(here, [null])
    await signIn(app, agent)
    const there = openTab()
    await hears(there, ['Ada'])
    await hears(here, [null, 'Ada'])
  })

  it('EMB-003 checks again when the user returns to the tab, and does not report an extended session', async () => {
    const app = openApp()
    const agent = app.agent()
    const page = openPage(agent)
    await signIn(app, agent)
    const here = openTab()
    await hears(here, ['Ada'])
    app.clock.advance(60)
    const before = page.asked.length
    page.show()
    await vi.waitFor(() => expect(page.asked.length).toBe(before + 1), patience)
    await signOut(agent)
    page.show()
    await hears(here, ['Ada', null])
  })

  it('EMB-003 keeps applications apart, and stops on unsubscribe', async () => {
    const app = openApp()
    const agent = app.agent()
    const page = openPage(agent)
    await signIn(app, agent)
    const [here, other, ended] = [openTab(), openTab('/other'), openTab()]
    await hears(here, ['Ada'])
    await hears(ended, ['Ada'])
    ended.end()
    await here.client.signOut({ redirect: false })
    const last = openTab()
    await hears(last, [null])
    page.show()
    expect(here.reported).toEqual(['Ada', null])
    expect(ended.reported).toEqual(['Ada'])
    // This application does not serve these routes.
    expect(other.reported).toEqual([])
  })

  it('EMB-003 keeps the last session while the server cannot return one', async () => {
    let isDown = false
    const session = (parameters: { session: object }) => {
      if (isDown) throw new Error('down')
      return parameters.session as never
    }
    const app = openApp({ config: { callbacks: { session } } })
    const agent = app.agent()
    const page = openPage(agent)
    await signIn(app, agent)
    const here = openTab()
    await hears(here, ['Ada'])
    isDown = true
    page.show()
    await vi.waitFor(() => expect(app.errors.length).toBeGreaterThan(0), patience)
    isDown = false
    await signOut(agent)
    page.show()
    await hears(here, ['Ada', null])
  })

  it('EMB-003 compares the session with the one that the page shows', async () => {
    const app = openApp()
    const agent = app.agent()
    const page = openPage(agent)
    const client = createAuthClient()
    let shown: Session | null | undefined = null
    const told: unknown[] = []
    const watch = () => {
      const end = client.watchSession(
        (session) => {
          told.push(session?.user?.name)
          shown = session
        },
        () => shown,
      )
      ends.push(end)
    }
    watch()
    await vi.waitFor(() => expect(page.asked).toHaveLength(1), patience)
    await signIn(app, agent)
    // A page of the server contains the new session.
    shown = await client.getSession()
    await signOut(agent)
    await createAuthClient().signOut({ redirect: false })
    await vi.waitFor(() => expect(told).toEqual([undefined]), patience)
    // The server sent a session again, and another tab reports only the session that this tab last fetched.
    await signIn(app, agent)
    shown = await client.getSession()
    await signOut(agent)
    const channel = new BroadcastChannel('authmachine:/auth/')
    channel.postMessage(JSON.stringify({ expires: '' }))
    await vi.waitFor(() => expect(told).toEqual([undefined, undefined]), patience)
    channel.close()
    // A second listener does not receive the session that the first one fetched before.
    await signIn(app, agent)
    shown = await client.getSession()
    const requests = page.asked.length
    watch()
    await vi.waitFor(() => expect(page.asked).toHaveLength(requests + 1), patience)
    expect(told).toEqual([undefined, undefined])
  })

  it('EMB-003 reports the error of a listener, and notifies the others', async () => {
    const app = openApp()
    const agent = app.agent()
    openPage(agent)
    const errors: unknown[] = []
    vi.stubGlobal('reportError', (error: unknown) => void errors.push(error))
    const broken = new Error('the listener is broken')
    const throwing = () => {
      throw broken
    }
    const { client, reported } = openTab()
    ends.push(client.watchSession(throwing))
    await vi.waitFor(() => expect(reported).toEqual([null]), patience)
    ends.push(client.watchSession(throwing))
    await signIn(app, agent)
    expect(await client.signOut({ redirect: false })).toMatchObject({ ok: true })
    expect(new Set(errors)).toEqual(new Set([broken]))
  })

  it('EMB-003 ends one subscription of a function that has two', async () => {
    const app = openApp()
    const agent = app.agent()
    openPage(agent)
    await signIn(app, agent)
    const client = createAuthClient()
    const listener = vi.fn()
    const [first, second] = [client.watchSession(listener), client.watchSession(listener)]
    ends.push(second)
    await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(2), patience)
    first()
    await client.signOut({ redirect: false })
    expect(listener).toHaveBeenCalledTimes(3)
    expect(listener).toHaveBeenLastCalledWith(null)
  })

  it('EMB-003 reports the response to a request even if a later one fails', async () => {
    vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
    const requests: {
      readonly resolve: (session: Session | null) => void
      readonly reject: (reason: Error) => void
    }[] = []
    const read = () =>
      new Promise<Session | null>((resolve, reject) => void requests.push({ resolve, reject }))
    const watch = watchSession(read, 'failing')
    const listener = vi.fn()
    ends.push(watch.add(listener))
    const told = watch.announce()
    document.dispatchEvent(new Event('visibilitychange'))
    const ada = { user: { name: 'Ada' }, expires: '' }
    requests[2]?.reject(new Error('offline'))
    requests[1]?.resolve(ada)
    await told
    requests[0]?.resolve(null)
    await new Promise((done) => void setTimeout(done))
    expect(listener.mock.calls).toEqual([[ada]])
  })
})
