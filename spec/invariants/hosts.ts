import type { Requirement } from '../requirement.ts'

/** Host, proxy, routing: what must hold for anyone, an attacker included. */
export const hostsInvariants = [
  {
    id: 'HH-01',
    level: 'must',
    says: 'Host/X-Forwarded-Host are only used when trusted; an explicit canonical URL always wins.',
    source: 'ASVS 4.1.3; seed trustHost',
    status: 'invariant',
    capability: 'canonical-url',
    mode: 'U',
  },
  {
    id: 'HH-02',
    level: 'must',
    says: 'redirect_uri, mail links, cookies and Location derive from the canonical origin only.',
    source: 'ASVS 4.1.3',
    status: 'invariant',
    capability: 'canonical-url',
    mode: 'U',
  },
  {
    id: 'HH-03',
    level: 'must',
    says: 'Only exact `${basePath}/${action}[/${provider}]` routes: //, /./, %2f, missing slash, case, or extra segments give 404/400 (one trailing slash is tolerated) on every route.',
    source: 'CVE-2025-71399 (GHSA-x732-6j76-qmhm); ASVS 1.1.1',
    status: 'invariant',
    mode: 'U',
  },
  {
    id: 'HH-04',
    level: 'should',
    says: 'Unsupported methods: 405 + Allow; HEAD has no side effects.',
    source: 'ASVS 4.1.4',
    status: 'invariant',
    mode: 'U',
  },
  {
    id: 'HH-05',
    level: 'must',
    says: 'Provider ids like __proto__, constructor, empty, encoded are 404, never prototype lookups; basePath is regex-escaped.',
    source: 'ASVS 1.2.9,15.3.6',
    status: 'invariant',
    mode: 'U',
  },
  {
    id: 'HH-06',
    level: 'must',
    says: 'Client-supplied internal headers (x-middleware-subrequest, x-*-session, underscore variants) grant nothing.',
    source: 'CVE-2025-29927; CVE-2024-29901; CVE-2025-64484',
    status: 'invariant',
    mode: 'U',
  },
] as const satisfies readonly Requirement[]
