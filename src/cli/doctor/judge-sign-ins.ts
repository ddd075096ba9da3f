import { isSecureUrl } from '../../oauth/secure-url.ts'
import { askSite, describeAnswer, readObject } from './ask-site.ts'
import { good, note, problem, warning, type Finding } from './finding.ts'
import { judgeSetCookies } from './judge-set-cookies.ts'
import type { Network } from './judge-providers.ts'

/** A provider as a site shows it. */
export interface ShownProvider {
  readonly id: string
  readonly type: string
  readonly callbackUrl: string
}

/** What a browser brings along that has asked for a CSRF token. */
export interface Visitor {
  readonly csrfToken: string
  readonly cookie: string
}

/** Where a sign-in was led to. */
export interface StartedSignIn {
  readonly findings: readonly Finding[]
  /** Of the provider's client; as asked for, or as the site shows it. */
  readonly callbackUrl: string
  readonly cookies: readonly Finding[]
}

/** Starts a sign-in at a provider, and looks at where it leads. */
export async function startSignIn(
  { id, type, callbackUrl }: ShownProvider,
  base: string,
  visitor: Visitor,
  network: Network,
): Promise<StartedSignIn> {
  if (type !== 'oauth' && type !== 'oidc')
    return {
      findings: [note(`${id}: of type ${type}, so that no sign-in was started.`)],
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
          `${id}: expected a sign-in to be led to the provider, and ${describeAnswer(answer)} came.`,
          'Look into the log of the application.',
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
          `${id}: a sign-in ends at once with the error ${/^\w{1,40}$/.test(error) ? error : 'of another kind'}.`,
          'Look into the log of the application, or run doctor on its configuration, where it has its variables.',
        ),
      ],
      callbackUrl: shown,
    }
  const asked = led.searchParams.get('redirect_uri')
  const where = `${led.origin}${led.pathname}`
  const findings: Finding[] = []
  if (!isSecureUrl(led, false))
    findings.push(
      problem(`${id}: leads to ${where}, which is not https.`, 'Use the https URL of the provider.'),
    )
  if (!led.searchParams.has('code_challenge') && !led.searchParams.has('state'))
    findings.push(
      problem(
        `${id}: asks with neither PKCE nor state: anybody can sign a visitor in as somebody else.`,
        'Take checks: ["none"] out of the provider.',
      ),
    )
  if (asked !== null && asked !== shown)
    findings.push(
      warning(`${id}: asks to come back to ${asked}, and not to ${shown}. Right only with a redirect proxy.`),
    )
  return {
    findings: findings.length > 0 ? findings : [good(`${id}: leads to ${where}.`)],
    callbackUrl: asked ?? shown,
  }
}
