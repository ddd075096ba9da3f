import type { Requirement } from './requirement.ts'
import { configuration } from './given/configuration.ts'
import { sessions } from './given/sessions.ts'
import { callbacks } from './given/callbacks.ts'
import { records } from './given/records.ts'
import { providers } from './given/providers.ts'
import { routes } from './given/routes.ts'
import { integrations } from './given/integrations.ts'
import { adapters } from './given/adapters.ts'
import { tokens } from './given/tokens.ts'
import { authentication } from './given/authentication.ts'
import { events } from './given/events.ts'
import { errors } from './given/errors.ts'
import { limits } from './given/limits.ts'
import { interopDecisions } from './decided/interop.ts'
import { oauthDecisions } from './decided/oauth.ts'
import { sessionDecisions } from './decided/sessions.ts'
import { embeddingDecisions } from './decided/embedding.ts'
import { httpDecisions } from './decided/http.ts'
import { devtoolsDecisions } from './decided/devtools.ts'
import { optionDecisions } from './decided/options.ts'
import { toolDecisions } from './decided/tools.ts'
import { ecosystemDecisions } from './decided/ecosystem.ts'
import { seamDecisions } from './decided/seams.ts'
import { wireRoutes } from './wire/routes.ts'
import { wireCookies } from './wire/cookies.ts'
import { wireFlows } from './wire/flows.ts'
import { wireSurface } from './wire/surface.ts'
import { transactionsInvariants } from './invariants/transactions.ts'
import { identityInvariants } from './invariants/identity.ts'
import { redirectsInvariants } from './invariants/redirects.ts'
import { oneTimeInvariants } from './invariants/one-time.ts'
import { mailInvariants } from './invariants/mail.ts'
import { sessionLifecycleInvariants } from './invariants/session-lifecycle.ts'
import { rotationInvariants } from './invariants/rotation.ts'
import { linkingInvariants } from './invariants/linking.ts'
import { cookiesInvariants } from './invariants/cookies.ts'
import { tokensInvariants } from './invariants/tokens.ts'
import { webauthnInvariants } from './invariants/webauthn.ts'
import { concurrencyInvariants } from './invariants/concurrency.ts'
import { faultsInvariants } from './invariants/faults.ts'
import { leaksInvariants } from './invariants/leaks.ts'
import { limitsInvariants } from './invariants/limits.ts'
import { hostsInvariants } from './invariants/hosts.ts'
import { configurationInvariants } from './invariants/configuration.ts'
import { contractsInvariants } from './invariants/contracts.ts'
import { modelsInvariants } from './invariants/models.ts'

export type { Requirement } from './requirement.ts'

/** A part of the specification: rows that belong together, under a title. */
export interface Chapter {
  readonly title: string
  readonly rows: readonly Requirement[]
}

const rows = [
  ...configuration,
  ...sessions,
  ...callbacks,
  ...records,
  ...providers,
  ...routes,
  ...integrations,
  ...adapters,
  ...tokens,
  ...authentication,
  ...events,
  ...errors,
  ...limits,
  ...interopDecisions,
  ...oauthDecisions,
  ...sessionDecisions,
  ...httpDecisions,
  ...devtoolsDecisions,
  ...embeddingDecisions,
  ...optionDecisions,
  ...toolDecisions,
  ...ecosystemDecisions,
  ...seamDecisions,
  ...wireRoutes,
  ...wireCookies,
  ...wireFlows,
  ...wireSurface,
  ...transactionsInvariants,
  ...identityInvariants,
  ...redirectsInvariants,
  ...oneTimeInvariants,
  ...mailInvariants,
  ...sessionLifecycleInvariants,
  ...rotationInvariants,
  ...linkingInvariants,
  ...cookiesInvariants,
  ...tokensInvariants,
  ...webauthnInvariants,
  ...concurrencyInvariants,
  ...faultsInvariants,
  ...leaksInvariants,
  ...limitsInvariants,
  ...hostsInvariants,
  ...configurationInvariants,
  ...contractsInvariants,
  ...modelsInvariants,
] as const

const byId = indexRows(rows)

/** Any id of the specification; an unknown one does not compile. */
export type RequirementId = typeof byId extends ReadonlyMap<infer Id, unknown> ? Id : never

