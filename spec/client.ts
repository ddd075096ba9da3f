import type { Requirement } from './requirement.ts'

/** Client: signing in and out in the browser, watching the session, passkeys. */
export const client = [
  {
    id: 'EMB-001',
    level: 'must',
    says: "The client signs in at the route of the provider's type, with a CSRF token, and returns the error and code from the server.",
    source: 'Wire 1.4; Wire 13.2; Interface: Errors, CredentialsSignin',
    status: 'decided',
    why: 'Applications need custom forms, and the result of a sign-in.',
  },
  {
    id: 'EMB-002',
    level: 'must',
    says: 'All requests of a client go to the routes under its base path.',
    source: 'Interface: Top-level configuration, basePath, prefix',
    status: 'decided',
    why: 'A path written in several places is easily forgotten in one of them.',
  },
  {
    id: 'EMB-003',
    level: 'must',
    says: 'Watchers of the session are notified once of each change, in this tab or another. Extending a session is not a change.',
    source: 'Interface: Session options; Note: Clients of the ecosystem',
    status: 'decided',
    why: 'A user who signs out in one tab must not appear signed in in another.',
  },
  {
    id: 'EMB-004',
    level: 'must',
    says: 'The client imports no package, and is smaller than 3000 bytes bundled, minified and compressed.',
    source: 'Note: Dependencies',
    status: 'decided',
    why: 'Every visitor downloads it.',
  },
  {
    id: 'EMB-005',
    level: 'must',
    says: "The client signs in with passkeys and registers them through the browser's own JSON forms.",
    source: 'WebAuthn L3 §5.1.7-5.1.9',
    status: 'decided',
    why: 'Browsers now do conversions that used to need a package.',
  },
  {
    id: 'EMB-026',
    level: 'must',
    says: 'In React, the first render uses the session that the server passed to the provider, on the server and in the browser. Without one, it has none.',
    source: 'Note: Clients of the ecosystem',
    status: 'decided',
    why: 'If the two differed, React would discard the page, and state outside a component could show a user the session of another user.',
  },
] as const satisfies readonly Requirement[]
