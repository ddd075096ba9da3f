import { chart } from './chart.ts'

/**
 * One user agent across requests. It drives no handler: it documents the whole, guides test generation, and every
 * recorded run of real requests is one of its traces. `time.passed` events are the clock's.
 */
export const journeyChart = chart({
  id: 'journey',
  description: 'What a browser goes through, from one request to the next',
  meta: { spec: ['MD-02'] },
  initial: 'anonymous',
  states: {
    anonymous: {
      description: 'Nobody is signed in in this browser',
      meta: { spec: ['SE-17'] },
      on: {
        'sign-in.sent-to-provider': 'authorizing',
        'sign-in.refused': 'anonymous',
        'sign-in.failed': 'anonymous',
        'callback.refused': 'anonymous',
        'session.anonymous': 'anonymous',
        'session.ended': 'anonymous',
        'session.refused': 'anonymous',
        'sign-out.signed-out': 'anonymous',
        'sign-out.refused': 'anonymous',
      },
    },
    authorizing: {
      description: 'The user is at the provider; the checks lie sealed in cookies',
      meta: { spec: ['TX-01', 'TX-04'] },
      on: {
        'callback.signed-in': 'fresh',
        'callback.sent-elsewhere': 'anonymous',
        'callback.refused': 'anonymous',
        'callback.declined': 'anonymous',
        'callback.denied': 'anonymous',
        'callback.not-linked': 'anonymous',
        'callback.failed': 'anonymous',
        'sign-in.sent-to-provider': 'authorizing',
        'session.anonymous': 'authorizing',
        'time.passed-check-age': 'anonymous',
      },
    },
    fresh: {
      description: 'Signed in, and not due for an extension',
      meta: { spec: ['SE-05', 'SE-06'] },
      on: {
        'session.presented': 'fresh',
        'session.unavailable': 'fresh',
        'sign-in.sent-to-provider': 'linking',
        'sign-out.signed-out': 'anonymous',
        'sign-out.faulted': 'anonymous',
        'sign-out.refused': 'fresh',
        'time.passed-update-age': 'due',
        'time.passed-max-age': 'expired',
      },
    },
    due: {
      description: 'Signed in, and the next access extends the session',
      meta: { spec: ['SE-06'] },
      on: {
        'session.presented': 'fresh',
        'session.unavailable': 'due',
        'session.ended': 'anonymous',
        'sign-out.signed-out': 'anonymous',
        'time.passed-max-age': 'expired',
      },
    },
    linking: {
      description: 'Signed in, and at a provider once more',
      meta: { spec: ['DEC-19a'] },
      on: {
        'callback.signed-in': 'fresh',
        'callback.not-linked': 'fresh',
        'callback.refused': 'fresh',
        'callback.declined': 'fresh',
        'callback.denied': 'fresh',
        'callback.failed': 'fresh',
        'session.presented': 'linking',
        'sign-out.signed-out': 'authorizing',
        'time.passed-check-age': 'fresh',
      },
    },
    expired: {
      description: 'The session is over, but the browser does not know yet',
      meta: { spec: ['SE-05', 'SE-13'] },
      on: {
        'session.ended': 'anonymous',
        'session.anonymous': 'anonymous',
        'sign-in.sent-to-provider': 'authorizing',
        'sign-out.signed-out': 'anonymous',
      },
    },
  },
})
