import type { Environment } from '../../config/environment.ts'
import { isSecureUrl } from '../../oauth/secure-url.ts'
import type { AuthConfig } from '../../types/config.ts'
import { good, note, problem, warning, type Finding } from './finding.ts'

const setUrl = 'Set AUTH_URL to the URL of the site, such as https://example.com.'

/** Does the configuration say which host is the site's? */
export function judgeHosts(
  { trustHost, basePath }: AuthConfig,
  environment: Environment,
): readonly Finding[] {
  const { AUTH_URL, NODE_ENV } = environment
  if (AUTH_URL) return judgeUrl(AUTH_URL, basePath)
  const trusting = ['AUTH_TRUST_HOST', 'VERCEL', 'CF_PAGES'].find((name) => environment[name] !== undefined)
  if (trusting && !['', 'false', '0'].includes(environment[trusting]?.toLowerCase() ?? ''))
    return [good(`${trusting} says that the platform sets the host, which each request is answered for.`)]
  if (trustHost === true)
    return [
      warning(
        'trustHost is set, so that the host of each request is believed, and nothing says that a proxy checks it.',
        `${setUrl} It holds whatever a request says.`,
      ),
    ]
  const says =
    'Nothing says which host is that of the site: neither AUTH_URL, nor AUTH_TRUST_HOST, nor trustHost.'
  return NODE_ENV === 'production' || trustHost === false || trusting
    ? [problem(`${says} Every request is answered with the error UntrustedHost.`, setUrl)]
    : [warning(`${says} That does in development; in production no request would be answered.`, setUrl)]
}

function judgeUrl(text: string, basePath: string | undefined): readonly Finding[] {
  if (!URL.canParse(text)) return [problem('AUTH_URL is set, and is no URL.', setUrl)]
  const url = new URL(text)
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

/** Where the site is, as far as it is known. */
export function originOf({ AUTH_URL }: Environment): string | undefined {
  return AUTH_URL && URL.canParse(AUTH_URL) ? new URL(AUTH_URL).origin : undefined
}
