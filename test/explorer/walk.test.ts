import { describe, expect, it } from 'vitest'
import { charts, graphOf, replayRun } from '../../machines/index.ts'
import { explorerData } from '../../src/tools/explorer/make-embedded.ts'
import { readData } from './read-data.ts'
import { findPaths, hopsFrom, beginsAt } from '../../src/tools/explorer/walk.ts'
import { readRecordings } from '../../src/tools/explorer/read-recordings.ts'
import { recordRuns } from '../../src/tools/explorer/record-run.ts'
import { writeSequence } from '../../src/tools/explorer/write-sequence.ts'

const { says, code, tests, attacks } = readData(explorerData)
const graphs = Object.values(charts).map(graphOf)

describe('paths', () => {
  it.each(graphs)('to each outcome of $id are paths of its machine', (graph) => {
    for (const { id } of graph.nodes.filter(({ kind }) => kind === 'final')) {
      const { paths } = findPaths(graph, says[graph.id] ?? {}, id)
      const isFault = graph.edges.some(({ source, target }) => source === undefined && target === id)
      if (!isFault) expect(paths.length, id).toBeGreaterThan(0)
      for (const hops of paths.slice(0, 20)) {
        const actor = replayRun({ flow: graph.id, hops }).start()
        expect(actor.getSnapshot().value).toEqual(id)
      }
    }
  })

  it('are sorted by length and visit no state twice', () => {
    const { paths } = findPaths(graphOf(charts.callback), says['callback'] ?? {}, 'signedIn')
    const lengths = paths.map(({ length }) => length)
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b))
    for (const hops of paths) expect(new Set(hops.map(({ state }) => state)).size).toBe(hops.length)
  })

  it.each(graphs)('can be chosen event by event in $id', (graph) => {
    for (const { id, kind } of graph.nodes)
      if (kind === 'working') expect(hopsFrom(graph, says[graph.id] ?? {}, id), id).not.toEqual([])
    expect(beginsAt(graph)).toMatch(/\w/)
  })
})

describe('what the explorer knows about a state', () => {
  it('names the file of each step', () => {
    const steps = new Set(graphs.flatMap(({ nodes }) => nodes.flatMap(({ step }) => step ?? [])))
    expect([...steps].filter((step) => code[step] === undefined)).toEqual([])
    expect(code['exchangeCode']).toBe('src/flows/oauth/identity.ts')
  })

  it('names the tests and attacks of requirements', () => {
    expect(tests['TX-02']?.some.join()).toMatch(/\.test\.ts/)
    expect(attacks['TX-05']?.map(({ id }) => id)).toContain('GHSA-x445-f3h2-j279')
  })
})

describe('recordings', () => {
  const hop = {
    state: 'checkingCsrf',
    event: 'csrf.mismatched',
    next: 'refused',
    calls: [{ to: 'store', name: 'getUser' }],
  }
  const run = {
    id: '1-ab',
    flow: 'sign-out',
    request: 'POST signout',
    hops: [hop],
    state: 'refused',
  }

  it('of devtools become frames in order', () => {
    const [recording] = readRecordings(JSON.stringify(run)) ?? []
    expect(recording?.frames.map(({ kind }) => kind)).toEqual(['request', 'call', 'hop', 'reply'])
    expect(readRecordings(JSON.stringify([run, { ...run, id: '2-cd' }]))).toHaveLength(2)
  })

  it.each([
    ['Expected JSON', 'no JSON'],
    ['Expected a run or a list of runs, got an empty list', '[]'],
    ['`id` must be a string, got undefined', '7'],
    ['`id` must be a string, got undefined', '{}'],
    ['`state` must be a string, got a value of type number', { ...run, state: 7 }],
    ['`request` must be a string, got undefined', { ...run, request: undefined }],
    ['`[1].flow` must be a string, got null', [run, { ...run, flow: null }]],
    ['`hops` must be a list, got a value of type object', { ...run, hops: {} }],
    ['`hops[0].state` must be a string, got undefined', { ...run, hops: [null] }],
    ['`hops[0].next` must be a string, got an array', { ...run, hops: [{ ...hop, next: [] }] }],
    [
      '`hops[0].milliseconds` must be a number, got a value of type string',
      { ...run, hops: [{ ...hop, milliseconds: '1' }] },
    ],
    ['`hops[0].calls` must be a list, got a value of type number', { ...run, hops: [{ ...hop, calls: 1 }] }],
    [
      '`hops[1].calls[0].to` must be a string, got undefined',
      { ...run, hops: [hop, { ...hop, calls: [{}] }] },
    ],
  ])('are rejected with what was expected, and what was there: %s', (message, content) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    expect(() => readRecordings(text)).toThrow(message)
  })

  it('are written as Mermaid sequence diagrams', () => {
    expect(writeSequence(recordRuns('x', 'A run; with signs', [run]))).toBe(
      [
        'sequenceDiagram',
        '  accTitle: A run#59; with signs',
        '  participant browser',
        '  participant application',
        '  participant store',
        '  browser->>application: POST signout',
        '  application->>store: getUser',
        '  Note over application: checkingCsrf - csrf.mismatched',
        '  application-->>browser: refused',
      ].join('\n'),
    )
  })
})
