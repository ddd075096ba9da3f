import { beforeAll, describe, expect, it } from 'vitest'
import { callbackChart } from '../../machines/callback.ts'
import { charts } from '../../machines/by-id.ts'
import { findEdge, graphOf } from '../../machines/graph.ts'
import { loadEngine } from '../../src/tools/cli/flows.ts'
import { coverFlow, type CountedHop } from '../../src/tools/diagrams/coverage-marks.ts'
import { drawSvg } from '../../src/tools/diagrams/draw-svg.ts'
import { layOut, type LayoutEngine } from '../../src/tools/diagrams/lay-out.ts'
import { notesOf } from '../../src/tools/diagrams/marks.ts'
import { writeHtml } from '../../src/tools/diagrams/write-html.ts'
import { findOverlaps, listThings } from './overlaps.ts'

const callback = graphOf(callbackChart)
const hop = (state: string, event: string, next: string, count: number): CountedHop => ({
  flow: 'callback',
  state,
  event,
  next,
  count,
})
const hops = [
  hop('readingResponse', 'response.read', 'openingProxyState', 900),
  hop('readingResponse', 'response.ambiguous', 'refused', 3),
  hop('admitting.callingSignIn', 'user.denied', 'denied', 7),
  hop('admitting.recognising.readingCookie', 'fault', 'faulted', 2),
  hop('exchangingCode', 'fault', 'faulted', 4),
]
const { marks, taken, total, never } = coverFlow(callback, hops)

let engine: LayoutEngine

beforeAll(async () => {
  engine = await loadEngine()
})

describe('the edge of an event', () => {
  it('is that of the innermost state that handles the event', () => {
    expect(findEdge(callback, 'readingResponse', 'response.read')).toEqual({
      source: 'readingResponse',
      event: 'response.read',
      target: 'openingProxyState',
    })
    const denied = { source: 'admitting', event: 'user.denied', target: 'denied' }
    expect(findEdge(callback, 'admitting.callingSignIn', 'user.denied')).toEqual(denied)
    const fault = { event: 'fault', target: 'faulted' }
    expect(findEdge(callback, 'admitting.recognising.readingCookie', 'fault')).toEqual(fault)
    expect(findEdge(callback, 'readingResponse', 'user.denied')).toBeUndefined()
  })
})

describe('the coverage of a flow', () => {
  it('counts an edge for all states that handle its event', () => {
    const notes = new Map(
      callback.edges.map(({ source, event, target }) => {
        const arrow = {
          ...(source !== undefined && { source }),
          target,
          events: [event],
          tone: 'progress',
        } as const
        return [`${source} ${event}`, marks.event(arrow, event)?.note]
      }),
    )
    expect(notes.get('readingResponse response.read')).toBe('×900')
    expect(notes.get('admitting user.denied')).toBe('×7')
    expect(notes.get('undefined fault')).toBe('×6')
    expect(notes.get('exchangingCode code.refused')).toBe('never')
  })

  it('summarises the transitions that were taken and those that never were', () => {
    expect([taken, total]).toEqual([4, callback.edges.length])
    expect(never).toHaveLength(total - taken)
    expect(never).toContain('exchangingCode -(code.refused)-> failed')
    expect(never.join()).not.toContain('response.read')
  })

  it('counts visits of states, and of final states by the event that led there', () => {
    const noteOf = (place: string) => {
      const node = callback.nodes.find(({ id }) => id === place)
      return node && marks.state(node)
    }
    expect(noteOf('readingResponse')).toEqual({ look: 'lit', note: '×903' })
    expect(noteOf('faulted')).toEqual({ look: 'lit', note: '×6' })
    expect(noteOf('signedIn')).toEqual({ look: 'never', note: 'never' })
    expect(noteOf('admitting')).toEqual({ look: 'lit' })
  })

  it('ignores hops of other flows', () => {
    expect(coverFlow(graphOf(charts['sign-out']), hops).taken).toBe(0)
  })

  it('is shown next to every event and state, and as text, without overlaps', async () => {
    const layout = await layOut(callback, engine, notesOf(marks))
    expect(findOverlaps(listThings(layout))).toEqual([])
    const svg = drawSvg(layout, { linkTo: (id) => `#${id}`, marks })
    for (const { event } of callback.edges)
      expect(svg).toMatch(new RegExp(`>${event} <tspan class="note">(×[\\d,]+|never)</tspan>`))
    expect(svg).toMatch(
      /<desc[^>]*>[^<]*In readingResponse, response\.read ×900 leads to openingProxyState\./,
    )
    expect(svg).toMatch(/class="arrow progress lit mostly" data-source="readingResponse"/)
    expect(svg).toMatch(/class="arrow fault never" data-source="exchangingCode"/)
    const html = writeHtml(layout, { coverage: { marks, taken, total, never } })
    expect(html).toContain(`4 of ${total} transitions were taken. Never:`)
    expect(html).toContain('<code>exchangingCode -(code.refused)-> failed</code>')
  })
})
