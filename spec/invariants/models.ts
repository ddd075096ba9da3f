import type { Requirement } from '../requirement.ts'

/** Model-level (XState machines): what must hold for anyone, an attacker included. */
export const modelsInvariants = [
  {
    id: 'MD-01',
    level: 'must',
    says: 'No unreachable state, no non-final sink, every working state has a way on for each event of its step and for a fault, every step a deadline.',
    source: 'TLA+-style liveness; seed States',
    status: 'invariant',
    mode: 'L',
  },
  {
    id: 'MD-02',
    level: 'must',
    says: "Every observed implementation trace is a trace of the machine (trace inclusion) and the machine's safety predicates hold in every visited state.",
    source: 'Quint/TLA+ trace checking',
    status: 'invariant',
    mode: 'L',
  },
  {
    id: 'MD-03',
    level: 'must',
    says: 'Machine snapshots are serialisable, versioned, contain no raw secrets; restore∘persist = id.',
    source: 'XState persistence',
    status: 'invariant',
    capability: 'persisted-snapshots',
    mode: 'L',
  },
  {
    id: 'MD-04',
    level: 'should',
    says: 'Permuting independent requests, renaming users, shifting the clock, or adding unrelated providers does not change outcomes.',
    source: 'metamorphic testing',
    status: 'invariant',
    mode: 'L',
  },
] as const satisfies readonly Requirement[]
