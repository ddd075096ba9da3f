import { createInspector, type StatelyInspectionEvent } from '@statelyai/inspect'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { inspectRun } from '../../docs/examples/devtools/inspect-run.ts'
import { printRun } from '../../docs/examples/devtools/print-run.ts'

const run = { flow: 'sign-out', hops: [{ event: 'csrf.mismatched' }] }

describe('the guide to devtools', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  it('its program mounts devtools, which see what the other handler does', async () => {
    vi.stubEnv('NODE_ENV', 'development')
    vi.stubEnv('AUTH_SECRET', 'a secret of the guide, long enough')
    try {
      const { answer, devtools } = await import('../../docs/examples/devtools/mount.ts')
      const ask = async (path: string) => (await answer(new Request(`http://localhost:3000${path}`))).text()
      expect(await ask('/auth/session')).toBe('null')
      expect(devtools?.runs()).toMatchObject([{ flow: 'session', state: 'anonymous' }])
      expect(await ask('/devtools')).toContain('GET session')
      expect(await ask('/')).toBe('The pages of your site')
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('its programs take a run through an inspector, and any observer', async () => {
    const fetched: unknown[] = []
    vi.stubGlobal('fetch', async (path: unknown) => {
      fetched.push(path)
      return Response.json(run)
    })
    const told: StatelyInspectionEvent[] = []
    await inspectRun('7', createInspector({ send: (event) => void told.push(event) }))
    expect(fetched).toEqual(['/devtools/runs/7.json'])
    const events = () => told.flatMap((each) => (each.type === '@xstate.event' ? [each.event.type] : []))
    await expect.poll(events, { timeout: 20_000 }).toContain('csrf.mismatched')

    const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
    printRun(run)
    expect(printed.mock.calls).toEqual([
      ['xstate.init', 'checkingCsrf'],
      ['csrf.mismatched', 'refused'],
    ])
  })
})
