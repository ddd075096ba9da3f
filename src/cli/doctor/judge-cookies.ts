import type { CookiePurpose, Settings } from '../../config/settings.ts'
import type { CookieOption } from '../../types/config.ts'
import { good, note, problem, warning, type Finding } from './finding.ts'

/** Would a browser keep the cookies, and keep them to itself? */
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
      ? `${secure.sessionToken.name} at https, and ${plain.sessionToken.name} at http`
      : table.sessionToken.name
  const session = `The session is in the cookie ${named}.`
  return findings.some(({ level }) => level === 'problem') ? findings : [good(session), ...findings]
}

function judgeProtocol(
  useSecureCookies: boolean | undefined,
  isHttps: boolean | undefined,
): readonly Finding[] {
  if (useSecureCookies === false && isHttps)
    return [
      warning(
        'useSecureCookies is false, and the site is at https: its cookies go over http as well.',
        'Take useSecureCookies out.',
      ),
    ]
  if (useSecureCookies && isHttps === false)
    return [
      problem(
        'useSecureCookies is true, and the site is at http, where browsers keep no such cookie.',
        'Take useSecureCookies out: by itself it is what the protocol of the site asks for.',
      ),
    ]
  return []
}

function listEntries(table: Settings['cookies']['secure']): [CookiePurpose, CookieOption][] {
  return Object.entries(table) as [CookiePurpose, CookieOption][]
}

/** Purposes whose cookie a script must not read. */
const silent: readonly string[] = ['sessionToken', 'pkceCodeVerifier', 'state', 'nonce', 'csrfToken']

function judgeCookie([purpose, { name, options }]: [CookiePurpose, CookieOption]): readonly Finding[] {
  const { secure, httpOnly, sameSite, domain, path } = options
  const at = `cookies.${purpose}`
  const findings: Finding[] = []
  if (httpOnly === false && silent.includes(purpose))
    findings.push(
      problem(`${at} is not HttpOnly: every script of the site reads it.`, 'Take httpOnly: false out.'),
    )
  if (sameSite === 'none' && !secure)
    findings.push(
      problem(
        `${at} is SameSite=None and not Secure: browsers drop it.`,
        'Set secure: true, or sameSite: lax.',
      ),
    )
  if (/^__(Secure|Host)-/.test(name) && !secure)
    findings.push(problem(`${at} is called ${name} and not Secure: browsers drop it.`, 'Set secure: true.'))
  if (name.startsWith('__Host-') && (domain || path !== '/'))
    findings.push(
      problem(
        `${at} is called ${name}, and has a domain or a path: browsers drop it.`,
        'Take them out, or call it by another name.',
      ),
    )
  if (domain) findings.push(note(`${at} goes to every host of ${domain}.`))
  return findings
}