/** Every requirement, chapter by chapter. */
export const requirements: readonly (Requirement & { readonly id: RequirementId })[] = rows

/** The chapters in reading order. */
export const chapters: readonly Chapter[] = [
  { title: 'Top-level configuration', rows: configuration },
  { title: 'Session strategies, lifetimes and lifecycle', rows: sessions },
  { title: 'The four callbacks: parameters, results and effects', rows: callbacks },
  { title: 'Account, session, user, profile, JWT and what adapters store', rows: records },
  { title: 'Provider configuration', rows: providers },
  { title: 'HTTP routes', rows: routes },
  { title: 'The two framework integrations', rows: integrations },
  { title: 'The adapter contract, operation by operation', rows: adapters },
  { title: 'The token module', rows: tokens },
  { title: 'How users and requests are authenticated', rows: authentication },
  { title: 'Event hooks and their messages', rows: events },
  { title: 'Errors and what users see of them', rows: errors },
  { title: 'Limits', rows: limits },
  { title: 'Decisions: interoperation', rows: interopDecisions },
  { title: 'Decisions: OAuth and OIDC', rows: oauthDecisions },
  { title: 'Decisions: sessions and linking', rows: sessionDecisions },
  { title: 'Decisions: E-mail, WebAuthn and HTTP', rows: httpDecisions },
  { title: 'Decisions: devtools', rows: devtoolsDecisions },
  { title: 'Decisions: the client, protected routes and Node', rows: embeddingDecisions },
  { title: 'Decisions: options', rows: optionDecisions },
  { title: 'Decisions: the command line and the testing kit', rows: toolDecisions },
  { title: 'Decisions: in the place of @auth/core', rows: ecosystemDecisions },
  { title: 'Decisions: integrations, options and logs', rows: seamDecisions },
  { title: 'Wire: routes, bodies and statuses', rows: wireRoutes },
  { title: 'Wire: cookies, CSRF and tokens', rows: wireCookies },
  { title: 'Wire: sign-in flows', rows: wireFlows },
  { title: 'Wire: sessions, errors, environment and pages', rows: wireSurface },
  { title: 'Invariants: Transaction binding, CSRF, mix-up', rows: transactionsInvariants },
  { title: 'Invariants: OAuth/OIDC response validation, identity', rows: identityInvariants },
  { title: 'Invariants: Redirects', rows: redirectsInvariants },
  { title: 'Invariants: One-time credentials (magic link, OTP)', rows: oneTimeInvariants },
  { title: 'Invariants: E-mail normalisation and mail injection', rows: mailInvariants },
  { title: 'Invariants: Session lifecycle', rows: sessionLifecycleInvariants },
  { title: 'Invariants: Secret, key and refresh-token rotation', rows: rotationInvariants },
  { title: 'Invariants: Account linking', rows: linkingInvariants },
  { title: 'Invariants: Cookies, headers, caching', rows: cookiesInvariants },
  { title: 'Invariants: Session token (JWT/JWE)', rows: tokensInvariants },
  { title: 'Invariants: WebAuthn', rows: webauthnInvariants },
  { title: 'Invariants: Concurrency', rows: concurrencyInvariants },
  { title: 'Invariants: Fault injection', rows: faultsInvariants },
  { title: 'Invariants: Information leaks and timing', rows: leaksInvariants },
  { title: 'Invariants: Limits and DoS', rows: limitsInvariants },
  { title: 'Invariants: Host, proxy, routing', rows: hostsInvariants },
  { title: 'Invariants: Configuration', rows: configurationInvariants },
  { title: 'Invariants: Callback/event contract (seed)', rows: contractsInvariants },
  { title: 'Invariants: Model-level (XState machines)', rows: modelsInvariants },
]

/**
 * Looks a requirement up by its id.
 *
 * @throws {RangeError} when there is no such id, which types already forbid
 * @example requirement('TX-02').says
 */
export function requirement(id: RequirementId): Requirement {
  const row = byId.get(id)
  if (row === undefined) throw new RangeError(`No requirement has the id ${id}`)
  return row
}

/** Only the ids are inferred: declarations that repeat every row would be ten times as long. */
function indexRows<const Row extends Requirement>(
  given: readonly Row[],
): ReadonlyMap<Row['id'], Requirement> {
  return new Map(given.map((row) => [row.id, row]))
}
