import type { Mutant } from '../mutant.ts'
import { mutants as account } from './account.ts'
import { mutants as accountPolicy } from './account-policy.ts'
import { mutants as adapters } from './adapters.ts'
import { mutants as attempts } from './attempts.ts'
import { mutants as cli } from './cli.ts'
import { mutants as config } from './config.ts'
import { mutants as configChecks } from './config-checks.ts'
import { mutants as configSettings } from './config-settings.ts'
import { mutants as controls } from './controls.ts'
import { mutants as cookies } from './cookies.ts'
import { mutants as email } from './email.ts'
import { mutants as entryPoints } from './entry-points.ts'
import { mutants as features } from './features.ts'
import { mutants as flows } from './flows.ts'
import { mutants as handler } from './handler.ts'
import { mutants as http } from './http.ts'
import { mutants as hunt } from './hunt.ts'
import { mutants as integrations } from './integrations.ts'
import { mutants as limits } from './limits.ts'
import { mutants as oauthDiscovery } from './oauth-discovery.ts'
import { mutants as oauthExchange } from './oauth-exchange.ts'
import { mutants as oauthIdentity } from './oauth-identity.ts'
import { mutants as pages } from './pages.ts'
import { mutants as passwords } from './passwords.ts'
import { mutants as revocations } from './revocations.ts'
import { mutants as secondFactor } from './second-factor.ts'
import { mutants as sequences } from './sequences.ts'
import { mutants as session } from './session.ts'
import { mutants as stamps } from './stamps.ts'
import { mutants as stepsAdmission } from './steps-admission.ts'
import { mutants as stepsEmail } from './steps-email.ts'
import { mutants as stepsSessions } from './steps-sessions.ts'
import { mutants as stepsSignIn } from './steps-sign-in.ts'
import { mutants as times } from './times.ts'
import { mutants as token } from './token.ts'
import { mutants as webauthn } from './webauthn.ts'

/** All written mutants. */
export const mutants: readonly Mutant[] = [
  ...account,
  ...accountPolicy,
  ...adapters,
  ...attempts,
  ...cli,
  ...config,
  ...configChecks,
  ...configSettings,
  ...controls,
  ...cookies,
  ...email,
  ...entryPoints,
  ...features,
  ...flows,
  ...handler,
  ...http,
  ...hunt,
  ...integrations,
  ...limits,
  ...oauthDiscovery,
  ...oauthExchange,
  ...oauthIdentity,
  ...pages,
  ...passwords,
  ...revocations,
  ...secondFactor,
  ...sequences,
  ...session,
  ...stamps,
  ...stepsAdmission,
  ...stepsEmail,
  ...stepsSessions,
  ...stepsSignIn,
  ...times,
  ...token,
  ...webauthn,
]
