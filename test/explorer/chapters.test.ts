import { describe, expect, it } from 'vitest'
import type { Frame } from '../../src/tools/explorer/data.ts'
import { chaptersOf } from '../../src/tools/explorer/outline.ts'
import { runAt } from '../../src/tools/explorer/run-at.ts'
import { lanesOf, writeSequence } from '../../src/tools/explorer/write-sequence.ts'

const request = (by: string, text: string): Frame => ({ kind: 'request', by, text })
const hop = (flow: string, state: string): Frame => ({ kind: 'hop', flow, state, event: 'done', next: 'end' })
const frames: readonly Frame[] = [
  { kind: 'chapter', text: 'Before the first step' },
  { kind: 'note', text: 'Ada signs in' },
  request('Ada’s phone', 'GET csrf'),
  { kind: 'reply', text: '200' },
  { kind: 'chapter', text: 'Ada requests a link', step: 1 },
  request('Ada’s laptop', 'POST signin/mail'),
  hop('email-request', 'checkingCsrf'),
  { kind: 'call', to: 'mail', text: 'send' },
  { kind: 'reply', text: '302' },
  request('application', 'revokeSessions()'),
  { kind: 'check', id: 'STM-02', holds: false, text: 'The link works' },
]
const recording = { id: 'x', title: 'A sequence', group: 'Sequences', frames, stops: [] }

describe('the chapters of a recording', () => {
  it('are its actions, by number, with requests that know their outcome and their chart', () => {
    expect(chaptersOf(frames)).toEqual([
      {
        at: 0,
        end: 4,
        title: 'Before the first step',
        parts: [
          { at: 1, end: 2 },
          { at: 2, end: 4, outcome: '200' },
        ],
      },
      {
        at: 4,
        end: 10,
        title: '1. Ada requests a link',
        parts: [
          { at: 5, end: 9, outcome: '302', flow: 'email-request' },
          { at: 9, end: 10 },
        ],
      },
    ])
  })

  it('are absent from other recordings', () => {
    expect(chaptersOf([request('ada', 'GET session'), { kind: 'reply', text: '200' }])).toEqual([])
  })
})

describe('the lanes of a recording', () => {
  it('are each browser, the application, and what that calls', () => {
    expect(lanesOf({ frames })).toEqual(['Ada’s phone', 'Ada’s laptop', 'application', 'mailbox'])
    expect(lanesOf({ frames: [{ kind: 'request', text: 'GET session' }] })).toEqual([
      'browser',
      'application',
    ])
  })

  it('are the participants of the Mermaid diagram', () => {
    expect(writeSequence(recording).split('\n  ')).toEqual([
      'sequenceDiagram',
      'accTitle: A sequence',
      'participant lane1 as Ada’s phone',
      'participant lane2 as Ada’s laptop',
      'participant application',
      'participant mailbox',
      'Note over lane1,mailbox: Before the first step',
      'Note over lane1,mailbox: Ada signs in',
      'lane1->>application: GET csrf',
      'application-->>lane1: 200',
      'Note over lane1,mailbox: 1. Ada requests a link',
      'lane2->>application: POST signin/mail',
      'Note over application: checkingCsrf - done',
      'application->>mailbox: send',
      'application-->>lane2: 302',
      'application->>application: revokeSessions()',
      'Note over lane1,mailbox: STM-02 fails',
    ])
  })
})

describe('the chart of a request', () => {
  it('is known before its first transition', () => {
    expect(runAt(recording, 5)).toMatchObject({
      flow: 'email-request',
      request: { by: 'Ada’s laptop' },
      isHandled: true,
      hops: [],
    })
  })

  it('is the next one while no flow handles the request', () => {
    expect(runAt(recording, 2)).toMatchObject({ flow: 'email-request', isHandled: false, hops: [] })
    expect(runAt(recording, 9)).toMatchObject({ flow: 'email-request', isHandled: false, hops: [] })
  })

  it('stays with its transitions until the next request or chapter', () => {
    expect(runAt(recording, 8)).toMatchObject({ flow: 'email-request', hops: [{ state: 'checkingCsrf' }] })
    expect(runAt(recording, 4).request).toBeUndefined()
    expect(runAt(recording, 4).hops).toEqual([])
  })
})
