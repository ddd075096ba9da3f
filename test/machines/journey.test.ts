import { describe, expect, it } from 'vitest'
import { beginJourney, continueJourney, journeyEventsOf } from '../../machines/index.ts'
import { findRefusal, type RecordedStep } from '../support/journeys/check.ts'
import { withoutEdge } from '../support/journeys/edges.ts'

/** A run of requests, one after the other, each with the event in which it ended. */
function runOf(...events: readonly string[]) {
  const steps = events.map((event, index): RecordedStep => {
    return { request: `GET /${event}`, events: [event], from: 2 * index, to: 2 * index + 1 }
  })
  return { browser: 'a browser', held: [], steps }
}

describe('the journey of a browser', () => {
  it.each([
    ['a response of a provider without a sign-in', 'callback.signed-in'],
    [
      'a second response to the same sign-in',
      'sign-in.sent-to-provider',
      'callback.signed-in',
      'callback.signed-in',
    ],
    ['a response that is late', 'sign-in.sent-to-provider', 'time.passed-check-age', 'callback.signed-in'],
    ['a link that this browser neither requested nor confirmed', 'email-verification.signed-in'],
    [
      'a link that expired',
      'email-request.link-mailed',
      'time.passed-link-age',
      'email-verification.signed-in',
    ],
    ['a passkey without a challenge', 'webauthn.signed-in'],
    [
      'a second response to a challenge',
      'webauthn-options.answered',
      'webauthn.unproven',
      'webauthn.signed-in',
    ],
    ['a session without a sign-in', 'session.presented'],
    ['a session after a sign-out', 'credentials.signed-in', 'sign-out.signed-out', 'session.presented'],
    ['an expired session', 'credentials.signed-in', 'time.passed-max-age', 'session.presented'],
    ['a session that disappears without a sign-out', 'credentials.signed-in', 'session.anonymous'],
    ['an outcome that does not exist', 'callback.forgotten'],
  ])('MD-02 rejects %s', (_, ...events) => {
    const wrong = events.at(-1) ?? ''
    expect(findRefusal(runOf(...events.slice(0, -1)))).toBeUndefined()
    expect(findRefusal(runOf(...events))).toContain(`does not accept ${wrong} in `)
  })

  it('MD-02 accepts several sign-ins at once, whichever ends first', () => {
    const begun = ['sign-in.sent-to-provider', 'email-request.link-mailed', 'webauthn-options.answered']
    const ended = ['webauthn.signed-in', 'callback.not-linked', 'email-verification.signed-in']
    for (const ends of [ended, ended.toReversed()])
      expect(findRefusal(runOf(...begun, ...ends, 'session.presented'))).toBeUndefined()
  })

  it('names the browser, the request, the event and the states when it rejects a run', () => {
    expect(findRefusal(runOf('sign-in.sent-to-provider', 'session.presented'))).toBe(
      'a browser, request 2, GET /session.presented: the journey does not accept session.presented in session anonymous, ' +
        'provider atProvider, link notRequested, code notRequested, passkey unchallenged, gate notHeld, attempts unchanged; before: sign-in.sent-to-provider',
    )
  })

  it('lets only concurrent requests take effect in any order', () => {
    const { browser, held, steps } = runOf('session.presented', 'credentials.signed-in')
    const [first, second] = steps
    if (!first || !second) throw new Error('two steps are missing')
    expect(findRefusal({ browser, held, steps: [{ ...first, to: 9 }, second] })).toBeUndefined()
    expect(findRefusal({ browser, held, steps: [first, second] })).toBeDefined()
  })

  it('starts with both possibilities for a planted cookie: valid or not', () => {
    const { browser, steps } = runOf('session.presented', 'sign-out.signed-out')
    expect(findRefusal({ browser, held: ['session'], steps })).toBeUndefined()
    const { steps: other } = runOf('session.anonymous')
    expect(findRefusal({ browser, held: ['session'], steps: other })).toBeUndefined()
  })

  it('rejects an event whose edge was removed, although another region accepts it', () => {
    const begin = { ...beginJourney(), provider: 'atProvider' }
    expect(continueJourney(begin, 'callback.signed-in')).toMatchObject({
      session: 'signedIn',
      provider: 'notStarted',
    })
    for (const at of ['session', 'provider.atProvider'])
      expect(
        continueJourney(begin, 'callback.signed-in', withoutEdge({ at, event: 'callback.signed-in' })),
      ).toBe(undefined)
  })

  it('reads the final state of a run, and that a provider waives the confirmation', () => {
    const hop = { flow: 'email-verification', state: 'checkingRequester', next: 'resolvingCallbackUrl' }
    const end = {
      flow: 'email-verification',
      state: 'issuingSession',
      event: 'user.admitted',
      next: 'signedIn',
    }
    expect(journeyEventsOf([{ ...hop, event: 'requester.recognised' }, end])).toEqual([
      'email-verification.signed-in',
    ])
    expect(journeyEventsOf([{ ...hop, event: 'confirmation.waived' }, end])).toEqual([
      'confirmation.waived',
      'email-verification.signed-in',
    ])
    expect(
      journeyEventsOf([{ flow: 'refresh', state: 'readingTokens', event: 'tokens.fresh', next: 'current' }]),
    ).toEqual([])
    expect(journeyEventsOf([])).toEqual([])
  })
})
