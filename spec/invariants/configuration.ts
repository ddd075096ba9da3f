import type { Requirement } from '../requirement.ts'

/** Configuration: what must hold for anyone, an attacker included. */
export const configurationInvariants = [
  {
    id: 'CF-01',
    level: 'must',
    says: 'Every invalid configuration is refused at start-up with a named error; valid ones never are (soundness + completeness over generated configs).',
    source: 'seed Top-level configuration',
    status: 'invariant',
    mode: 'L',
  },
  {
    id: 'CF-02',
    level: 'must',
    says: 'Duplicate provider ids are refused.',
    source: 'seed Provider id uniquely identifies',
    status: 'invariant',
    mode: 'L',
  },
  {
    id: 'CF-03',
    level: 'must',
    says: 'With a configuration error no endpoint returns 200 with an object usable as session.',
    source: 'GHSA-8fpg-xm3f-6cx3',
    status: 'invariant',
    mode: 'U',
  },
  {
    id: 'CF-04',
    level: 'should',
    says: 'Dangerous options (checks none, skipCSRFCheck, dangerous linking, trustHost on unknown platform, http issuer) warn once.',
    source: 'ASVS 13.1',
    status: 'invariant',
    mode: 'L',
  },
  {
    id: 'CF-05',
    level: 'must',
    says: 'Defaults equal the specification table (maxAge 2592000, updateAge 86400, pkce, cookie flags, strategy by adapter…).',
    source: 'seed Limits, Top-level',
    status: 'invariant',
    mode: 'L',
  },
] as const satisfies readonly Requirement[]
