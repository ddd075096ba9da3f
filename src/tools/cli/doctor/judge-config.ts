import { deriveSettings } from '../../../config/derive-settings.ts'
import { type Environment, findSiteFault } from '../../../config/environment.ts'
import { setEnvDefaults } from '../../../config/set-env-defaults.ts'
import type { Settings } from '../../../config/settings.ts'
import { explainError, explainWarning } from '../../../errors/explanations.ts'
import type { AuthConfig } from '../../../types/config.ts'
import type { WarningCode } from '../../../types/logger.ts'
import { count, type Finding, good, note, problem, type Section, guideSections, warning } from './finding.ts'
import { judgeCookies } from './judge-cookies.ts'
import { judgeHosts, judgeRedirectProxy, originOf } from './judge-hosts.ts'
import { judgeProviders, type Network } from './judge-providers.ts'
import { hasSecret, judgeSecrets } from './judge-secrets.ts'

/** Lists the URLs to register at the providers. */
function writeCallbacks(ids: readonly string[], base: string): Section {
  return {
    title: 'Callback URLs to register at the providers, exactly as shown',
    findings: ids.map((id) => note(`${base}/callback/${id}`)),
  }
}

/** Checks optional adapter operations. The configuration check covers the required ones. */
function judgeStore({ store, providers, session }: Settings): readonly Finding[] {
  if (!store) return [note('There is no adapter: users are not stored, and sessions are stored in cookies.')]
  const kinds = new Set([...providers.values()].map(({ kind }) => kind))
  if (kinds.has('oauth') && !store.has('deleteUser'))
    return [
      warning(
        'The adapter has no deleteUser: if linking an account fails, a user without an account remains.',
        'Add deleteUser to the adapter.',
        guideSections.adapterMethods,
      ),
    ]
  return [good(`There is an adapter, and the session strategy is ${session.strategy}.`)]
}

const quiet = { error() {}, warn() {}, debug() {} }
/** Used if the secret is missing, so that the other checks can run. */
const placeholder = 'used in place of a missing secret'

/** Checks a configuration as the handler does, and in addition its providers and environment. */
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
      [
        ...[...settings.providers.values()].filter(({ kind }) => kind === 'oauth').map(({ id }) => id),
        // Providers ask for this URL before they assign a client id.
        ...settings.leftOut.keys(),
      ],
      `${origin ?? '<the URL of your site>'}${settings.basePath}`,
    ),
  ]
}

/** Removes invalid site variables, which the host check reports, so that they do not hide other problems. */
function withoutFaults(environment: Environment): Environment {
  if (findSiteFault(environment) === undefined) return environment
  return { ...environment, AUTH_URL: undefined, AUTH_TRUST_HOST: undefined }
}

/** Warnings that another check explains in more detail. */
const judgedElsewhere: readonly WarningCode[] = ['weak-secret']

function judgeSettings(settings: Settings): readonly Finding[] {
  const { fault, warnings, unknownOptions, providers, session } = settings
  const known = warnings
    .filter((code) => !judgedElsewhere.includes(code))
    .flatMap((code) => {
      const explanation = explainWarning(code)
      if (!explanation) return []
      const details =
        code === 'unknown-option' ? unknownOptions.map((says) => ` ${says.replace(/[^?]$/, '$&.')}`) : []
      return [warning(explanation.sentence + details.join(''), explanation.fix, explanation.section)]
    })
  if (fault) {
    const says = `${fault.type}: ${fault.message}. Every request would fail with this error.`
    const explanation = explainError(fault.type)
    const todo = explanation ? `${explanation.sentence} ${explanation.fix}` : 'Change the configuration.'
    return [problem(says, todo, explanation?.section ?? guideSections.log), ...known]
  }
  const kept = session.strategy === 'jwt' ? 'in encrypted tokens' : 'in the database'
  return [
    good(
      `The handler accepts it: ${count(providers.size, 'provider')}, sessions ${kept} for ${daysOf(session.maxAge)}.`,
    ),
    ...known,
  ]
}

function daysOf(seconds: number): string {
  if (seconds >= 2 * 86_400) return count(Math.round(seconds / 86_400), 'day')
  if (seconds >= 2 * 3600) return count(Math.round(seconds / 3600), 'hour')
  return count(seconds, 'second')
}
