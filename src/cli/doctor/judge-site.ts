import { isSecureUrl } from '../../oauth/secure-url.ts'
import { CommandError } from '../command-error.ts'
import { askSite, describeAnswer, readObject, type Answer } from './ask-site.ts'
import { good, note, problem, warning, type Finding, type Section } from './finding.ts'
import { judgeClocks, readSkew } from './judge-clock.ts'
import { judgeSetCookies } from './judge-set-cookies.ts'
import { startSignIn, type ShownProvider } from './judge-sign-ins.ts'
import type { Network } from './judge-providers.ts'

/** Where routes usually are, under a URL that names no path. */
const usualPaths = ['/auth', '/api/auth']

/**
 * Looks at a site from outside, as a browser would that has no cookies.
 *
 * @throws {CommandError} when nobody answers, or nothing there is a list of providers
 */
export async function judgeSite(url: URL, network: Network): Promise<readonly Section[]> {
  const { base, answer, providers } = await findRoutes(url, network)
  const isHttps = url.protocol === 'https:'
  const [csrf, session, page] = await Promise.all(
    ['csrf', 'session', 'signin'].map((route) => askSite(`${base}/${route}`, network)),
  )
  if (!csrf || !session || !page) throw new TypeError('Expected an answer to each question')
  const { csrfToken } = readObject(csrf) ?? {}
  const cookie = csrf.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const visitor = { csrfToken: typeof csrfToken === 'string' ? csrfToken : '', cookie }
  const started = await Promise.all(providers.map((each) => startSignIn(each, base, visitor, network)))
  const skew = readSkew(url.host, answer.headers, answer.askedAt, answer.answeredAt)
  return [
    { title: 'Site', findings: [...judgeOrigin(url, base, providers), ...judgePage(page)] },
    { title: 'Session', findings: judgeSession(session) },
    { title: 'CSRF token', findings: judgeCsrf(csrf) },
    {
      title: 'Cookies',
      findings: unite([
        ...(cookie === '' ? [] : judgeSetCookies(csrf.headers.getSetCookie(), isHttps)),
        ...started.flatMap(({ cookies }) => cookies),
      ]),
    },
    { title: 'Sign-ins', findings: started.flatMap(({ findings }) => findings) },
    { title: 'Clock', findings: judgeClocks(skew ? [skew] : []) },
    {
      title: 'Callback URLs, as they have to be registered at the providers',
      findings: started
        .filter(({ callbackUrl }) => callbackUrl !== '')
        .map(({ callbackUrl }) => note(callbackUrl)),
    },
  ]
}

interface Routes {
  readonly base: string
  readonly answer: Answer
  readonly providers: readonly ShownProvider[]
}

async function findRoutes({ origin, pathname }: URL, network: Network): Promise<Routes> {
  const path = pathname.replace(/\/+$/, '')
  const answers: string[] = []
  for (const candidate of path === '' ? usualPaths : [path]) {
    const base = origin + candidate
    const answer = await askSite(`${base}/providers`, network)
    const providers = readProviders(readObject(answer))
    if (providers) return { base, answer, providers }
    answers.push(`  ${base}/providers  ${describeAnswer(answer)}`)
  }
  throw new CommandError(
    `Expected a list of providers, as JSON, and there came\n\n${answers.join('\n')}\n\n` +
      'Where the routes have another base path, it has to be named:\n\n' +
      '  authmachine doctor https://example.com/login\n\n' +
      'A status of 500 says that the configuration is refused; the log of the\n' +
      'application says why.',
    1,
  )
}

function readProviders(body: Readonly<Record<string, unknown>> | undefined): ShownProvider[] | undefined {
  if (!body) return undefined
  const shown = Object.values(body).map((each) => each as Partial<ShownProvider> | null)
  return shown.every(isShown) ? shown : undefined
}

function isShown(provider: Partial<ShownProvider> | null): provider is ShownProvider {
  return [provider?.id, provider?.type, provider?.callbackUrl].every((text) => typeof text === 'string')
}

function judgeOrigin(url: URL, base: string, providers: readonly ShownProvider[]): readonly Finding[] {
  if (!isSecureUrl(url, false))
    return [
      problem(
        `${url.origin} is not https: anybody on the way reads the session cookie.`,
        'Serve the site by https.',
      ),
    ]
  const other = providers.find(({ callbackUrl }) => !callbackUrl.startsWith(`${base}/`))
  if (!other) return [good(`The routes are at ${base}, which is where the application takes them to be.`)]
  return [
    problem(
      `The routes are at ${base}, and the application sends people back to ${other.callbackUrl}.`,
      'Set AUTH_URL to the URL of the site, or have the proxy pass host and protocol on.',
    ),
  ]
}

/** The sign-in page, unless it is one of the application's own. */
function judgePage({ status, headers }: Answer): readonly Finding[] {
  if (status !== 200) return []
  const policy = headers.get('content-security-policy') ?? ''
  if (/frame-ancestors/.test(policy) || headers.has('x-frame-options')) return []
  return [
    warning('The sign-in page can be put into a frame of another site, which clicks can be stolen with.'),
  ]
}

function judgeSession(answer: Answer): readonly Finding[] {
  const isNobody = answer.status === 200 && ['null', '{}', ''].includes(answer.text.trim())
  if (!isNobody)
    return [
      problem(
        `Expected null for a visitor without a cookie, and ${describeAnswer(answer)} came.`,
        'Look into the log of the application; a cache in between may have answered for it.',
      ),
    ]
  return [good('A visitor without a cookie is nobody.'), ...judgeCaching(answer)]
}

function judgeCaching({ headers }: Answer): readonly Finding[] {
  const control = headers.get('cache-control') ?? ''
  if (/no-store/.test(control)) return [good('Nothing on the way may keep the answer.')]
  return [
    problem(
      `The answer may be kept on the way (Cache-Control: ${control || 'none'}): one visitor may get what belongs to another.`,
      'Have the proxy pass Cache-Control on as it is.',
    ),
  ]
}

function judgeCsrf(answer: Answer): readonly Finding[] {
  const { csrfToken } = readObject(answer) ?? {}
  if (typeof csrfToken === 'string' && csrfToken !== '')
    return [good('There is one, for forms.'), ...judgeCaching(answer)]
  if (answer.status === 404)
    return [note('There is none: the framework checks forms, or nobody does (skipCSRFCheck).')]
  return [
    problem(`Expected a token, and ${describeAnswer(answer)} came.`, 'Look into the log of the application.'),
  ]
}

/** Each finding once. */
function unite(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [finding.says, finding])).values()]
}
