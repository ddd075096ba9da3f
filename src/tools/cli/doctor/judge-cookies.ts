import { parseSetCookie } from 'cookie'
import type { CookiePurpose, Settings } from '../../../config/settings.ts'
import type { CookieOption } from '../../../types/cookies.ts'
import { type Finding, good, note, problem, guideSections, warning } from './finding.ts'

/** Checks that other sites and scripts cannot read the cookies of a site. */
export function judgeSetCookies(lines: readonly string[], isHttps: boolean): readonly Finding[] {
  const cookies = lines.map((line) => parseSetCookie(line))
  const findings = cookies.flatMap((cookie) => judgeOne(cookie, isHttps))
  if (findings.length > 0) return findings
  const names = cookies.map(({ name }) => name).join(', ')
  return [good(`${names}: HttpOnly, SameSite${isHttps ? ', Secure and with a prefix' : ''}.`)]
}

function judgeOne(
  { name, httpOnly, secure, sameSite, path, domain }: ReturnType<typeof parseSetCookie>,
  isHttps: boolean,
): readonly Finding[] {
  const findings: Finding[] = []
  if (!httpOnly)
    findings.push(
      problem(
        `${name} is not HttpOnly: every script can read it.`,
        'Remove httpOnly: false from cookies.',
        guideSections.cookies,
      ),
    )
  if (isHttps && !secure)
    findings.push(
      problem(
        `${name} is not Secure although the site uses https: the application assumes http.`,
        'Set AUTH_URL to the URL of the site, or configure the proxy to pass on the protocol.',
        guideSections.hosts,
      ),
    )
  else if (isHttps && !/^__(Secure|Host)-/.test(name))
    findings.push(
      warning(
        `${name} has no __Secure- or __Host- prefix: another host of the domain can set it.`,
        'Remove the name of the cookie from cookies, or add the prefix.',
        guideSections.cookies,
      ),
    )
  if (name.startsWith('__Host-') && (domain !== undefined || path !== '/' || !secure))
    findings.push(
      problem(
        `${name} violates the rules of the __Host- prefix, so browsers reject it.`,
        'Remove domain and path from cookies.',
        guideSections.cookies,
      ),
    )
  if (sameSite === undefined)
    findings.push(
      warning(
        `${name} has no SameSite attribute, so its default depends on the browser.`,
        'Set sameSite: "lax" in cookies.',
        guideSections.cookies,
      ),
    )
  return findings
}

/** Checks that browsers accept the cookies and protect them. */
export function judgeCookies(
  { cookies, useSecureCookies }: Settings,
  origin: string | undefined,
): readonly Finding[] {
  const isHttps = origin === undefined ? undefined : origin.startsWith('https:')
  const isSecure = useSecureCookies ?? isHttps ?? true
  const table = isSecure ? cookies.secure : cookies.plain
  const findings = [...judgeProtocol(useSecureCookies, isHttps), ...listEntries(table).flatMap(judgeCookie)]
  const { secure, plain } = cookies
  const named =
    isHttps === undefined &&
    useSecureCookies === undefined &&
    secure.sessionToken.name !== plain.sessionToken.name
      ? `${secure.sessionToken.name} on https and ${plain.sessionToken.name} on http`
      : table.sessionToken.name
  const session = `The session cookie is ${named}.`
  return findings.some(({ level }) => level === 'problem') ? findings : [good(session), ...findings]
}

function judgeProtocol(
  useSecureCookies: boolean | undefined,
  isHttps: boolean | undefined,
): readonly Finding[] {
  if (useSecureCookies === false && isHttps)
    return [
      warning(
        'useSecureCookies is false although the site uses https: browsers also send its cookies over http.',
        'Remove useSecureCookies.',
        guideSections.cookies,
      ),
    ]
  if (useSecureCookies && isHttps === false)
    return [
      problem(
        'useSecureCookies is true although the site uses http: browsers reject its cookies.',
        'Remove useSecureCookies. The library then follows the protocol of the site.',
        guideSections.cookies,
      ),
    ]
  return []
}

function listEntries(table: Settings['cookies']['secure']): [CookiePurpose, CookieOption][] {
  return Object.entries(table) as [CookiePurpose, CookieOption][]
}

/** Cookies that scripts must not read. */
const unreadable: readonly string[] = ['sessionToken', 'pkceCodeVerifier', 'state', 'nonce', 'csrfToken']

function judgeCookie([purpose, { name, options }]: [CookiePurpose, CookieOption]): readonly Finding[] {
  const { secure, httpOnly, sameSite, domain, path } = options
  const at = `cookies.${purpose}`
  const findings: Finding[] = []
  if (httpOnly === false && unreadable.includes(purpose))
    findings.push(
      problem(
        `${at} is not HttpOnly: every script of the site can read it.`,
        'Remove httpOnly: false.',
        guideSections.cookies,
      ),
    )
  if (sameSite === 'none' && !secure)
    findings.push(
      problem(
        `${at} is SameSite=None but not Secure: browsers reject it.`,
        'Set secure: true, or sameSite: "lax".',
        guideSections.cookies,
      ),
    )
  if (/^__(Secure|Host)-/.test(name) && !secure)
    findings.push(
      problem(
        `${at} has the name ${name} but is not Secure: browsers reject it.`,
        'Set secure: true.',
        guideSections.cookies,
      ),
    )
  if (name.startsWith('__Host-') && (domain || path !== '/'))
    findings.push(
      problem(
        `${at} has the name ${name} but sets a domain or a path: browsers reject it.`,
        'Remove the domain and the path, or use another name.',
        guideSections.cookies,
      ),
    )
  if (domain) findings.push(note(`${at} is sent to every host of ${domain}.`))
  return findings
}
