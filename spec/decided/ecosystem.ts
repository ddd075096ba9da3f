import type { Requirement } from '../requirement.ts'

/** In the place of `@auth/core`: what its integrations and its deployments count on, beside names and wire formats. */
export const ecosystemDecisions = [
  {
    id: 'ECO-001',
    level: 'must',
    says: 'What an integration writes into a configuration after its first use holds from then on: base path, secret, trust in hosts and the switches of CSRF check and raw mode.',
    source: 'decision 1; black box: @auth/express 0.12.3 sets basePath at each request to its routes',
    status: 'decided',
    why: 'A configuration that is derived once would answer 404 under the path that the integration is mounted at.',
  },
] as const satisfies readonly Requirement[]
