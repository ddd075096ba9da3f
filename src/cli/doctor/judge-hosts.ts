import type { Environment } from '../../config/environment.ts'
import { findSiteFault, readHostTrust, readSiteUrl } from '../../config/site-environment.ts'
import { isSecureUrl } from '../../oauth/secure-url.ts'
import type { AuthConfig } from '../../types/config.ts'
import { good, note, problem, warning, type Finding } from './finding.ts'

const setUrl = 'Set AUTH_URL to the URL of the site, such as https://example.com.'

/** Does the configuration say which host is the site's? */
export function judgeHosts(
  { trustHost, basePath }: AuthConfig,
  environment: Environment,
): readonly Finding[] {
  const fault = findSiteFault(environment)
  if (fault) return [problem(`${fault.message}. Every request would be answered with this error.`, setUrl)]
  const url = readSiteUrl(environment)
  if (url) return judgeUrl(url, basePath)
  const { trusted, inferredFrom } = readHostTrust(environment)
  if (trusted && inferredFrom === undefined)
    return [
      good('AUTH_TRUST_HOST says that the platform sets the host, and each request is answered for it.'),
    ]
  const isDevelopment = environment.NODE_ENV === 'development' || environment.NODE_ENV === 'test'
  if (trusted && trustHost === undefined && !isDevelopment)
    return [
      warning(
        `The host of every request is trusted, because ${inferredFrom}. Anybody can send any host, and links lead there unless the platform replaces it.`,
        `${setUrl} If the platform sets the host safely, set AUTH_TRUST_HOST to true.`,
      ),
    ]
  if (trustHost === true)
    return [
      warning(
        'trustHost is set, so that the host of each request is believed, and nothing says that a proxy checks it.',
        `${setUrl} It holds whatever a request says.`,
      ),
    ]
  const says =
    'Nothing says which host is that of the site: neither AUTH_URL, nor AUTH_TRUST_HOST, nor trustHost.'
  return trusted && trustHost === undefined
    ? [warning(`${says} That does in development; in production no request would be answered.`, setUrl)]
    : [problem(`${says} Every request is answered with the error UntrustedHost.`, setUrl)]
}

function judgeUrl(url: URL, basePath: string | undefined): readonly Finding[] {
  if (!isSecureUrl(url, false))
    return [
      problem(
        `AUTH_URL is ${url.origin}: without https anybody on the way reads the session cookie.`,
        'Serve the site by https, and name it so in AUTH_URL.',
      ),
    ]
  const findings = [good(`AUTH_URL says that the site is ${url.origin}.`)]
  const path = url.pathname.replace(/\/+$/, '')
  if (path !== '' && basePath && basePath !== path)
    findings.push(
      warning(
        `AUTH_URL has the path ${path}, and basePath is ${basePath}, which is the one that counts.`,
        'Take the path out of AUTH_URL.',
      ),
    )
  if (url.protocol === 'http:') findings.push(note('That is this machine, where http will do.'))
  return findings
}

/** The host that providers redirect to, if this may be it, has to know whom it forwards to. */
export function judgeRedirectProxy(
  { redirectProxy, redirectProxyUrl }: AuthConfig,
  environment: Environment,
): readonly Finding[] {
  const url = redirectProxyUrl ?? environment['AUTH_REDIRECT_PROXY_URL']
  if (!url || !URL.canParse(url)) return []
  const { origin } = new URL(url)
  const own = originOf(environment)
  if (own !== undefined && own !== origin) return []
  const { allow } = redirectProxy ?? {}
  const isSet = typeof allow === 'function' || (allow?.length ?? 0) > 0
  if (isSet) return [good(`The redirect proxy ${origin} has a list of the origins that it forwards to.`)]
  return [
    warning(
      `The redirect proxy ${origin} forwards to nobody: redirectProxy.allow is not set. A sign-in that starts at a preview ends there with InvalidCheck.`,
      'At the proxy, set redirectProxy.allow to the origins of your previews.',
    ),
  ]
}

/** Returns the origin of the site, as far as it is known. */
export function originOf(environment: Environment): string | undefined {
  return readSiteUrl(environment)?.origin
}
