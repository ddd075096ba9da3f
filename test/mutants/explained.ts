import { explainedCharts } from './explained-charts.ts'

/**
 * Mutants that no property detects, each with the reason why that is correct. Remove a mutant that a property detects.
 */
export const explained: Readonly<Record<string, string>> = {
  'config/events-unset': 'The oracle configures all events, so none is ever undefined.',
  'config/experiment-untold': 'CF-04 lists the dangerous options, and experiments are not among them.',
  'config/providers-sorted': 'IL-07 is about what is published for each provider, not about their order.',
  'control/critical-header-understood':
    'The library and oauth4webapi both reject critical header parameters. The control of OI-09 lacks both checks.',
  'control/critical-header-unread-in-claims':
    'The library and oauth4webapi both reject critical header parameters. The control of OI-09 lacks both checks.',
  'control/id-token-without-issuer-kept':
    'The claims are returned, but read only for OIDC providers. The control of OI-01 also reads them for OAuth providers.',
  'handler/session-of-nothing':
    "The oracle uses a target's handler. The methods of createAuth are out of its reach.",
  'mail/theme-unchecked': 'A target hands over a link, and does not render a message.',
  'passwords/end-after-the-absolute-end-told':
    'Only an event after the site has lowered its limit tells it, and no property lowers the limit before a reset. A scenario of PW-09 does.',
  'session/failure-is-nobody': 'Applications call getSession. The oracle tests a target by requests.',
  ...explainedCharts,
}
