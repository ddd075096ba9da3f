import { type CompoundState, type Edges, parallelChart } from './chart.ts'
import { held, outcomes, outcomesAfter } from './outcomes.ts'

/** Returns edges for all outcomes to which an event leads. */
function after<const T extends string>(event: string, target: T): Readonly<Record<string, T>> {
  return Object.fromEntries(outcomesAfter(event).map((outcome) => [outcome, target]))
}

/** The state that a browser can hold between requests. */
const regions: Readonly<Record<string, CompoundState>> = {
  session: {
    description: 'The session cookie of the browser',
    meta: { spec: ['SE-01', 'SE-05'] },
    initial: 'anonymous',
    // A signed-in browser that signs in again gets a new session, or links the account.
    on: {
      ...after('user.admitted', '.signedIn'),
      'sign-in.continued': '.signedIn',
      'sign-out.signed-out': '.anonymous',
      'sign-out.faulted': '.anonymous',
      'account.deleted': '.anonymous',
    },
    states: {
      anonymous: {
        description: 'Nobody is signed in',
        meta: { spec: ['SE-17'] },
        on: { 'session.anonymous': 'anonymous' },
      },
      signedIn: {
        description: 'Signed in, until the session expires, is revoked, or the user signs out',
        meta: { spec: ['SE-05', 'SE-10', 'FI-08'] },
        on: {
          'session.presented': 'signedIn',
          ...after('session.elevated', 'signedIn'),
          'session.unavailable': 'signedIn',
          'session.ended': 'anonymous',
          'time.passed-max-age': 'expired',
        },
      },
      expired: {
        description: 'The session has expired, but the browser does not know yet',
        meta: { spec: ['SE-05', 'SE-13'] },
        on: {
          'session.ended': 'anonymous',
          'session.anonymous': 'anonymous',
          'session.unavailable': 'expired',
        },
      },
    },
  },
  provider: {
    description: 'A sign-in with an OAuth or OpenID Connect provider, signed in or not',
    meta: { spec: ['TX-01', 'DEC-19a'] },
    initial: 'notStarted',
    on: {
      'sign-in.sent-to-provider': '.atProvider',
      'callback.refused': '.notStarted',
      'callback.faulted': '.notStarted',
    },
    states: {
      notStarted: {
        description: 'The browser holds no check cookies, so no response of a provider can sign in',
        meta: { spec: ['TX-01', 'TX-03'] },
        on: { 'check.remaining': 'atProvider' },
      },
      atProvider: {
        description: 'The user is at the provider, and the checks are in cookies',
        meta: { spec: ['TX-03', 'TX-04', 'TX-11', 'OPT-009'] },
        on: {
          'callback.signed-in': 'notStarted',
          'callback.repeated': 'atProvider',
          'callback.held': 'notStarted',
          'callback.declined': 'notStarted',
          'callback.denied': 'notStarted',
          'callback.not-linked': 'notStarted',
          'callback.stale': 'notStarted',
          'callback.sent-elsewhere': 'notStarted',
          'callback.failed': 'notStarted',
          'time.passed-check-age': 'notStarted',
        },
      },
    },
  },
  link: {
    description: 'A sign-in with a link in an e-mail',
    meta: { spec: ['SU-01', 'TX-21'] },
    initial: 'notRequested',
    on: {
      'email-request.link-mailed': '.requested',
      'email-verification.awaiting-confirmation': '.confirming',
      'email-verification.faulted': '.notRequested',
      'link.remaining': '.requested',
      'confirmation.waived': '.requested',
    },
    states: {
      notRequested: {
        description: 'This browser requested no link, so a link cannot sign in without a confirmation',
        meta: { spec: ['DEC-28d', 'SE-03'] },
        on: {},
      },
      requested: {
        description: 'This browser requested a link, which it may open without a confirmation',
        meta: { spec: ['DEC-28d', 'DEC-37'] },
        on: {
          'email-verification.signed-in': 'notRequested',
          'email-verification.address-added': 'notRequested',
          'email-verification.stale': 'confirming',
          'email-verification.challenged': 'confirming',
          'email-verification.held': 'notRequested',
          'email-verification.denied': 'notRequested',
          'email-verification.sent-elsewhere': 'notRequested',
          'time.passed-link-age': 'notRequested',
        },
      },
      confirming: {
        description: 'A link was opened here, and a page asks for a click',
        meta: { spec: ['DEC-28d', 'SU-10', 'TX-21'] },
        on: {
          'email-verification.signed-in': 'notRequested',
          'email-verification.address-added': 'notRequested',
          'email-verification.stale': 'confirming',
          'email-verification.challenged': 'confirming',
          'email-verification.held': 'notRequested',
          'email-verification.denied': 'confirming',
          'email-verification.sent-elsewhere': 'notRequested',
          'time.passed-link-age': 'confirming',
        },
      },
    },
  },
  ...held,
  gate: {
    description: 'A sign-in that waits for the second factor or for the gate of a feature',
    meta: { spec: ['SF-01', 'SF-02', 'FT-02'] },
    initial: 'notHeld',
    on: after('factor.demanded', '.held'),
    states: {
      notHeld: {
        description: 'No sign-in of this browser waits, so no code can sign in',
        meta: { spec: ['SF-10', 'FT-03'] },
        on: { 'sign-in.remaining': 'held' },
      },
      held: {
        description: 'The identity is proven, and the sign-in is in a cookie',
        meta: { spec: ['SF-02', 'FT-02'] },
        on: { 'factor.passed': 'notHeld', 'time.passed-held-age': 'notHeld' },
      },
    },
  },
}

const known: ReadonlySet<string> = new Set(
  Object.values(regions).flatMap(({ on, states }) =>
    [on, ...Object.values(states).map((state) => state.on)].flatMap((edges = {}) => Object.keys(edges)),
  ),
)

/** The outcomes that no region handles. */
const unchanged: Edges = Object.fromEntries(
  outcomes.filter((outcome) => !known.has(outcome)).map((outcome) => [outcome, 'unchanged']),
)

/**
 * One browser over several requests. No handler runs it. It documents the connection of the flows and guides test
 * generation, and every recorded run of requests is one of its traces (`test/flows/scenarios.test.ts`,
 * `test/browser/journeys.test.ts`).
 *
 * A browser can do several things at once, such as wait for a link while another tab is at a provider. Each region
 * describes one of them. An event of a flow is the final state in which a request ended. `continueJourney` takes an
 * event in every region that knows it, and rejects it if one of them does not accept it.
 */
export const journeyChart = parallelChart({
  id: 'journey',
  type: 'parallel',
  description: 'What a browser holds between requests',
  meta: { spec: ['MD-02'] },
  states: {
    ...regions,
    attempts: {
      description: 'Requests that change nothing that the browser holds',
      meta: { spec: ['TX-18', 'FI-01'] },
      initial: 'unchanged',
      states: {
        unchanged: {
          description: 'A request was refused or failed, or left the decision to a later one',
          meta: { spec: ['TX-18', 'FI-01', 'SU-10'] },
          on: unchanged,
        },
      },
    },
  },
})
