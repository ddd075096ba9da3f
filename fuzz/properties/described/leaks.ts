import { everyOf } from '../../arbitraries/every-of.ts'
import type { Browser } from '../../world/browser.ts'
import type { Fault } from '../../world/idp/faults.ts'
import type { RemoteName } from '../../world/people.ts'
import type { Reply } from '../../world/reply.ts'
import type { World } from '../../world/world.ts'
import { property, type Property } from '../property.ts'
import { remotes, withParameters } from '../support/consent.ts'
import { callbackOf, describedBy, followOnce, withQuery } from '../support/described.ts'
import { readSecrets, refreshToken } from '../support/provider-secrets.ts'
import { linesOf, readLine } from '../support/set-cookie-lines.ts'

const leaked = { observed: 'a secret' } as const

/** What an error of code looks like, by the platform that shows it. */
const traces: Readonly<Record<string, RegExp>> = {
  'a stack trace of JavaScript': /\bat (?:[\w.<>$[\] ]+ \()?(?:file:\/\/|node:|\/)[^\s()]*:\d+:\d+/,
  'a stack trace of Python': /Traceback \(most recent call last\)|File &quot;\/|File "\/[^"\n]+", line \d+/,
  'a stack trace of Ruby': /\/[^\s:<>]+\.rb:\d+:in /,
  'a stack trace of Java': /\bat [\w.$]+\([\w$]+\.(?:java|kt|scala):\d+\)/,
  'a stack trace of PHP': /\/[^\s:<>]+\.php(?:<\/b>)?(?: on line |:|\()\s*(?:<b>)?\d+/,
  'a stack trace of .NET': /\bat [\w.]+\(.*\) in [^\n]+:line \d+/,
  'a stack trace of Go': /goroutine \d+ \[|\/[^\s:<>]+\.go:\d+ \+0x/,
  'details for developers':
    /\bDEBUG = True\b|__debugger__|Action Controller: Exception caught|Sinatra doesn.t know this ditty|\bdata-nextjs-dialog\b/,
  'a statement of SQL': /\b(?:SQLSTATE|SQLITE_ERROR|ORA-\d{5}|syntax error at or near)\b/,
}

/** Parameters and headers with which a page shows more to its developers. */
const verbose = Object.fromEntries(
  [
    'debug verbose full raw trace dump details detailed expand include fields all extended dev test',
    'show_token show_tokens tokens with_token with_tokens session internal',
  ].flatMap((line) => line.split(' ').map((name) => [name, '1'] as const)),
)
const verboseHeaders = { 'x-debug': '1', 'x-verbose': '1', 'x-requested-with': 'XMLHttpRequest' } as const
const types = ['text/html', 'application/json', 'text/plain'] as const

/** Requests that make careless code fail. */
const failures = {
  'a response with a malformed escape': async (browser, world, provider) => {
    const arrival = await browser.visit(provider, world.people.ada)
    const path = callbackOf(world, arrival)
    return [await browser.send(`${path}?code=%E0%A4%A&state=%`, { says: 'returns with a malformed escape' })]
  },
  'a response with a list for a text': async (browser, world, provider) => {
    const arrival = await browser.visit(provider, world.people.ada)
    const path = callbackOf(world, arrival)
    const query = 'code[]=x&state[a]=y&state[__proto__]=z&error[]=x'
    return [await browser.send(`${path}?${query}`, { says: 'returns with lists' })]
  },
  'a response without a sign-in': async (browser, world, provider) => {
    const arrival = await world.browser('ada').visit(provider, world.people.ada)
    return [await browser.arrive(arrival)]
  },
  'a response without parameters': async (browser, world, provider) => {
    const arrival = await browser.visit(provider, world.people.ada)
    return [await browser.arrive({ ...arrival, parameters: new URLSearchParams() })]
  },
  'a very long response': async (browser, world, provider) => {
    const arrival = await browser.visit(provider, world.people.ada)
    return [await browser.arrive(withParameters(arrival, (query) => query.set('state', 'x'.repeat(7000))))]
  },
  'cookies that are no sessions': async (browser, world, provider) => {
    await browser.signIn(provider, world.people.ada)
    const { path } = describedBy(world).sessionRequest
    const names = Object.keys(browser.cookies())
    const replies: Reply[] = []
    for (const value of ['%', 'x', '%00', 'eyJhIjoxfQ', 's:x.y', 'e30.e30.e30', '{', '"'])
      replies.push(
        await browser.send(path, {
          headers: { cookie: names.map((name) => `${name}=${value}`).join('; ') },
          says: `reads the session with cookies ${JSON.stringify(value)}`,
        }),
      )
    return replies
  },
  'forms that are not forms': async (browser, world, provider) => {
    const { path } = describedBy(world).withoutProof('signIn', provider)
    const says = 'posts a malformed body'
    const json = { 'content-type': 'application/json' }
    return [
      await browser.send(path, { method: 'POST', json: '{"', headers: json, says }),
      await browser.send(path, { method: 'POST', json: [[[]]], headers: json, says }),
      await browser.send(path, {
        method: 'POST',
        json: '--x',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        says,
      }),
    ]
  },
  'pages that do not exist': async (browser, world, provider) => [
    await browser.send(
      describedBy(world)
        .withoutProof('signIn', provider)
        .path.replace(/[^/]*$/, '%E0%A4%A'),
      {
        says: 'opens a malformed path',
      },
    ),
    await browser.send(`${describedBy(world).root}/no-such-page-4711`, {
      says: 'opens a page that does not exist',
    }),
    await browser.send(`${describedBy(world).root}/%`, { says: 'opens a malformed path' }),
    await browser.send(`${describedBy(world).root}/%00`, { says: 'opens a malformed path' }),
  ],
} satisfies Record<
  string,
  (browser: Browser, world: World, provider: RemoteName) => Promise<readonly Reply[]>
>

const providerFailures = [
  'token:400-echo',
  'token:500',
  'token:html',
  'token:network-error',
  'id-token-garbage',
  'id-token-missing',
  'signature-flipped',
  'userinfo:500',
  'userinfo-sub-missing',
  'access-denied',
] as const satisfies readonly Fault[]

export const describedLeakProperties: readonly Property[] = [
  property({
    proves: ['IL-06'],
    name: 'shows no token, session id, verifier or client secret in a response',
    story:
      'A script on a page, or a copy of its source, has tokens with which an attacker acts for the user.',
    advice: 'Keep tokens on the server, and show only what a page needs.',
    needs: ['description'],
    runs: 6,
    ...everyOf({ provider: remotes, twice: [false, true] }),
    async run(world, { provider, twice }) {
      const { ada } = world.people
      const idp = world.idps[provider]
      idp.addToTokens({ refresh_token: refreshToken })
      const browser = world.browser('ada')
      const { sessionRequest, sessionCookie } = describedBy(world)
      const { path } = sessionRequest
      for (let time = 0; time < (twice ? 2 : 1); time++) {
        await browser.signIn(provider, ada)
        await browser.send(path, { says: 'opens the page that shows who is signed in' })
        await browser.send(`${describedBy(world).root}/`, { says: 'opens the front page' })
        const says = 'opens a page with parameters and headers for developers'
        for (const page of [path, `${describedBy(world).root}/`])
          for (const accept of types)
            await browser.send(withQuery(page, verbose), { headers: { ...verboseHeaders, accept }, says })
      }
      const cookie = decode(sessionCookie(browser.cookies()))
      const secrets = [
        ...readSecrets(world, provider),
        ...(cookie.length > 15 ? [['the session cookie', cookie] as const] : []),
      ]
      for (const { request, reply } of world.replies)
        for (const [what, secret] of secrets) {
          const says = `the response to ${request.method} ${new URL(request.url).pathname} contains ${what}`
          world.check('IL-06', !decode(reply.text).includes(secret), says, leaked)
          const [header] =
            [...reply.headers].find(
              ([key, text]) => key !== 'set-cookie' && key !== 'location' && decode(text).includes(secret),
            ) ?? []
          world.check('IL-06', header === undefined, `${says}, in the header ${header}`, leaked)
        }
      const readable = linesOf(world)
        .map(({ line }) => readLine(line))
        .filter(
          ({ name, attributes }) => !attributes.has('httponly') && sessionCookie({ [name]: 'x' }) === '',
        )
      for (const { name, value } of readable) {
        const [what] = secrets.find(([, secret]) => decode(value).includes(secret)) ?? []
        const says = `the cookie ${name}, which scripts can read, contains ${what}`
        world.check('IL-06', what === undefined, says, leaked)
      }
    },
  }),

  property({
    proves: ['IL-04'],
    name: 'shows no stack trace and no secret when something fails',
    story: 'An attacker causes an error, and reads paths, versions, statements or secrets in the page.',
    advice: 'Turn off the debug mode, and answer each error with a text of your own.',
    needs: ['description'],
    severity: 'leak',
    runs: 18,
    ...everyOf({
      provider: remotes,
      cause: [...(Object.keys(failures) as (keyof typeof failures)[]), ...providerFailures],
    }),
    async run(world, { provider, cause }) {
      const { ada } = world.people
      const browser = world.browser('ada')
      world.prove(browser, ada, provider)
      const replies = await fail(world, browser, provider, cause)
      const secrets = readSecrets(world, provider)
      for (const first of replies)
        for (const { text } of [first, ...(await followOnce(world, browser, first))]) {
          const shown = decode(text)
          const [trace] = Object.entries(traces).find(([, pattern]) => pattern.test(shown)) ?? []
          world.check('IL-04', trace === undefined, `${cause}: the page shows ${trace}`, {
            observed: 'a missing protection',
          })
          const [secret] = secrets.find(([, value]) => shown.includes(value)) ?? []
          world.check('IL-04', secret === undefined, `${cause}: the page shows ${secret}`, leaked)
        }
      await world.browser('ada').signIn(provider, ada)
      world.reach(cause)
    },
  }),
]

async function fail(
  world: World,
  browser: Browser,
  provider: RemoteName,
  cause: keyof typeof failures | (typeof providerFailures)[number],
): Promise<readonly Reply[]> {
  if (cause in failures) return failures[cause as keyof typeof failures](browser, world, provider)
  const idp = world.idps[provider]
  idp.misbehave(cause as Fault)
  const replies = [await browser.arrive(await browser.visit(provider, world.people.ada))]
  idp.misbehave()
  return replies
}

function decode(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}
