import { parseSetCookie } from 'cookie'
import { good, problem, warning, type Finding } from './finding.ts'

/** Are the cookies that a site sets kept to it, and away from scripts? */
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
      problem(`${name} is not HttpOnly: every script reads it.`, 'Take httpOnly: false out of cookies.'),
    )
  if (isHttps && !secure)
    findings.push(
      problem(
        `${name} is not Secure, though the site is at https: the application takes itself for a site at http.`,
        'Set AUTH_URL to the URL of the site, or have the proxy say that it is at https.',
      ),
    )
  else if (isHttps && !/^__(Secure|Host)-/.test(name))
    findings.push(
      warning(`${name} has no __Secure- or __Host- prefix: another host of the domain can set it.`),
    )
  if (name.startsWith('__Host-') && (domain !== undefined || path !== '/' || !secure))
    findings.push(
      problem(
        `${name} breaks what __Host- promises, and browsers drop it.`,
        'Take domain and path out of cookies.',
      ),
    )
  if (sameSite === undefined)
    findings.push(warning(`${name} says nothing of SameSite: what that means depends on the browser.`))
  return findings
}
