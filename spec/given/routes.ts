import type { Requirement } from '../requirement.ts'

/** HTTP routes: what the interface specification states. */
export const routes = [
  {
    id: 'RTE-001',
    level: 'must',
    says: 'The library answers GET and POST under the base path.',
    source: 'seed: HTTP routes, rule 1',
    status: 'given',
  },
  {
    id: 'RTE-002',
    level: 'must',
    says: "Integration B's handlers are mounted on a catch-all route under prefix.",
    source: 'seed: HTTP routes, rule 1',
    status: 'given',
  },
  {
    id: 'RTE-003',
    level: 'must',
    says: 'A session route stands under the base path, and is what useSession and getSession read.',
    source: 'seed: HTTP routes, rule 2',
    status: 'given',
  },
] as const satisfies readonly Requirement[]
