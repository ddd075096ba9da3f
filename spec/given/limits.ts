import type { Requirement } from '../requirement.ts'

/** Limits: what the interface specification states. */
export const limits = [
  {
    id: 'LIM-001',
    level: 'must',
    says: 'A session idle for session.maxAge, 2592000 s by default, expires.',
    source: 'seed: Limits, session.maxAge',
    status: 'given',
  },
  {
    id: 'LIM-002',
    level: 'must',
    says: 'A session is updated at most once per session.updateAge, 86400 s by default, or on every access at 0.',
    source: 'seed: Limits, session.updateAge',
    status: 'given',
  },
  {
    id: 'LIM-003',
    level: 'must',
    says: "A JWT lives for jwt.maxAge or encode's maxAge, 30*24*60*60 s by default.",
    source: 'seed: Limits, jwt.maxAge',
    status: 'given',
  },
] as const satisfies readonly Requirement[]
