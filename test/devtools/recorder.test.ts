import { describe, expect, it } from 'vitest'
import { charts } from '../../machines/by-id.ts'
import { findEdge, graphOf } from '../../machines/graph.ts'
import { systemPlatform } from '../../src/platform/clock.ts'
import { findAdvice } from '../../src/tools/devtools/advice.ts'
import { failureOf, groupRuns, summarise, summariseGroup } from '../../src/tools/devtools/summary.ts'
import { explainError } from '../../src/errors/explanations.ts'
import type { RecordedRun } from '../../src/tools/devtools/recorded-run.ts'
import { createRecorder, kept } from '../../src/tools/devtools/recorder.ts'
import type { TracedCookies, TracedEnd } from '../../src/types/trace.ts'
import { CallbackRouteError, MissingSecret } from '../../src/errors.ts'

const begun = { chart: charts['sign-out'], flow: 'sign-out', method: 'POST', action: 'signout' }
const none = (): TracedCookies => new Map()
const succeeded: TracedEnd = { ending: 'success', error: undefined, sent: none }
const first = { state: 'checkingCsrf', event: 'csrf.accepted', next: 'readingCookie' }

function open() {
  let time = 0
  const recorder = createRecorder({
    now: () => 1_900_000_000_000 + time,
    ticks: () => time,
    randomBytes: systemPlatform.randomBytes,
  })
  return { recorder, pass: (milliseconds: number) => void (time += milliseconds) }
}

describe('the recorder', () => {
  it('measures the time of each step', () => {
    const { recorder, pass } = open()
    pass(500)
    const trace = recorder.begin({ ...begun, provider: 'idp' }, none)
    pass(2.25)
    trace.hop(first)
    pass(40)
    trace.hop({ state: 'readingCookie', event: 'cookie.absent', next: 'signedOut' })
    trace.end(succeeded)
    expect(recorder.list()).toEqual([
      {
        id: trace.id,
        group: trace.id,
        flow: 'sign-out',
        request: 'POST signout/idp',
        startedAt: 1_900_000_000_500,
        hops: [
          { ...first, milliseconds: 2.25 },
          { state: 'readingCookie', event: 'cookie.absent', next: 'signedOut', milliseconds: 40 },
        ],
        state: 'signedOut',
        ending: 'success',
        errors: [],
      },
    ])
    const [run] = recorder.list()
    expect(run && summarise(run, '/devtools')).toMatchObject({ look: 'success', took: '42 ms', reason: '' })
  })

  it('reports a run as it proceeds, until the last listener unsubscribes', () => {
    const { recorder } = open()
    const received: RecordedRun[] = []
    const stop = recorder.listen((change) => {
      if (change.type === 'run') received.push(change.run)
    })
    const trace = recorder.begin(begun, none)
    trace.hop(first)
    trace.hop({ state: 'readingCookie', event: 'fault', next: 'faulted', fault: new TypeError('secret') })
    trace.end({ ending: 'fault', error: new CallbackRouteError(new TypeError('secret')), sent: none })
    expect(received.map(({ state, ending, errors }) => ({ state, ending, errors }))).toEqual([
      { state: 'checkingCsrf', ending: undefined, errors: [] },
      { state: 'readingCookie', ending: undefined, errors: [] },
      { state: 'faulted', ending: undefined, errors: ['TypeError'] },
      { state: 'faulted', ending: 'fault', errors: ['CallbackRouteError', 'TypeError'] },
    ])
    stop()
    recorder.begin(begun, none)
    expect(received).toHaveLength(4)
  })

  it('names the first fault of a run whose cleanup fails, too', () => {
    const { recorder } = open()
    const trace = recorder.begin(begun, none)
    trace.hop({ ...first, event: 'fault', next: 'restoringToken', fault: new TypeError('x') })
    trace.hop({ state: 'restoringToken', event: 'fault', next: 'faulted', fault: new RangeError('x') })
    expect(recorder.list()).toMatchObject([{ state: 'faulted', errors: ['TypeError'] }])
  })

  it('DEC-37c keeps the last runs of each flow, the newest first, independently of other flows', () => {
    const { recorder } = open()
    const early = recorder.begin({ ...begun, flow: 'callback' }, none)
    const outlived = recorder.begin(begun, none)
    for (let n = 0; n < 5 * kept; n++) recorder.begin(begun, none).hop(first)
    outlived.hop(first)
    const runs = recorder.list()
    expect(runs).toHaveLength(kept + 1)
    expect(runs.map(({ id }) => Number(id))).toEqual(
      runs.map(({ id }) => Number(id)).toSorted((a, b) => b - a),
    )
    expect(runs.at(-1)?.id).toBe(early.id)
    expect(recorder.find(outlived.id)).toBeUndefined()
    expect(recorder.find(early.id)?.flow).toBe('callback')
  })
})

