import type { Requirement } from '../requirement.ts'

/** In the place of `@auth/core`: what its integrations and its deployments count on, beside names and wire formats. */
export const ecosystemDecisions = [
  {
    id: 'ECO-001',
    level: 'must',
    says: 'What an integration writes into a configuration after its first use holds from then on: base path, secret (also one that is put into or taken out of its list), trust in hosts and the switches of CSRF check and raw mode.',
    source: 'decision 1; black box: @auth/express 0.12.3 sets basePath at each request to its routes',
    status: 'decided',
    why: 'A configuration that is derived once would answer 404 under the path that the integration is mounted at.',
  },
  {
    id: 'ECO-002',
    level: 'must',
    says: 'A callbackUrl in the query of the sign-out page is where its form, or that of the page configured in its place, leads after signing out.',
    source: 'decision 1; black box: @auth/core 0.41.3 remembers it in the callback-url cookie',
    status: 'decided',
    why: 'Applications link to the page with it.',
  },
  {
    id: 'ECO-003',
    level: 'must',
    says: 'Sessions, users with their accounts and passkeys, mailed links, CSRF and callback-url cookies, and sign-ins under way with the same checks, made by @auth/core 0.41.3, hold here, and those made here hold there; DEC-05a names the exceptions.',
    source: 'decisions 1, 5 and 6; wire-protocol 2 to 9',
    status: 'decided',
    why: 'Nobody must be signed out by a change of library, nor by changing back.',
  },
  {
    id: 'ECO-004',
    level: 'must',
    says: 'A copy of a configuration, with the list of providers of the first, warns of nothing that was warned of before.',
    source:
      'decision 26; black box: next-auth 5 hands a copy over at each call of auth(), signIn() and signOut()',
    status: 'decided',
    why: 'A warning with each page that is served hides all others.',
  },
  {
    id: 'ECO-005',
    level: 'must',
    says: 'A feature of the platform that throws when it is looked up or tried counts as missing, and the flows run without it; a Date of another realm is a Date.',
    source:
      'the edge runtime of Next.js 16, where process.getBuiltinModule exists and throws; @edge-runtime/vm 5, where structuredClone makes Dates of another realm',
    status: 'decided',
    why: 'Otherwise no session opens there, and every user counts as signed out.',
  },
] as const satisfies readonly Requirement[]
