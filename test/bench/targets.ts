import type { Job } from './contestants.ts'

/** How many times as fast as a peer this library should be in one job. */
export interface Target {
  readonly job: Job
  readonly inFlight: 1 | 16
  readonly atLeast: number
}

/** Compared with @auth/core 0.41.3, which implements the same protocol. */
export const targets: readonly Target[] = [
  { job: 'session (JWT)', inFlight: 1, atLeast: 30 },
  { job: 'session (JWT)', inFlight: 16, atLeast: 8 },
  { job: 'session (none)', inFlight: 1, atLeast: 8 },
  { job: 'session (database)', inFlight: 1, atLeast: 5 },
  { job: 'OAuth sign-in', inFlight: 1, atLeast: 15 },
  { job: 'OAuth sign-in', inFlight: 16, atLeast: 4.5 },
  { job: 'credentials sign-in', inFlight: 1, atLeast: 12 },
  { job: 'encode', inFlight: 1, atLeast: 25 },
  { job: 'decode', inFlight: 1, atLeast: 25 },
  { job: 'csrf', inFlight: 1, atLeast: 4 },
  { job: 'providers', inFlight: 1, atLeast: 4 },
  { job: 'sign-in page', inFlight: 1, atLeast: 8 },
  { job: 'sign-in page, 10 providers', inFlight: 1, atLeast: 10 },
]