describe('the recorder, when runs are removed', () => {
  it('keeps none, notifies its listeners, and ignores the rest of a run', () => {
    const { recorder } = open()
    const trace = recorder.begin(begun, none)
    recorder.reject(new MissingSecret('secret'))
    expect(recorder.fault()).toEqual(['MissingSecret'])
    const changes: string[] = []
    recorder.listen(({ type }) => void changes.push(type))
    recorder.clear()
    trace.hop(first)
    expect([recorder.list(), recorder.fault(), changes]).toEqual([[], [], ['clear']])
    recorder.begin(begun, none)
    expect(recorder.list()).toHaveLength(1)
  })
})

describe('the summary of a group', () => {
  const makeRun = (id: number, group: number, flow: string, state: string): RecordedRun => ({
    id: `${id}-a`,
    group: `${group}-a`,
    flow,
    request: `GET ${flow}/idp`,
    startedAt: 0,
    hops: [],
    state,
    ending: 'success',
    errors: [],
  })

  it('describes what the runs did, whatever else the page reads', () => {
    const runs = [
      makeRun(1, 1, 'webauthn-options', 'optionsSent'),
      makeRun(2, 1, 'sign-in', 'sentToProvider'),
      makeRun(3, 3, 'session', 'anonymous'),
      makeRun(4, 1, 'callback', 'signedIn'),
      makeRun(5, 1, 'session', 'sessionShown'),
    ]
    expect(groupRuns(runs.toReversed()).map(summariseGroup)).toEqual([
      { id: '3-a', title: 'Session', look: 'success', outcome: 'Nobody is signed in.', count: '1 request' },
      {
        id: '1-a',
        title: 'Sign-in with idp',
        look: 'success',
        outcome: 'The browser has a new session.',
        count: '4 requests',
      },
    ])
  })
})

describe('the advice', () => {
  const graphs = Object.values(charts).map(graphOf)

  it('exists for every failure of a flow', () => {
    for (const graph of graphs)
      for (const { event, target } of graph.edges) {
        const ending = graph.nodes.find(({ id }) => id === target)?.ending
        if (ending === undefined || ending === 'success') continue
        const { reason = '', todo = '' } = findAdvice(event) ?? {}
        expect(reason, `${graph.id}: ${event}`).toMatch(/^[A-Z].{10,}\.$|^[a-z]+ answered .*\.$/)
        expect(todo, `${graph.id}: ${event}`).toMatch(/^[A-Za-z].{10,}\.$/)
      }
  })

  it('is given only for the last event of a failed run', () => {
    const hops = [{ ...first, milliseconds: 1 }]
    const run = { id: '1', group: '1', flow: 'sign-out', request: '', startedAt: 0, hops, errors: [] }
    expect(failureOf({ ...run, state: 'readingCookie' })).toBeUndefined()
    expect(failureOf({ ...run, state: 'signedOut', ending: 'success' })).toBeUndefined()
    const mismatch = { state: 'checkingCsrf', event: 'csrf.mismatched', next: 'refused', milliseconds: 1 }
    expect(failureOf({ ...run, hops: [mismatch], state: 'refused', ending: 'refusal' })).toEqual({
      state: 'checkingCsrf',
      event: 'csrf.mismatched',
      ...findAdvice('csrf.mismatched'),
    })
  })

  it('is the explanation of the cause, if the library has one for a fault', () => {
    const fault = { state: 'storingSession', event: 'fault', next: 'faulted', milliseconds: 1 }
    const run = {
      id: '1',
      group: '1',
      flow: 'callback',
      request: '',
      startedAt: 0,
      hops: [fault],
      state: 'faulted',
    }
    const reasonOf = (...errors: string[]) => failureOf({ ...run, ending: 'fault', errors })?.reason
    for (const errors of [['AdapterError'], ['CallbackRouteError', 'AdapterError']])
      expect(reasonOf(...errors), errors.join()).toBe(explainError('AdapterError')?.sentence)
    for (const errors of [[], ['CallbackRouteError'], ['CallbackRouteError', 'TypeError']])
      expect(reasonOf(...errors), errors.join()).toBe(findAdvice('fault')?.reason)
  })

  it('refers only to existing events', () => {
    const heard = new Set(graphs.flatMap(({ edges }) => edges.map(({ event }) => event)))
    expect(heard.has('state.mismatched')).toBe(true)
    expect(findAdvice('no.such.event')).toBeUndefined()
    const callback = graphs.find(({ id }) => id === 'callback')
    expect(callback && findEdge(callback, 'checkingResponse', 'state.mismatched')?.target).toBe('refused')
  })
})
