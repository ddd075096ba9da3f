import { isSecureUrl } from '../../../oauth/outbound-fetch.ts'
import { CommandError } from '../arguments.ts'
import { askSite, describeAnswer, readObject, type Answer } from './ask-site.ts'
import { good, note, problem, type Section, guideSections, warning, type Finding } from './finding.ts'
import { judgeClocks, type Network, readSkew } from './judge-providers.ts'
import { judgeSetCookies } from './judge-cookies.ts'
import { startSignIn, type ShownProvider } from './judge-sign-ins.ts'

/** Maximum number of providers to check, because each costs a request and the site may list any number. */
const maxProviders = 100

/** Base paths to try for a URL without a path. */
const usualPaths = ['/auth', '/api/auth']

/**
 * Checks a site from outside, like a browser without cookies.
 *
 * @throws {CommandError} if there is no response, or no list of providers
 */
export async function judgeSite(url: URL, network: Network): Promise<readonly Section[]> {
  const { base, answer, providers } = await findRoutes(url, network)
  const isHttps = url.protocol === 'https:'
  const [csrf, session, page] = await Promise.all(
    ['csrf', 'session', 'signin'].map((route) => askSite(`${base}/${route}`, network)),
  )
  if (!csrf || !session || !page) throw new TypeError('Expected a response to each request')
  const { csrfToken } = readObject(csrf) ?? {}
  const cookie = csrf.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const visitor = { csrfToken: typeof csrfToken === 'string' ? csrfToken : '', cookie }
  const judged = providers.slice(0, maxProviders)
  const started = await Promise.all(judged.map((each) => startSignIn(each, base, visitor, network)))
  const skew = readSkew(url.host, answer.headers, answer.askedAt, answer.answeredAt)
  return [
    { title: 'Site', findings: [...judgeOrigin(url, base, providers), ...judgePage(page)] },
    { title: 'Session', findings: checkSession(session) },
    { title: 'CSRF token', findings: judgeCsrf(csrf) },
    {
      title: 'Cookies',
      findings: unite([
        ...(cookie === '' ? [] : judgeSetCookies(csrf.headers.getSetCookie(), isHttps)),
        ...started.flatMap(({ cookies }) => cookies),
      ]),
    },
    {
      title: 'Sign-ins',
      findings: [...judgeNumber(providers), ...started.flatMap(({ findings }) => findings)],
    },
    { title: 'Clock', findings: judgeClocks(skew ? [skew] : []) },
    {
      title: 'Callback URLs to register at the providers, exactly as shown',
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
    `Expected a JSON list of providers, got\n\n${answers.join('\n')}\n\n` +
      'If the routes have another base path, add it to the URL:\n\n' +
      '  authmachine doctor https://example.com/login\n\n' +
      'A status of 500 means that the configuration is invalid. Check the log of the\n' +
      'application.',
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
        `${url.origin} is not https: anyone on the network can read the session cookie.`,
        'Serve the site over https.',
        guideSections.hosts,
      ),
    ]
  const other = providers.find(({ callbackUrl }) => !callbackUrl.startsWith(`${base}/`))
  if (!other) return [good(`The routes are at ${base}, as the application expects.`)]
  return [
    problem(
      `The routes are at ${base}, but the application's callback URL is ${other.callbackUrl}.`,
      'Set AUTH_URL to the URL of the site, or configure the proxy to pass on the host and the protocol.',
      guideSections.hosts,
    ),
  ]
}

function judgeNumber({ length }: readonly ShownProvider[]): readonly Finding[] {
  if (length <= maxProviders) return []
  return [
    warning(
      `The site lists ${length} providers. Only the first ${maxProviders} were checked.`,
      'Run doctor on the configuration to check all of them.',
      guideSections.limits,
    ),
  ]
}

/** Checks the built-in sign-in page. */
function judgePage({ status, headers, isCut }: Answer): readonly Finding[] {
  if (status !== 200) return []
  if (isCut)
    return [
      warning(
        'The sign-in page is larger than 1 MiB, and the rest of it was not read.',
        'Check that this page is the sign-in page.',
        guideSections.limits,
      ),
    ]
  const policy = headers.get('content-security-policy') ?? ''
  if (/frame-ancestors/.test(policy) || headers.has('x-frame-options')) return []
  return [
    warning(
      'Other sites can show the sign-in page in a frame and steal clicks.',
      "Send the header Content-Security-Policy: frame-ancestors 'none'.",
      guideSections.framing,
    ),
  ]
}

function checkSession(answer: Answer): readonly Finding[] {
  const isNobody = answer.status === 200 && !answer.isCut && ['null', '{}', ''].includes(answer.text.trim())
  if (!isNobody)
    return [
      problem(
        `Expected null for a visitor without a cookie, got ${describeAnswer(answer)}.`,
        'Check the log of the application, and check whether a cache sent the response.',
        guideSections.log,
      ),
    ]
  return [good('A visitor without a cookie is signed out.'), ...judgeCaching(answer)]
}

function judgeCaching({ headers }: Answer): readonly Finding[] {
  const control = headers.get('cache-control') ?? ''
  if (/no-store/.test(control)) return [good('Caches may not store the response.')]
  return [
    problem(
      `Caches may store the response (Cache-Control: ${control || 'none'}), so a visitor may receive another visitor's data.`,
      'Configure the proxy to pass on Cache-Control unchanged.',
      guideSections.hosts,
    ),
  ]
}

function judgeCsrf(answer: Answer): readonly Finding[] {
  const { csrfToken } = readObject(answer) ?? {}
  if (typeof csrfToken === 'string' && csrfToken !== '')
    return [good('The route returns a token.'), ...judgeCaching(answer)]
  if (answer.status === 404)
    return [note('There is no token: the framework protects forms, or nothing does (skipCSRFCheck).')]
  return [
    problem(
      `Expected a token, got ${describeAnswer(answer)}.`,
      'Check the log of the application.',
      guideSections.log,
    ),
  ]
}

/** Removes duplicate findings. */
function unite(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [finding.says, finding])).values()]
}
