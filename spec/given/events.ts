import type { Requirement } from '../requirement.ts'

/** Event hooks and their messages: what the interface specification states. */
export const events = [
  {
    id: 'EVT-001',
    level: 'must',
    says: 'Events are asynchronous hooks whose return value is not used.',
    source: 'seed: Events, introduction',
    status: 'given',
  },
  {
    id: 'EVT-002',
    level: 'should',
    says: 'Events serve audit logging; what a message holds depends on the flow.',
    source: 'seed: Events, introduction',
    status: 'given',
  },
  {
    id: 'EVT-003',
    level: 'must',
    says: 'createUser announces user.',
    source: 'seed: Events, createUser',
    status: 'given',
  },
  {
    id: 'EVT-004',
    level: 'must',
    says: 'updateUser announces user.',
    source: 'seed: Events, updateUser',
    status: 'given',
  },
  {
    id: 'EVT-005',
    level: 'must',
    says: 'linkAccount announces account, profile and user.',
    source: 'seed: Events, linkAccount',
    status: 'given',
  },
  {
    id: 'EVT-006',
    level: 'must',
    says: 'session announces session, and token under the jwt strategy.',
    source: 'seed: Events, session',
    status: 'given',
  },
  {
    id: 'EVT-007',
    level: 'must',
    says: 'signIn announces user and account, and profile where there is one.',
    source: 'seed: Events, signIn',
    status: 'given',
  },
  {
    id: 'EVT-008',
    level: 'must',
    says: 'For credentials signIn announces the user as the credentials provider answered it.',
    source: 'seed: Events, signIn',
    status: 'given',
  },
  {
    id: 'EVT-009',
    level: 'must',
    says: "signIn's isNewUser tells whether the user was new to the adapter.",
    source: 'seed: Events, signIn',
    status: 'given',
  },
  {
    id: 'EVT-010',
    level: 'must',
    says: 'signOut announces session under database and token under jwt.',
    source: 'seed: Events, signOut',
    status: 'given',
  },
] as const satisfies readonly Requirement[]
