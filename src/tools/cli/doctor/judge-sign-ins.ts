import { isSecureUrl } from '../../../oauth/outbound-fetch.ts'
import { askSite, describeAnswer, readObject } from './ask-site.ts'
import { good, note, problem, guideSections, warning, type Finding } from './finding.ts'
import { judgeSetCookies } from './judge-cookies.ts'
import type { Network } from './judge-providers.ts'

/** A provider in a site's list of providers. */
export interface ShownProvider {
  readonly id: string
  readonly type: string
  readonly callbackUrl: string
}

/** The CSRF token and cookies of a browser. */
export interface Visitor {
  readonly csrfToken: string
  readonly cookie: string
}

/** The result of starting a sign-in. */
export interface StartedSignIn {
  readonly findings: readonly Finding[]
  /** The callback URL in the authorization request, or else in the site's list of providers. */
  readonly callbackUrl: string
  readonly cookies: readonly Finding[]
}

/** Starts a sign-in at a provider and checks the redirect. */
export async function startSignIn(
  { id, type, callbackUrl }: ShownProvider,
  base: string,
  visitor: Visitor,
  network: Network,
): Promise<StartedSignIn> {
  if (type !== 'oauth' && type !== 'oidc')
    return {
      findings: [note(`${id}: type ${type}, so no sign-in was started.`)],
      callbackUrl: '',
      cookies: [],
    }
  const answer = await askSite(`${base}/signin/${id}`, network, {
    method: 'POST',
    headers: {
      cookie: visitor.cookie,
      'content-type': 'application/x-www-form-urlencoded',
      'x-auth-return-redirect': '1',
    },
    body: new URLSearchParams({ csrfToken: visitor.csrfToken, callbackUrl: new URL(base).origin }).toString(),
  })
  const { url } = readObject(answer) ?? {}
  if (typeof url !== 'string' || !URL.canParse(url))
    return {
      findings: [
        problem(
          `${id}: expected a redirect to the provider, got ${describeAnswer(answer)}.`,
          'Check the log of the application.',
          guideSections.log,
        ),
      ],
      callbackUrl,
      cookies: [],
    }
  return {
    ...judgeStart(id, new URL(url), callbackUrl, new URL(base).origin),
    cookies: judgeSetCookies(answer.headers.getSetCookie(), base.startsWith('https:')),
  }
}

function judgeStart(id: string, led: URL, shown: string, origin: string): Omit<StartedSignIn, 'cookies'> {
  const error = led.searchParams.get('error')
  if (led.origin === origin && error !== null)
    return {
      findings: [
        problem(
          `${id}: starting a sign-in fails with ${/^\w{1,40}$/.test(error) ? `the error ${error}` : 'an unknown error'}.`,
          'Check the log of the application, or run doctor on its configuration in the same environment.',
          guideSections.log,
        ),
      ],
      callbackUrl: shown,
    }
  const asked = led.searchParams.get('redirect_uri')
  const where = `${led.origin}${led.pathname}`
  const findings: Finding[] = []
  if (!isSecureUrl(led, false))
    findings.push(
      problem(
        `${id}: redirects to ${where}, which is not https.`,
        'Use the https URL of the provider.',
        guideSections.endpoints,
      ),
    )
  if (!led.searchParams.has('code_challenge') && !led.searchParams.has('state'))
    findings.push(
      problem(
        `${id}: uses neither PKCE nor state: an attacker can sign a visitor in as another user.`,
        'Remove checks: ["none"] from the provider.',
        guideSections.checks,
      ),
    )
  if (asked !== null && asked !== shown)
    findings.push(
      warning(
        `${id}: the redirect_uri is ${asked}, not ${shown}. This is correct only with a redirect proxy.`,
        'Without a redirect proxy, set AUTH_URL to the URL of the site.',
        guideSections.previews,
      ),
    )
  return {
    findings: findings.length > 0 ? findings : [good(`${id}: redirects to ${where}.`)],
    callbackUrl: asked ?? shown,
  }
}
