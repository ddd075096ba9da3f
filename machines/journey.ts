import { type CompoundState, type Edges, parallelChart } from './chart.ts'
import { outcomes } from './outcomes.ts'

/** The state that a browser can hold between requests. */
const regions = {
  session: {
    description: 'The session cookie of the browser',
    meta: { spec: ['SE-01', 'SE-05'] },
    initial: 'anonymous',
    // A signed-in browser that signs in again gets a new session, or links the account.
    on: {
      'callback.signed-in': '.signedIn',
      'email-verification.signed-in': '.signedIn',
      'mail-code-guess.signed-in': '.signedIn',
      'credentials.signed-in': '.signedIn',
      'webauthn.signed-in': '.signedIn',
      'password-reset.signed-in': '.signedIn',
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
          'factor.stepped-up': 'signedIn',
          'factor-enrolment.enrolled': 'signedIn',
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
  code: {
    description: 'A sign-in with a code in an e-mail',
    meta: { spec: ['SU-01', 'CD-03'] },
    initial: 'notRequested',
    on: {
      'mail-code-request.code-mailed': '.enteringCode',
      'mail-code-guess.faulted': '.notRequested',
      'code.remaining': '.enteringCode',
    },
    states: {
      notRequested: {
        description: 'This browser requested no code, so no code can sign in',
        meta: { spec: ['CD-03', 'CD-04'] },
        on: {},
      },
      enteringCode: {
        description: 'This browser requested a code, and no other browser can use it',
        meta: { spec: ['CD-03', 'CD-04'] },
        on: {
          'mail-code-guess.signed-in': 'notRequested',
          'mail-code-guess.address-added': 'notRequested',
          'mail-code-guess.stale': 'enteringCode',
          'mail-code-guess.challenged': 'enteringCode',
          'mail-code-guess.held': 'notRequested',
          'mail-code-guess.denied': 'notRequested',
          'mail-code-guess.sent-elsewhere': 'notRequested',
          'mail-code-guess.code-mismatched': 'enteringCode',
          'mail-code-guess.code-exhausted': 'notRequested',
          'time.passed-code-age': 'notRequested',
        },
      },
    },
  },
  passkey: {
    description: 'A sign-in or a registration with a passkey',
    meta: { spec: ['WA-02', 'DEC-30c'] },
    initial: 'unchallenged',
    on: {
      'webauthn-options.answered': '.challenged',
      'factor.offered': '.challenged',
      'webauthn.refused': '.unchallenged',
      'webauthn.unproven': '.unchallenged',
      'webauthn.faulted': '.unchallenged',
    },
    states: {
      unchallenged: {
        description: 'The browser holds no challenge, so no response of an authenticator counts',
        meta: { spec: ['WA-02'] },
        on: {},
      },
      challenged: {
        description: 'The page asks the authenticator, and the challenge is in a cookie',
        meta: { spec: ['WA-02', 'DEC-30c'] },
        on: {
          'webauthn.signed-in': 'unchallenged',
          'webauthn.held': 'unchallenged',
          'webauthn.denied': 'unchallenged',
          'webauthn.not-linked': 'unchallenged',
          'webauthn.stale': 'unchallenged',
          'webauthn.challenged': 'unchallenged',
          'webauthn.sent-elsewhere': 'unchallenged',
          'time.passed-challenge-age': 'unchallenged',
        },
      },
    },
  },
  gate: {
    description: 'A sign-in that waits for the second factor or for the gate of a feature',
    meta: { spec: ['SF-01', 'SF-02', 'FT-02'] },
    initial: 'notHeld',
    on: {
      'callback.held': '.held',
      'email-verification.held': '.held',
      'mail-code-guess.held': '.held',
      'credentials.held': '.held',
      'password-reset.held': '.held',
      'webauthn.held': '.held',
    },
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
} as const satisfies Readonly<Record<string, CompoundState>>

const known: ReadonlySet<string> = new Set(
  Object.values<CompoundState>(regions).flatMap(({ on, states }) =>
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
