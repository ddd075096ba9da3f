import type { Mutant } from '../mutant.ts'
import { mutants as adapters } from './adapters.ts'
import { mutants as addresses } from './addresses.ts'
import { mutants as answers } from './answers.ts'
import { mutants as callback } from './callback.ts'
import { mutants as config } from './config.ts'
import { mutants as configChecks } from './config-checks.ts'
import { mutants as configEnvironment } from './config-environment.ts'
import { mutants as configProviders } from './config-providers.ts'
import { mutants as cookies } from './cookies.ts'
import { mutants as devtools } from './devtools.ts'
import { mutants as email } from './email.ts'
import { mutants as embedding } from './embedding.ts'
import { mutants as exhibits } from './exhibits.ts'
import { mutants as handler } from './handler.ts'
import { mutants as handlerSteps } from './handler-steps.ts'
import { mutants as http } from './http.ts'
import { mutants as httpRequests } from './http-requests.ts'
import { mutants as integrations } from './integrations.ts'
import { mutants as jwt } from './jwt.ts'
import { mutants as kysely } from './kysely.ts'
import { mutants as oauthDiscovery } from './oauth-discovery.ts'
import { mutants as oauthExchange } from './oauth-exchange.ts'
import { mutants as oauthIdentity } from './oauth-identity.ts'
import { mutants as oidc } from './oidc.ts'
import { mutants as options } from './options.ts'
import { mutants as pages } from './pages.ts'
import { mutants as providers } from './providers.ts'
import { mutants as races } from './races.ts'
import { mutants as sessionBegin } from './session-begin.ts'
import { mutants as sessionEnd } from './session-end.ts'
import { mutants as sessionRoute } from './session-route.ts'
import { mutants as sessionSettings } from './session-settings.ts'
import { mutants as signIn } from './sign-in.ts'
import { mutants as token } from './token.ts'
import { mutants as tools } from './tools.ts'
import { mutants as webauthn } from './webauthn.ts'
import { mutants as webauthnFlows } from './webauthn-flows.ts'

/** All written faults. */
export const mutants: readonly Mutant[] = [
  ...adapters,
  ...addresses,
  ...answers,
  ...callback,
  ...config,
  ...configChecks,
  ...configEnvironment,
  ...configProviders,
  ...cookies,
  ...devtools,
  ...email,
  ...embedding,
  ...exhibits,
  ...handler,
  ...handlerSteps,
  ...http,
  ...httpRequests,
  ...integrations,
  ...jwt,
  ...kysely,
  ...oauthDiscovery,
  ...oauthExchange,
  ...oauthIdentity,
  ...oidc,
  ...options,
  ...pages,
  ...providers,
  ...races,
  ...sessionBegin,
  ...sessionEnd,
  ...sessionRoute,
  ...sessionSettings,
  ...signIn,
  ...token,
  ...tools,
  ...webauthn,
  ...webauthnFlows,
]
