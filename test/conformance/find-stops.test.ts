import { describe, expect, it } from 'vitest'
import { findStops } from '../../fuzz/charts/find-stops.ts'
import type { Frame } from '../../src/tools/explorer/data.ts'

const request: Frame = { kind: 'request', text: 'GET callback/alpha' }
const hop = (state: string, event: string, next: string): Frame => ({
  kind: 'hop',
  flow: 'callback',
  state,
  event,
  next,
})
const opened = hop('openingChecks', 'checks.opened', 'discoveringServer')
const openingChecks = {
  flow: 'callback',
  state: 'openingChecks',
  edges: [
    { event: 'check.missing', next: 'refused' },
    { event: 'check.invalid', next: 'refused' },
  ],
}

describe('a failing story should have stopped', () => {
  it('in the state of its requirement that it left by an edge that does not refuse', () => {
    expect(findStops('TX-05', [request, opened])).toEqual([{ ...openingChecks, at: 1, isEntered: true }])
  })

  it('at the edges that lead to an outcome of the requirement, if there are any', () => {
    const [stop] = findStops('TX-11', [request, hop('checkingResponse', 'code.received', 'exchangingCode')])
    expect(stop?.edges).toEqual([{ event: 'authorization.declined', next: 'declined' }])
  })

  it('at an edge of a compound state, too', () => {
    const taken = hop('admitting.decidingLink', 'link.allowed', 'admitting.linkingAccount')
    const [stop] = findStops('AL-01', [request, taken])
    expect(stop?.edges).toEqual([{ event: 'account.taken', next: 'notLinked' }])
  })

  it('in its last such request, and not in one that was refused', () => {
    const refused = hop('openingChecks', 'check.missing', 'refused')
    const frames = [request, opened, request, opened, request, refused]
    expect(findStops('TX-05', frames).map(({ at }) => at)).toEqual([3])
  })

  it('in a state that its last request never entered', () => {
    const frames = [request, hop('readingResponse', 'response.read', 'exchangingCode')]
    expect(findStops('TX-05', frames)).toEqual([{ ...openingChecks, at: 1, isEntered: false }])
  })

  it('by another edge of a state that never refuses', () => {
    const frames = [request, hop('admitting.confirmingUser', 'user.created', 'admitting.linkingAccount')]
    expect(findStops('FI-02', frames)).toEqual([
      { flow: 'callback', state: 'admitting.confirmingUser', edges: [], at: 1, isEntered: true },
    ])
  })

  it('nowhere, if the diagrams do not mention its requirement', () => {
    expect(findStops('CF-01', [request, opened])).toEqual([])
  })
})
