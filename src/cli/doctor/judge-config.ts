import { deriveSettings } from '../../config/derive-settings.ts'
import type { Environment } from '../../config/environment.ts'
import { setEnvDefaults } from '../../config/set-env-defaults.ts'
import { findSiteFault } from '../../config/site-environment.ts'
import type { Settings } from '../../config/settings.ts'
import type { AuthConfig, WarningCode } from '../../types/config.ts'
import { adviceForFaults } from './advise-fault.ts'
import { count, good, problem, warning, type Finding, type Section } from './finding.ts'
import { judgeCookies } from './judge-cookies.ts'
import { judgeHosts, judgeRedirectProxy, originOf } from './judge-hosts.ts'
import { judgeProviders, type Network } from './judge-providers.ts'
import { hasSecret, judgeSecrets } from './judge-secrets.ts'
import { judgeStore } from './judge-store.ts'
import { writeCallbacks } from './write-callbacks.ts'

const quiet = { error() {}, warn() {}, debug() {} }
/** In the place of one that is missing, so that the rest can be looked at. */
const placeholder = 'in the place of a secret that is missing'

/** Looks at a configuration as the handler would, and further: at its providers, and at what surrounds it. */
export async function judgeConfig(
  given: AuthConfig,
  environment: Environment,
  network: Network,
): Promise<readonly Section[]> {
  const config: AuthConfig = { ...given, logger: quiet }
  const usable = withoutFaults(environment)
  setEnvDefaults(usable, config, true)
  const settings = deriveSettings(
    {
      ...config,
      trustHost: true,
      ...(!hasSecret(given, environment) && { secret: placeholder }),
    },
    usable,
  )
  const origin = originOf(usable)
  const { findings, clock } = await judgeProviders(settings, network)
  return [
    { title: 'Configuration', findings: judgeSettings(settings) },
    { title: 'Secret', findings: judgeSecrets(given, environment) },
    { title: 'Host', findings: [...judgeHosts(given, environment), ...judgeRedirectProxy(given, usable)] },
    { title: 'Cookies', findings: judgeCookies(settings, origin) },
    { title: 'Store', findings: judgeStore(settings) },
    { title: 'Providers', findings },
    { title: 'Clock', findings: clock },
    writeCallbacks(
      [...settings.providers.values()].filter(({ kind }) => kind === 'oauth').map(({ id }) => id),
      `${origin ?? '<the URL of your site>'}${settings.basePath}`,
    ),
  ]
}

/** The variables of the site are judged with its host; here they must not hide what else is wrong. */
function withoutFaults(environment: Environment): Environment {
  if (findSiteFault(environment) === undefined) return environment
  return { ...environment, AUTH_URL: undefined, AUTH_TRUST_HOST: undefined }
}

function judgeSettings(settings: Settings): readonly Finding[] {
  const { fault, warnings, unknownOptions, providers, session } = settings
  const explained = warnings.flatMap((code) => explanations[code] ?? [])
  const known = [
    ...explained,
    ...unknownOptions.map((says) => `${says}${says.endsWith('?') ? '' : '.'}`),
  ].map((says) => warning(says))
  if (fault)
    return [
      problem(
        `${fault.type}: ${fault.message}. Every request would be answered with this error.`,
        adviceForFaults[fault.type] ?? 'Change the configuration so that it is.',
      ),
      ...known,
    ]
  const kept = session.strategy === 'jwt' ? 'as sealed tokens' : 'as rows of the store'
  return [
    good(
      `The handler takes it: ${count(providers.size, 'provider')}, sessions ${kept} for ${daysOf(session.maxAge)}.`,
    ),
    ...known,
  ]
}

/** What works, and should not be meant so in production; weak secrets are looked at by themselves. */
const explanations: Partial<Record<WarningCode, string>> = {
  'debug-enabled': 'debug is on: every flow is logged.',
  'csrf-disabled': 'skipCSRFCheck is set: who calls the handler has to check forms itself.',
  'checks-disabled': 'A provider has checks: ["none"]: anybody can sign a visitor in as somebody else.',
  'dangerous-linking':
    'A provider has allowDangerousEmailAccountLinking: who has an account there with the address of a user here is that user.',
  'unconfirmed-links':
    'An e-mail provider has confirm: "never": whoever opens a mailed link is signed in, also a mail scanner or a visitor of another site.',
  'insecure-requests': 'A provider has allowInsecureRequests: tokens and secrets go there over plain http.',
}

function daysOf(seconds: number): string {
  if (seconds >= 2 * 86_400) return count(Math.round(seconds / 86_400), 'day')
  if (seconds >= 2 * 3600) return count(Math.round(seconds / 3600), 'hour')
  return count(seconds, 'second')
}
