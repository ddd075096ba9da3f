import { createInspector, type StatelyInspectionEvent } from '@statelyai/inspect'
import { describe, expect, it } from 'vitest'
import { charts, replayRun } from '../../machines/index.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createDevtools, type RecordedRun } from '../../src/devtools.ts'
import { nameOf } from '../../src/flows/engine/run.ts'
import { openApp, origin, signIn, signOut, visitProvider } from '../support/app.ts'
import { openAgent } from '../support/browser-agent.ts'

/** Records runs of real requests: a sign-in, a sign-out, and a response with a changed state. */
async function record(): Promise<readonly RecordedRun[]> {
  const devtools = createDevtools()
  const app = openApp({ strategy: 'database', provider: { checks: ['pkce', 'state', 'nonce'] } })
  const agent = openAgent(origin, createAuth(devtools.watch(app.config)).handler)
  await signIn(app, agent)
  await signOut(agent)
  const { parameters } = await visitProvider(app, agent)
  parameters.set('state', 'changed')
  await agent.send(`/auth/callback/idp?${parameters}`)
  return devtools.runs()
}

const ending = [{ event: 'previous-session.revoked' }, { event: 'user.admitted' }]

describe('a recorded run', () => {
  it('DEC-37e replays as an actor through the same states to the same end', async () => {
    const runs = await record()
    expect(runs.map(({ flow, state }) => `${flow} ${state}`)).toEqual([
      'callback refused',
      'sign-in sentToProvider',
      'sign-out signedOut',
      'callback signedIn',
      'sign-in sentToProvider',
    ])
    for (const run of runs) {
      const json = JSON.parse(JSON.stringify(run)) as RecordedRun
      const actor = replayRun(json)
      const seen: string[] = []
      actor.subscribe(({ value }) => void seen.push(nameOf(value as string)))
      actor.start()
      expect(seen.filter((state, index) => state !== seen[index - 1])).toEqual([
        ...run.hops.map(({ state }) => state),
        run.state,
      ])
      expect(actor.getSnapshot().status).toBe('done')
    }
  })

  it('DEC-37e replays a run that continues a held sign-in from where it was held', () => {
    const events = ['member.unneeded', 'factor.unneeded', 'token.wanted', 'token.issued']
    const hops = events.map((event) => ({ event, state: 'findingMember' }))
    const actor = replayRun({ flow: 'credentials', hops: [...hops, ...ending] }).start()
    expect(actor.getSnapshot()).toMatchObject({ status: 'done', value: 'signedIn' })
  })

  it("DEC-37e appears in Stately's inspector, state by state and event by event", async () => {
    const failed = (await record())[0]
    const received: StatelyInspectionEvent[] = []
    const inspector = createInspector({ send: (event) => void received.push(event) })
    replayRun(failed ?? { flow: '', hops: [] }, { inspect: inspector.inspect }).start()
    const values = () =>
      received.flatMap((each) =>
        each.type === '@xstate.snapshot' && 'value' in each.snapshot
          ? [nameOf(each.snapshot.value as string)]
          : [],
      )
    // The inspector reports when it is idle.
    await expect.poll(values, { timeout: 20_000 }).toContain('refused')
    expect(values()).toEqual(expect.arrayContaining(['openingChecks', 'checkingResponse']))
    const events = received.flatMap((each) => (each.type === '@xstate.event' ? [each.event.type] : []))
    expect(events).toEqual(expect.arrayContaining(['checks.opened', 'state.mismatched']))
  })

  it('stops where it was cut off, and waits there', () => {
    const actor = replayRun({ flow: 'sign-out', hops: [{ event: 'csrf.accepted' }] }).start()
    expect(actor.getSnapshot()).toMatchObject({
      status: 'active',
      value: Object.keys(charts['sign-out'].states)[1],
    })
  })

  it('is rejected if it is from another version or an unknown flow', () => {
    expect(() => replayRun({ flow: 'sing-out', hops: [] })).toThrow(
      new RangeError('There is no flow sing-out'),
    )
    expect(() => replayRun({ flow: 'sign-out', hops: [{ event: 'csrf.forgotten' }] })).toThrow(
      /^The flow sign-out hears no csrf\.forgotten there/,
    )
    expect(() =>
      replayRun({ flow: 'sign-out', hops: [{ event: 'csrf.mismatched' }, { event: 'csrf.accepted' }] }),
    ).toThrow(RangeError)
  })
})
