import { describe, expect, it } from 'vitest'
import { callbackChart } from '../../machines/callback.ts'
import { charts } from '../../machines/by-id.ts'
import { graphOf, type FlowNode } from '../../machines/graph.ts'
import { loadEngine } from '../../src/tools/cli/flows.ts'
import { drawSvg } from '../../src/tools/diagrams/draw-svg.ts'
import { layOut } from '../../src/tools/diagrams/lay-out.ts'
import { faces, measureText } from '../../src/tools/diagrams/boxes.ts'
import { traceFlow, traceNotes, writeMilliseconds } from '../../src/tools/diagrams/trace-marks.ts'
import { findCrossedThings, findOverlaps, listThings } from './overlaps.ts'

const callback = graphOf(callbackChart)
const hop = (state: string, event: string, milliseconds = 1) => ({ state, event, milliseconds })

function nodeAt(place: string): FlowNode {
  const node = callback.nodes.find(({ id }) => id === place)
  if (!node) throw new Error(`there is no state ${place}`)
  return node
}

describe('a trace in a diagram', () => {
  const denied = {
    hops: [
      hop('readingResponse', 'response.read', 0.04),
      hop('openingProxyState', 'hop.none', 12),
      hop('admitting.decidingLink', 'user.new', 100),
      hop('admitting.creatingUser', 'user.unconfirmed', 200),
      hop('admitting.rereading', 'address.owned', 300),
      hop('admitting.decidingLink', 'link.allowed', 1),
      hop('admitting.decidingLink', 'user.denied', 2),
    ],
    state: 'denied',
    ending: 'refusal',
  } as const
  const marks = traceFlow(callback, denied)

  it('highlights the states of a run with the time they took, and their ancestors', () => {
    expect(marks.state(nodeAt('readingResponse'))).toEqual({ look: 'lit', note: '1 · 0.0 ms' })
    expect(marks.state(nodeAt('openingProxyState'))).toEqual({ look: 'lit', note: '2 · 12 ms' })
    expect(marks.state(nodeAt('admitting'))).toEqual({ look: 'lit' })
    expect(marks.state(nodeAt('admitting.recognising'))).toBeUndefined()
    expect(marks.state(nodeAt('exchangingCode'))).toBeUndefined()
  })

  it('highlights the state that failed, whether visited before or not, and the end', () => {
    expect(marks.state(nodeAt('admitting.decidingLink'))).toEqual({
      look: 'lit failing refusal',
      note: '3, 6, … · failed · 103 ms',
    })
    expect(marks.state(nodeAt('denied'))).toEqual({ look: 'lit', note: 'after 615 ms' })
    const well = traceFlow(callback, { ...denied, state: 'signedIn', ending: 'success' })
    expect(well.state(nodeAt('admitting.decidingLink'))?.look).toBe('lit')
  })

  it('highlights the events of the run, on the edges of the states that handle them', () => {
    const out = { source: 'admitting', target: 'denied', events: ['user.denied'], tone: 'refusal' } as const
    expect(marks.event(out, 'user.denied')).toEqual({ look: 'lit refusal' })
    expect(marks.arrow(out)).toBe('lit')
    const on = {
      source: 'readingResponse',
      target: 'openingProxyState',
      events: ['response.read'],
      tone: 'progress',
    } as const
    expect(marks.event(on, 'response.read')).toEqual({ look: 'lit' })
    const not = {
      source: 'readingResponse',
      target: 'refused',
      events: ['response.ambiguous'],
      tone: 'refusal',
    } as const
    expect(marks.event(not, 'response.ambiguous')).toBeUndefined()
    expect(marks.arrow(not)).toBe('')
  })

  it('shows the current state of a run in progress', () => {
    const waiting = { hops: [hop('readingResponse', 'response.read')], state: 'openingProxyState' }
    expect(traceFlow(callback, waiting).state(nodeAt('openingProxyState'))).toEqual({
      look: 'lit current',
      note: '2 · under way',
    })
  })

  it('makes room for every note without overlaps', async () => {
    const engine = await loadEngine()
    for (const chart of Object.values(charts)) {
      const layout = await layOut(graphOf(chart), engine, traceNotes)
      expect(findOverlaps(listThings(layout)), chart.id).toEqual([])
      expect(findCrossedThings(layout), chart.id).toEqual([])
    }
    const widest = (node: FlowNode) => measureText(traceNotes.state(node) ?? '', faces.note)
    expect(measureText('88, 88, … · failed · 100.0 s', faces.note)).toBeLessThanOrEqual(
      widest(nodeAt('readingResponse')),
    )
    expect(measureText('12 · under way', faces.note)).toBeLessThanOrEqual(widest(nodeAt('readingResponse')))
    expect(measureText('after 100.0 s', faces.note)).toBeLessThanOrEqual(widest(nodeAt('denied')))
  }, 60_000)

  it('has a text description', async () => {
    const layout = await layOut(callback, await loadEngine(), traceNotes)
    const [, words = ''] = /<desc[^>]*>([^<]*)/.exec(drawSvg(layout, { linkTo: (id) => id, marks })) ?? []
    expect(words).toContain(
      'admitting.decidingLink runs decideLink (3, 6, … · failed · 103 ms): Decide which user',
    )
  })
})

describe('milliseconds', () => {
  it.each([
    [0, '0.0 ms'],
    [0.44, '0.4 ms'],
    [9.94, '9.9 ms'],
    [9.96, '10 ms'],
    [1234.5, '1235 ms'],
    [12_345, '12.3 s'],
  ])('%d is %s', (milliseconds, text) => {
    expect(writeMilliseconds(milliseconds)).toBe(text)
  })
})
