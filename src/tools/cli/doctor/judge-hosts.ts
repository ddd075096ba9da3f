import { type Environment, findSiteFault, readHostTrust, readSiteUrl } from '../../../config/environment.ts'
import { isSecureUrl } from '../../../oauth/outbound-fetch.ts'
import type { AuthConfig } from '../../../types/config.ts'
import { good, note, problem, guideSections, warning, type Finding } from './finding.ts'

const setUrl = 'Set AUTH_URL to the URL of the site, such as https://example.com.'

/** Checks that the configuration defines the host of the site. */
export function judgeHosts(
  { trustHost, basePath }: AuthConfig,
  environment: Environment,
): readonly Finding[] {
  const fault = findSiteFault(environment)
  if (fault)
    return [
      problem(
        `${fault.message}. Every request would fail with this error.`,
        setUrl,
        guideSections.siteVariables,
      ),
    ]
  const url = readSiteUrl(environment)
  if (url) return judgeUrl(url, basePath)
  const { trusted, inferredFrom } = readHostTrust(environment)
  if (trusted && inferredFrom === undefined)
    return [good('AUTH_TRUST_HOST is set, so the Host header is trusted.')]
  const isDevelopment = environment.NODE_ENV === 'development' || environment.NODE_ENV === 'test'
  if (trusted && trustHost === undefined && !isDevelopment)
    return [
      warning(
        `The host of every request is trusted, because ${inferredFrom}. Unless the platform replaces the Host header, clients choose the host in links.`,
        `${setUrl} If the platform sets the host safely, set AUTH_TRUST_HOST to true.`,
        guideSections.hosts,
      ),
    ]
  if (trustHost === true)
    return [
      warning(
        'trustHost is set, so the host of each request is trusted. This is unsafe unless a proxy sets the Host header.',
        `${setUrl} It takes precedence over the host of the request.`,
        guideSections.hosts,
      ),
    ]
  const says = 'The host of the site is not configured: AUTH_URL, AUTH_TRUST_HOST and trustHost are not set.'
  return trusted && trustHost === undefined
    ? [
        warning(
          `${says} This works in development; in production, every request would fail.`,
          setUrl,
          guideSections.hosts,
        ),
      ]
    : [problem(`${says} Every request fails with UntrustedHost.`, setUrl, guideSections.hosts)]
}

function judgeUrl(url: URL, basePath: string | undefined): readonly Finding[] {
  if (!isSecureUrl(url, false))
    return [
      problem(
        `AUTH_URL is ${url.origin}: without https, anyone on the network can read the session cookie.`,
        'Serve the site over https, and use the https URL in AUTH_URL.',
        guideSections.hosts,
      ),
    ]
  const findings = [good(`According to AUTH_URL, the site is ${url.origin}.`)]
  const path = url.pathname.replace(/\/+$/, '')
  if (path !== '' && basePath && basePath !== path)
    findings.push(
      warning(
        `AUTH_URL has the path ${path} but basePath is ${basePath}, which takes precedence.`,
        'Remove the path from AUTH_URL.',
        guideSections.hosts,
      ),
    )
  if (url.protocol === 'http:') findings.push(note('The host is this machine, so http is sufficient.'))
  return findings
}

/** If this host may be the redirect proxy, checks that it has a list of allowed origins. */
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
  if (isSet) return [good(`The redirect proxy ${origin} has a list of allowed origins.`)]
  return [
    warning(
      `The redirect proxy ${origin} does not forward: redirectProxy.allow is not set. A sign-in from a preview fails there with InvalidCheck.`,
      'On the proxy, set redirectProxy.allow to the origins of your previews.',
      guideSections.previews,
    ),
  ]
}

/** Returns the origin of the site, if it is known. */
export function originOf(environment: Environment): string | undefined {
  return readSiteUrl(environment)?.origin
}
