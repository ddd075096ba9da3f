import { mutants as account } from './account.ts'
import { mutants as accountPolicy } from './account-policy.ts'
import type { Mutant } from '../mutant.ts'
import { mutants as adaptersKysely } from './adapters-kysely.ts'
import { mutants as adaptersMemory } from './adapters-memory.ts'
import { mutants as adaptersRedis } from './adapters-redis.ts'
import { mutants as backChannelLogout } from './back-channel-logout.ts'
import { mutants as cli } from './cli.ts'
import { mutants as config } from './config.ts'
import { mutants as configChecks } from './config-checks.ts'
import { mutants as configSettings } from './config-settings.ts'
import { mutants as cookies } from './cookies.ts'
import { mutants as emailChanges } from './email-changes.ts'
import { mutants as email } from './email.ts'
import { mutants as entryPoints } from './entry-points.ts'
import { mutants as flows } from './flows.ts'
import { mutants as handler } from './handler.ts'
import { mutants as httpRequests } from './http-requests.ts'
import { mutants as httpResponses } from './http-responses.ts'
import { mutants as huntProtocol } from './hunt-protocol.ts'
import { mutants as huntMail } from './hunt-mail.ts'
import { mutants as huntPages } from './hunt-pages.ts'
import { mutants as huntSessions } from './hunt-sessions.ts'
import { mutants as controls } from './controls.ts'
import { mutants as huntSignIns } from './hunt-sign-ins.ts'
import { mutants as integrations } from './integrations.ts'
import { mutants as jwt } from './jwt.ts'
import { mutants as limits } from './limits.ts'
import { mutants as mailCodes } from './mail-codes.ts'
import { mutants as oauthDiscovery } from './oauth-discovery.ts'
import { mutants as oauthExchange } from './oauth-exchange.ts'
import { mutants as oauthIdentity } from './oauth-identity.ts'
import { mutants as pages } from './pages.ts'
import { mutants as passwords } from './passwords.ts'
import { mutants as providers } from './providers.ts'
import { mutants as rateLimits } from './rate-limits.ts'
import { mutants as revocations } from './revocations.ts'
import { mutants as secondFactor } from './second-factor.ts'
import { mutants as stamps } from './stamps.ts'
import { mutants as sequences } from './sequences.ts'
import { mutants as session } from './session.ts'
import { mutants as sessionManagement } from './session-management.ts'
import { mutants as stepsAdmission } from './steps-admission.ts'
import { mutants as stepsEmail } from './steps-email.ts'
import { mutants as stepsSessions } from './steps-sessions.ts'
import { mutants as stepsSignIn } from './steps-sign-in.ts'
import { mutants as stepsWebauthn } from './steps-webauthn.ts'
import { mutants as testing } from './testing.ts'
import { mutants as token } from './token.ts'
import { mutants as webauthn } from './webauthn.ts'

/** All written mutants. */
export const mutants: readonly Mutant[] = [
  ...account,
  ...accountPolicy,
  ...adaptersKysely,
  ...adaptersMemory,
  ...adaptersRedis,
  ...cli,
  ...config,
  ...configChecks,
  ...configSettings,
  ...controls,
  ...cookies,
  ...email,
  ...emailChanges,
  ...entryPoints,
  ...flows,
  ...handler,
  ...httpRequests,
  ...httpResponses,
  ...huntProtocol,
  ...huntMail,
  ...huntPages,
  ...huntSessions,
  ...huntSignIns,
  ...integrations,
  ...jwt,
  ...limits,
  ...mailCodes,
  ...oauthDiscovery,
  ...oauthExchange,
  ...oauthIdentity,
  ...pages,
  ...passwords,
  ...providers,
  ...rateLimits,
  ...revocations,
  ...backChannelLogout,
  ...secondFactor,
  ...stamps,
  ...sequences,
  ...session,
  ...sessionManagement,
  ...stepsAdmission,
  ...stepsEmail,
  ...stepsSessions,
  ...stepsSignIn,
  ...stepsWebauthn,
  ...testing,
  ...token,
  ...webauthn,
]
