import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAuthClient } from '../../src/client.ts'
import { openApp, signIn, signOut } from '../support/app.ts'
import { openPage } from './tabs.ts'

const patience = { timeout: 20_000, interval: 5 }

/** Ends what a test watches, also when it fails: an open channel would hear the next test. */
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
  vi.unstubAllGlobals()
})

/** A tab that watches the session, and the names that it was told; null for nobody. */
function openTab(basePath?: string) {
  const client = createAuthClient({ basePath })
  const told: (string | null | undefined)[] = []
  const end = client.watchSession((session) => void told.push(session && session.user?.name))
  ends.push(end)
  return { client, told, end }
}

const hears = (tab: { readonly told: unknown[] }, names: unknown[]) =>
  vi.waitFor(() => expect(tab.told).toEqual(names), patience)

describe('watching the session', () => {
  it('EMB-003 tells who it is, and of a sign-out in another tab', async () => {
    const app = openApp()
    const agent = app.agent()
    openPage(agent)
    await signIn(app, agent)
    const [here, there] = [openTab(), openTab()]
    await hears(here, ['Ada'])
    await hears(there, ['Ada'])
    await there.client.signOut({ redirect: false })
    expect(there.told).toEqual(['Ada', null])
    await hears(here, ['Ada', null])
  })

  it('EMB-003 is told of a sign-out by a page that watches nothing itself', async () => {
    const app = openApp()
    const agent = app.agent()
    openPage(agent)
    await signIn(app, agent)
    const here = openTab()
    await hears(here, ['Ada'])
    await createAuthClient().signOut()
    await hears(here, ['Ada', null])
  })

  it('EMB-003 is told of a sign-in by the page that it leads to', async () => {
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

  it('EMB-003 looks again when the user comes back, and an extended session is no news', async () => {
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

  it('EMB-003 does not mix up applications, and ends when it is told to', async () => {
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
    expect(here.told).toEqual(['Ada', null])
    expect(ended.told).toEqual(['Ada'])
    // Its routes are none of this application's.
    expect(other.told).toEqual([])
  })

  it('EMB-003 keeps what is known while the server cannot tell', async () => {
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
})
