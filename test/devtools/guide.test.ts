import { createInspector, type StatelyInspectionEvent } from '@statelyai/inspect'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { inspectRun } from '../../docs/examples/devtools/inspect-run.ts'
import { printRun } from '../../docs/examples/devtools/print-run.ts'

const run = { flow: 'sign-out', hops: [{ event: 'csrf.mismatched' }] }

describe('the devtools guide', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  it('has a program that mounts devtools, which record the other handler', async () => {
    vi.stubEnv('NODE_ENV', 'development')
    vi.stubEnv('AUTH_SECRET', 'a secret of the guide, long enough')
    vi.stubEnv('AUTH_GITHUB_ID', 'client')
    try {
      const { handle, devtools } = await import('../../docs/examples/devtools/mount.ts')
      const ask = async (path: string) => (await handle(new Request(`http://localhost:3000${path}`))).text()
      expect(await ask('/auth/session')).toBe('null')
      expect(devtools?.runs()).toMatchObject([{ flow: 'session', state: 'anonymous' }])
      expect(await ask('/devtools')).toContain('GET session')
      expect(await ask('/')).toBe('The pages of your site')
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('has programs that send a run to an inspector and to any observer', async () => {
    const fetched: unknown[] = []
    vi.stubGlobal('fetch', async (path: unknown) => {
      fetched.push(path)
      return Response.json(run)
    })
    const received: StatelyInspectionEvent[] = []
    await inspectRun('7', createInspector({ send: (event) => void received.push(event) }))
    expect(fetched).toEqual(['/devtools/runs/7.json'])
    const events = () => received.flatMap((each) => (each.type === '@xstate.event' ? [each.event.type] : []))
    await expect.poll(events, { timeout: 20_000 }).toContain('csrf.mismatched')

    const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
    printRun(run)
    expect(printed.mock.calls).toEqual([
      ['xstate.init', 'checkingCsrf'],
      ['csrf.mismatched', 'refused'],
    ])
  })
})
