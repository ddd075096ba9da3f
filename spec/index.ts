import type { Requirement } from './requirement.ts'
import { accountPage } from './account-page.ts'
import { accountPolicy } from './account-policy.ts'
import { accounts } from './accounts.ts'
import { adapters } from './adapters.ts'
import { addresses } from './addresses.ts'
import { backChannelLogout } from './backchannel-logout.ts'
import { callbacks } from './callbacks.ts'
import { client } from './client.ts'
import { compatibility } from './compatibility.ts'
import { configuration } from './configuration.ts'
import { cookies } from './cookies.ts'
import { credentials } from './credentials.ts'
import { csrf } from './csrf.ts'
import { devtools } from './devtools.ts'
import { emailChange } from './email-change.ts'
import { environment } from './environment.ts'
import { errors } from './errors.ts'
import { events } from './events.ts'
import { faults } from './faults.ts'
import { features } from './features.ts'
import { getToken } from './get-token.ts'
import { hosts } from './hosts.ts'
import { integrations } from './integrations.ts'
import { limits } from './limits.ts'
import { linking } from './linking.ts'
import { logging } from './logging.ts'
import { mail } from './mail.ts'
import { mailCodes } from './mail-codes.ts'
import { oauth } from './oauth.ts'
import { oidc } from './oidc.ts'
import { pages } from './pages.ts'
import { passkeys } from './passkeys.ts'
import { passwords } from './passwords.ts'
import { profiles } from './profiles.ts'
import { providerRequests } from './provider-requests.ts'
import { providers } from './providers.ts'
import { rateLimits } from './rate-limits.ts'
import { redirectProxy } from './redirect-proxy.ts'
import { redirects } from './redirects.ts'
import { routes } from './routes.ts'
import { secondFactor } from './second-factor.ts'
import { stamps } from './stamps.ts'
import { secrets } from './secrets.ts'
import { sessionLifetimes } from './session-lifetimes.ts'
import { sessionManagement } from './session-management.ts'
import { sessions } from './sessions.ts'
import { signOut } from './sign-out.ts'
import { tokens } from './tokens.ts'
import { tools } from './tools.ts'

export type { Requirement } from './requirement.ts'

/** The requirements about one topic, under a title. */
export interface Chapter {
  readonly title: string
  readonly rows: readonly Requirement[]
}

const rows = [
  ...configuration,
  ...environment,
  ...secrets,
  ...compatibility,
  ...providers,
  ...oauth,
  ...providerRequests,
  ...oidc,
  ...redirectProxy,
  ...accounts,
  ...profiles,
  ...linking,
  ...mail,
  ...mailCodes,
  ...addresses,
  ...credentials,
  ...passkeys,
  ...passwords,
  ...secondFactor,
  ...stamps,
  ...features,
  ...sessions,
  ...sessionLifetimes,
  ...signOut,
  ...sessionManagement,
  ...accountPage,
  ...accountPolicy,
  ...emailChange,
  ...backChannelLogout,
  ...tokens,
  ...getToken,
  ...cookies,
  ...csrf,
  ...redirects,
  ...routes,
  ...hosts,
  ...pages,
  ...errors,
  ...callbacks,
  ...events,
  ...adapters,
  ...faults,
  ...limits,
  ...rateLimits,
  ...logging,
  ...integrations,
  ...client,
  ...tools,
  ...devtools,
] as const

const byId = indexRows(rows)

/** Any id of the specification, aliases included; an unknown one does not compile. */
export type RequirementId = typeof byId extends ReadonlyMap<infer Id, unknown> ? Id : never

/** Every requirement, topic by topic. */
export const requirements: readonly (Requirement & { readonly id: RequirementId })[] = rows

/** The topics in reading order. */
export const chapters: readonly Chapter[] = [
  { title: 'Configuration', rows: configuration },
  { title: 'Environment variables', rows: environment },
  { title: 'Secrets and rotation', rows: secrets },
  { title: 'Compatibility with Auth.js', rows: compatibility },
  { title: 'Providers', rows: providers },
  { title: 'OAuth transactions', rows: oauth },
  { title: 'Requests to providers', rows: providerRequests },
  { title: 'OpenID Connect', rows: oidc },
  { title: 'Redirect proxy', rows: redirectProxy },
  { title: 'Accounts and access tokens', rows: accounts },
  { title: 'Users and profiles', rows: profiles },
  { title: 'Account linking', rows: linking },
  { title: 'E-mail sign-in', rows: mail },
  { title: 'Codes by mail', rows: mailCodes },
  { title: 'E-mail addresses', rows: addresses },
  { title: 'Credentials', rows: credentials },
  { title: 'Passkeys', rows: passkeys },
  { title: 'Passwords', rows: passwords },
  { title: 'Second factor', rows: secondFactor },
  { title: 'Stamp of an account', rows: stamps },
  { title: 'Features of a site', rows: features },
  { title: 'Sessions', rows: sessions },
  { title: 'Session lifetimes', rows: sessionLifetimes },
  { title: 'Sign-out and revocation', rows: signOut },
  { title: 'Session management', rows: sessionManagement },
  { title: 'Account page', rows: accountPage },
  { title: 'Policy for changes to an account', rows: accountPolicy },
  { title: 'Change of the e-mail address', rows: emailChange },
  { title: 'Back-channel logout', rows: backChannelLogout },
  { title: 'Session tokens', rows: tokens },
  { title: 'Reading tokens with getToken', rows: getToken },
  { title: 'Cookies', rows: cookies },
  { title: 'CSRF protection', rows: csrf },
  { title: 'Redirects', rows: redirects },
  { title: 'Routes', rows: routes },
  { title: 'Hosts and proxies', rows: hosts },
  { title: 'Pages', rows: pages },
  { title: 'Errors', rows: errors },
  { title: 'Callbacks', rows: callbacks },
  { title: 'Events', rows: events },
  { title: 'Adapters', rows: adapters },
  { title: 'Faults and state machines', rows: faults },
  { title: 'Limits', rows: limits },
  { title: 'Rate limits', rows: rateLimits },
  { title: 'Logging and leaks', rows: logging },
  { title: 'Framework integrations', rows: integrations },
  { title: 'Client', rows: client },
  { title: 'Command line and testing kit', rows: tools },
  { title: 'Devtools', rows: devtools },
]

/**
 * Looks a requirement up by its id or one of its aliases. Compare ids only after this lookup: its `id` is the same for
 * all of them.
 *
 * @throws {RangeError} when there is no such id, which types already forbid
 * @example requirement('TX-02').says
 */
export function requirement(id: RequirementId): Requirement & { readonly id: RequirementId } {
  const row = findRequirement(id)
  if (row === undefined) throw new RangeError(`No requirement has the id ${id}`)
  return row
}

/**
 * Looks a requirement up by any text; returns undefined if that is neither an id nor an alias.
 *
 * @example findRequirement('DEC-17a')?.id // 'SE-07'
 */
export function findRequirement(id: string): (Requirement & { readonly id: RequirementId }) | undefined {
  return (byId as ReadonlyMap<string, Requirement & { readonly id: RequirementId }>).get(id)
}

type AliasOf<Row> = Row extends { readonly aliases: readonly (infer Alias)[] } ? Alias : never

/** Only the ids are inferred: declarations that repeat every row would be ten times as long. */
function indexRows<const Row extends Requirement>(
  given: readonly Row[],
): ReadonlyMap<Row['id'] | AliasOf<Row>, Requirement> {
  return new Map(given.flatMap((row) => [row.id, ...(row.aliases ?? [])].map((id) => [id, row])))
}
