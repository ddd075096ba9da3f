import type { Requirement } from '../requirement.ts'

/** Where integrations and providers meet the library: raw mode, options, the environment and the log. */
export const seamDecisions = [
  {
    id: 'SEA-001',
    level: 'must',
    says: 'In raw mode a sign-in that cannot be started returns the URL of the error page where @auth/core does: discovery fails, no mail can be sent, the e-mail address is missing or invalid, the provider is unknown, or something other than an error of this library is thrown.',
    source: 'decision 46; black box: @auth/core 0.41.3, test/seams',
    status: 'decided',
    why: 'Server actions of the ecosystem redirect to what they get back. An error thrown there is an uncaught exception, and a mistyped address must not be one.',
  },
  {
    id: 'SEA-002',
    level: 'must',
    says: 'An e-mail address that is missing or invalid, and a mail that cannot be sent, is EmailSignInError, shown on the sign-in page.',
    source: 'decision 46; wire-protocol 7',
    status: 'decided',
    why: 'The ecosystem shows it as Configuration with status 500, though the visitor can correct the address or try again.',
  },
  {
    id: 'SEA-003',
    level: 'must',
    says: 'At a redirect proxy a state that is missing or does not open is InvalidCheck, shown under that name, and the log says that the proxy and the deployment need the same secret.',
    source: 'decision 46; wire-protocol 5.3',
    status: 'decided',
    why: 'The ecosystem shows it as Configuration. Anybody can send such a request, and 5xx is not for requests (DEC-31f); only the log can name the other possible cause, two secrets that differ.',
  },
  {
    id: 'SEA-004',
    level: 'must',
    says: 'A credentials user without an id is accepted where sessions are tokens and there is no adapter: the subject is a hash of the provider id and the e-mail address.',
    source: 'decision 43; black box: @auth/core 0.41.3 accepts one, under a random id',
    status: 'decided',
    why: 'Examples of the ecosystem return a name and an address. The hash is the same at every sign-in (AL-08), and no two providers or addresses share one.',
  },
  {
    id: 'SEA-005',
    level: 'must',
    says: 'Without an e-mail address either, the subject is a random UUID, and the logger warns of random-user-id.',
    source: 'decision 43',
    status: 'decided',
    why: 'A token needs a subject. Nothing identifies the user, so the warning says that each sign-in is somebody new.',
  },
  {
    id: 'SEA-006',
    level: 'must',
    says: 'With an adapter, a credentials user without an id is InvalidProvider, and the message says how to return the row of the user.',
    source: 'decision 43',
    status: 'decided',
    why: 'What the store holds is found by the id; a made-up one would own nothing there.',
  },
  {
    id: 'SEA-007',
    level: 'must',
    says: 'setEnvDefaults sets clientId, clientSecret, issuer and apiKey on the provider itself and not in its options, and calls a factory with all four.',
    source: 'wire-protocol 14.2; black box: @auth/core 0.41.3',
    status: 'decided',
    why: 'Applications and integrations read them there. The options of a provider still win over them.',
  },
] as const satisfies readonly Requirement[]
