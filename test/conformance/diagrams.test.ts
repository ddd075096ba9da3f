import { beforeAll, describe, expect, it } from 'vitest'
import { recordFailures } from '../../fuzz/report/diagrams.ts'
import { writeReports } from '../../fuzz/report/formats.ts'
import { makeReport, mergeReports, type ConformanceReport } from '../../fuzz/run/report.ts'
import { failure } from './support.ts'
import { judgeWithoutGuard } from './without-guard.ts'

describe('the diagrams beside a report', () => {
  let report: ConformanceReport
  beforeAll(async () => {
    report = await judgeWithoutGuard('oidc/state-not-compared', ['TX-02'])
  }, 60_000)

  it('have a story for each failure, to which the page links', async () => {
    const stories = recordFailures(report).map(({ id }) => id)
    expect(stories).toContain('oidc-state-not-compared-TX-02')
    const [page, diagrams, ...others] = await writeReports('html', [report])
    expect(others).toEqual([])
    expect([page?.name, diagrams?.name]).toEqual(['report.html', 'diagrams.html'])
    const links = [...(page?.content.matchAll(/href="diagrams\.html#play\/([^"]+)"/g) ?? [])]
    expect(links.map(([, id]) => id)).toEqual(stories)
    expect(page?.content.length).toBeLessThan(300_000)
  })

  it('show the transition that was taken, and those that should have stopped the attack', () => {
    const [story] = recordFailures(report)
    const stops = story?.stops ?? []
    expect(stops).toMatchObject([{ flow: 'callback', state: 'checkingResponse', isEntered: true }])
    expect(stops[0]?.edges).toContainEqual({ event: 'state.mismatched', next: 'refused' })
    expect(story?.frames[stops[0]?.at ?? 0]).toMatchObject({
      state: 'checkingResponse',
      event: 'code.received',
    })
    expect(story?.frames.at(-1)).toMatchObject({ kind: 'check', id: 'TX-02', holds: false })
  })

  it('tell who sent each request, and what the application called', () => {
    const frames = recordFailures(report)[0]?.frames ?? []
    expect(frames).toContainEqual({ kind: 'request', by: 'ada', text: 'POST signin/plain' })
    expect(frames).toContainEqual({ kind: 'note', text: 'eve consents at plain' })
    expect(frames).toContainEqual({ kind: 'call', to: 'provider', text: 'POST /token' })
  })

  it('contain no secret of the run', () => {
    expect(JSON.stringify(recordFailures(report))).not.toMatch(/[A-Za-z0-9_-]{40,}|code=|state=/)
  })

  it('are also written for merged reports', async () => {
    const read = JSON.parse(JSON.stringify(report)) as ConformanceReport
    expect(await writeReports('html', [mergeReports([read])])).toHaveLength(2)
  })

  it('do not exist for a target that does not report its transitions', async () => {
    const about = { target: 'a', profile: 'ci', seed: 1, took: 1, only: ['TX-02'] } as const
    const [page, ...others] = await writeReports('html', [makeReport(about, [failure('TX-02')])])
    expect(others).toEqual([])
    expect(page?.content).not.toContain('diagrams.html')
  })
})
