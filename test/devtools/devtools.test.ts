import { describe, expect, it, vi } from 'vitest'
import type { ExplorerSetup } from '../../src/tools/explorer/data.ts'
import { createAuth } from '../../src/instance/create-auth.ts'
import { createDevtools, type Devtools } from '../../src/devtools.ts'
import { InvalidConfig } from '../../src/errors.ts'
import { skipCSRFCheck } from '../../src/types/symbols.ts'
import type { Fault } from '../../fuzz/world/idp/faults.ts'
import {
  openApp,
  origin,
  secret,
  sessionOf,
  signIn,
  signOut,
  startSignIn,
  visitProvider,
  type App,
  type AppOptions,
} from '../support/app.ts'
import { openAgent, type Agent } from '../support/browser-agent.ts'
import { createCanaries, type Canaries } from '../support/canaries.ts'
import { withEnvironment } from '../support/environment.ts'
import { askForLink, openMailApp } from '../support/mail.ts'

/** The tests run on a host that is not loopback. */
const here = { hosts: ['app.test'] }

/** An agent whose requests are recorded. */
function watched(devtools: Devtools, app: App): Agent {
  return openAgent(origin, createAuth(devtools.watch(app.config)).handler)
}

const ask = (devtools: Devtools, path: string, init?: RequestInit) =>
  devtools.handle(new Request(`${origin}${path}`, init))

const read = async (devtools: Devtools, path: string) => (await ask(devtools, path)).text()

/** The kept runs as the stream sends them. */
async function readStream(devtools: Devtools): Promise<string> {
  const reader = (await ask(devtools, '/devtools/events')).body?.getReader()
  let text = ''
  // The stream begins with the interval of retries and the state of the configuration.
  for (const _ of [0, 1, ...devtools.runs()]) text += new TextDecoder().decode((await reader?.read())?.value)
  await reader?.cancel()
  return text
}

/** Everything that devtools shows, as one text. */
async function everythingOf(devtools: Devtools): Promise<string> {
  const paths = devtools.runs().flatMap(({ id }) => [`/devtools/runs/${id}`, `/devtools/runs/${id}.json`])
  const pages = await Promise.all(['/devtools', ...paths].map((path) => read(devtools, path)))
  return [...pages, await readStream(devtools), JSON.stringify(devtools.runs())].join('\n')
}

/** A sign-in whose response has a changed state. */
async function failByState(app: App, agent: Agent): Promise<Response> {
  const { parameters } = await visitProvider(app, agent)
  parameters.set('state', 'changed')
  return agent.send(`/auth/callback/idp?${parameters}`)
}

const withState = { provider: { checks: ['pkce', 'state', 'nonce'] } } satisfies AppOptions
const people = ['ada@example.com', 'https://idp.test/ada.png']

function secretsOf(app: App, agent: Agent, canaries: Canaries): void {
  canaries.addCookies(agent)
  canaries.addRequests(app)
}

describe('the recorder', () => {
  it('DEC-37a stores no values from requests, providers and stores, whatever fails', async () => {
    const faults: readonly (Fault | undefined)[] = [
      undefined,
      'state-wrong',
      'access-denied',
      'token:400',
      'signature-flipped',
      'userinfo-sub-wrong',
    ]
    for (const fault of faults) {
      const canaries = createCanaries()
      for (const each of [secret, ...people, 'canary-of-a-parameter', 'canary-of-a-form'])
        canaries.add(each, each)
      const devtools = createDevtools(here)
      const app = openApp({
        strategy: 'database',
        idp: { misbehave: fault ? [fault] : [] },
        provider: { checks: ['pkce', 'state', 'nonce'], idToken: false },
        config: {
          callbacks: {
            signIn({ account, user }) {
              for (const value of [account?.access_token, account?.id_token, user.id])
                canaries.add('grant', value)
              return true
            },
          },
        },
      })
      const agent = watched(devtools, app)
      const location = (await startSignIn(agent)).headers.get('location') ?? ''
      const { parameters } = await app.idp.authorize(location)
      for (const name of ['code', 'state']) canaries.add(name, parameters.get(name))
      secretsOf(app, agent, canaries)
      await agent.send(`/auth/callback/idp?${parameters}&from=canary-of-a-parameter`)
      await sessionOf(agent)
      secretsOf(app, agent, canaries)
      await agent.send('/auth/session', {
        json: { csrfToken: 'canary-of-a-form', data: { a: 'canary-of-a-form' } },
      })
      canaries.add('session id', app.rows.sessions()[0]?.sessionToken)
      await signOut(agent)
      expect(devtools.runs().length).toBeGreaterThan(4)
      expect(canaries.size()).toBeGreaterThan(10)
      expect(canaries.foundIn(await everythingOf(devtools)), fault).toEqual([])
    }
  })

  it('DEC-37a stores no messages of errors that callbacks throw, and no e-mail addresses', async () => {
    const canaries = createCanaries()
    for (const each of ['canary@example.com', 'canary-of-the-link', 'canary-message', 'canary-name'])
      canaries.add(each, each)
    const devtools = createDevtools(here)
    const app = openMailApp(openApp, {
      mail: { generateVerificationToken: () => 'canary-of-the-link' },
      config: {
        callbacks: {
          jwt() {
            throw Object.assign(new Error('canary-message'), { name: 'canary-name' })
          },
          signIn({ email }) {
            if (email?.verificationRequest) return true
            throw Object.assign(new Error('canary-message'), { name: 'canary-name' })
          },
        },
      },
    })
    const agent = watched(devtools, app)
    await askForLink(agent, 'canary@example.com')
    await agent.send('/auth/callback/mail?token=canary-of-the-link&email=canary@example.com')
    expect(devtools.runs().map(({ flow, state, errors }) => [flow, state, errors])).toEqual([
      ['email-verification', 'denied', ['AccessDenied']],
      ['email-request', 'linkMailed', []],
    ])
    expect(canaries.foundIn(await everythingOf(devtools))).toEqual([])
  })

  it('records watched configurations only, and does not change them', async () => {
    const devtools = createDevtools(here)
    const app = openApp()
    const before = Reflect.ownKeys(app.config)
    const config = devtools.watch(app.config)
    expect(Reflect.ownKeys(app.config)).toEqual(before)
    expect(config).toMatchObject({ providers: app.config.providers, secret })
    await createAuth(app.config).handler(new Request(`${origin}/auth/session`))
    expect(devtools.runs()).toEqual([])
    await createAuth(config).handler(new Request(`${origin}/auth/session`))
    expect(devtools.runs()).toMatchObject([{ flow: 'session', request: 'GET session', state: 'anonymous' }])
  })
})

describe('devtools', () => {
  it('DEC-37b are not created in production, unless forced', () => {
    const make = (NODE_ENV: string, options?: Parameters<typeof createDevtools>[0]) =>
      withEnvironment({ NODE_ENV }, () => createDevtools(options))
    expect(() => make('production')).toThrow(InvalidConfig)
    expect(() => make('production', { path: '/x' })).toThrow(/dangerouslyAllowInProduction/)
    expect(make('production', { dangerouslyAllowInProduction: true }).path).toBe('/devtools')
    for (const NODE_ENV of ['prod', 'staging', '', 'Development'])
      expect(() => make(NODE_ENV), NODE_ENV).toThrow(/NODE_ENV to be "development" or "test"/)
    expect(() => withEnvironment({}, () => createDevtools())).toThrow(InvalidConfig)
    for (const NODE_ENV of ['development', 'test']) expect(make(NODE_ENV).path).toBe('/devtools')
  })

  it('DEC-37g respond only on loopback and configured hosts, by URL and by Host header', async () => {
    const devtools = createDevtools({ hosts: ['dev.test'] })
    const statusOf = async (url: string, host?: string) => {
      const request = new Request(url, { headers: host === undefined ? {} : { host } })
      return (await devtools.handle(request)).status
    }
    const good = [
      'localhost:3000',
      'app.localhost',
      '127.0.0.1:80',
      '[::1]:3000',
      'dev.test:8443',
      'DEV.TEST',
    ]
    for (const host of good) {
      expect(await statusOf(`http://${host}/devtools`), host).toBe(200)
      expect(await statusOf('http://localhost:3000/devtools', host), host).toBe(200)
    }
    const bad = [
      'evil.test',
      'localhost.evil.test',
      '127.0.0.1.evil.test',
      'a.dev.test',
      '10.0.0.1',
      '127.evil.test',
    ]
    for (const host of bad)
      for (const path of ['', '/events', '/script.js', '/runs/1.json']) {
        expect(await statusOf(`http://${host}/devtools${path}`), host).toBe(403)
        expect(await statusOf(`http://localhost/devtools${path}`, host), host).toBe(403)
      }
    for (const host of [
      'a b',
      'evil.test@localhost',
      'localhost#.evil.test',
      'localhost\\.evil.test',
      'localhost/x',
    ])
      expect(await statusOf('http://localhost/devtools', host), host).toBe(403)
    for (const host of ['dev.test:3000', 'https://dev.test', 'dev.test/x', 'Dev.test', ''])
      expect(() => createDevtools({ hosts: [host] }), host).toThrow(InvalidConfig)
  })

  it('are mounted at the configured path', async () => {
    const devtools = createDevtools({ ...here, path: '/dev/auth/' })
    expect(devtools.path).toBe('/dev/auth')
    expect(await read(devtools, '/dev/auth')).toContain('href="/dev/auth/style.css"')
    expect((await ask(devtools, '/dev/authentic')).status).toBe(404)
    const odd = createDevtools({ ...here, path: '/dev&copy' })
    for (const page of ['', '/explorer']) {
      const html = await read(odd, `${odd.path}${page}`)
      expect(html, page).toContain('"/dev&amp;copy/')
      expect(html, page).not.toContain('&copy')
    }
    for (const path of ['', '/', 'devtools', '/dev?x'])
      expect(() => createDevtools({ path }), path).toThrow(InvalidConfig)
  })

  it('serve their pages, and respond with 404 to other paths and with 405 to other methods', async () => {
    const devtools = createDevtools(here)
    const app = openApp()
    await sessionOf(watched(devtools, app))
    const [run] = devtools.runs()
    for (const path of ['/devtools', '/devtools/', `/devtools/runs/${run?.id}`])
      expect((await ask(devtools, path)).headers.get('content-type'), path).toMatch(/^text\/html/)
    expect(JSON.parse(await read(devtools, `/devtools/runs/${run?.id}.json`))).toEqual(run)
    for (const path of ['/devtools/runs/99', '/devtools/runs/x', '/devtools/other', '/elsewhere'])
      expect((await ask(devtools, path)).status, path).toBe(404)
    const posted = await ask(devtools, '/devtools', { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET'])
  })

  it('DEC-37f send pages without inline scripts and styles, under a policy that forbids them', async () => {
    const devtools = createDevtools(here)
    const app = openApp(withState)
    await failByState(app, watched(devtools, app))
    const paths = ['/devtools', ...devtools.runs().map(({ id }) => `/devtools/runs/${id}`)]
    expect(paths).toHaveLength(3)
    for (const path of paths) {
      const response = await ask(devtools, path)
      const policy = response.headers.get('content-security-policy')
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).toContain("style-src 'self'")
      expect(policy).not.toContain('unsafe')
      const html = await response.text()
      expect(html).not.toMatch(
        /<style|\sstyle=|\son[a-z]+=|<script(?! src="\/devtools\/script\.js" defer)|javascript:/,
      )
      expect(html).toContain('<link rel="stylesheet" href="/devtools/style.css"/>')
    }
  })

  it('serve the flow explorer with the recorded runs, under the same policy and without elkjs', async () => {
    const devtools = createDevtools(here)
    const app = openApp(withState)
    await failByState(app, watched(devtools, app))
    const page = await ask(devtools, '/devtools/explorer')
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
    expect(await page.text()).not.toMatch(/<style|\sstyle=|<script(?![^>]*><\/script>)/)
    const { recordings, back } = JSON.parse(await read(devtools, '/devtools/explorer.json')) as ExplorerSetup
    const runs = devtools.runs()
    expect(recordings?.map(({ id }) => id)).toEqual([`group-${runs[1]?.id}`, ...runs.map(({ id }) => id)])
    const requests = recordings?.[0]?.frames.filter(({ kind }) => kind === 'request')
    expect(requests?.map((frame) => 'text' in frame && frame.text)).toEqual([
      'POST signin/idp',
      'GET callback/idp',
    ])
    expect(back?.href).toBe('/devtools')
    for (const [ending, type] of [
      ['css', 'text/css'],
      ['js', 'text/javascript'],
      ['txt', 'text/plain'],
    ])
      expect((await ask(devtools, `/devtools/explorer.${ending}`)).headers.get('content-type')).toContain(
        type,
      )
    expect((await ask(devtools, '/devtools/explorer.php')).status).toBe(404)
    const [run] = runs
    for (const link of [`#play/${run?.id}`, `#play/group-${run?.group}`])
      expect(await read(devtools, `/devtools/runs/${run?.id}`)).toContain(`/devtools/explorer${link}`)
  })

  it('show a failed run: its path, where and why it failed, the requirements, and the fix', async () => {
    const devtools = createDevtools(here)
    const app = openApp(withState)
    await failByState(app, watched(devtools, app))
    const [run] = devtools.runs()
    expect(run).toMatchObject({
      flow: 'callback',
      state: 'refused',
      ending: 'refusal',
      errors: ['InvalidCheck'],
    })
    const html = await read(devtools, `/devtools/runs/${run?.id}`)
    const [, drawing = ''] = html.split('<figure')
    expect(drawing).toMatch(/class="state working lit failing refusal" data-state="checkingResponse"/)
    expect(drawing).toMatch(/class="state working lit" data-state="openingChecks"/)
    expect(drawing).toMatch(/class="state working" data-state="exchangingCode"/)
    expect(drawing).toMatch(/<text class="note"[^>]*>6 · failed · [\d.]+ ms</)
    const [, failure = ''] = /<section class="failure[^>]*>(.*?)<\/section>/.exec(html) ?? []
    for (const text of [
      'checkingResponse',
      'state.mismatched',
      'What to do',
      'InvalidCheck',
      'TX-02',
      'Start the sign-in again',
    ])
      expect(failure).toContain(text)
    expect(await read(devtools, '/devtools')).toContain('The state in the provider’s response differs')
  })

  it('list the requests of one sign-in as a group, on the list and on the page of each', async () => {
    const devtools = createDevtools(here)
    const app = openApp(withState)
    const agent = watched(devtools, app)
    await failByState(app, agent)
    await signIn(app, agent)
    await sessionOf(agent)
    const html = await read(devtools, '/devtools')
    const groups = html.split('<template')[0]?.split('<li class="group ').slice(1) ?? []
    const textOf = (markup: string) => markup.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
    expect(groups.map((group) => group.split('"')[0])).toEqual(['success', 'refusal'])
    expect(textOf(groups[0] ?? '')).toMatch(
      /Sign-in with idp The browser has a new session\. 3 requests sign-in sentToProvider .* callback signedIn .* session /,
    )
    expect(textOf(groups[1] ?? '')).toMatch(
      /Sign-in with idp The response does not belong to a transaction of this browser\. 2 requests sign-in /,
    )
    const [latest] = devtools.runs()
    const page = await read(devtools, `/devtools/runs/${latest?.id}`)
    expect(page).toContain('<h2>Sign-in with idp: 3 requests</h2>')
    const [, siblings = ''] = /<ol class="siblings">(.*?)<\/ol>/.exec(page) ?? []
    expect([...siblings.matchAll(/data-flow="([^"]+)"/g)].map(([, flow]) => flow)).toEqual([
      'sign-in',
      'callback',
      'session',
    ])
    expect([...siblings.matchAll(/aria-current="page"/g)]).toHaveLength(1)
    expect(await readStream(devtools)).toMatch(
      /"group":\{[^}]*"title":"Sign-in with idp",[^}]*"count":"3 requests"\}/,
    )
  })

  it('DEC-37i remove all runs on a DELETE request, and notify the open pages', async () => {
    const devtools = createDevtools(here)
    await sessionOf(watched(devtools, openApp()))
    const stream = (await ask(devtools, '/devtools/events')).body?.getReader()
    for (const path of ['/devtools', '/devtools/runs/', '/devtools/events'])
      expect((await ask(devtools, path, { method: 'DELETE' })).status, path).toBe(405)
    for (const method of ['POST', 'PUT', 'OPTIONS'])
      expect((await ask(devtools, '/devtools/runs', { method })).status, method).toBe(405)
    const foreign = new Request('http://evil.test/devtools/runs', { method: 'DELETE' })
    expect((await devtools.handle(foreign)).status).toBe(403)
    expect(devtools.runs()).toHaveLength(1)
    expect((await ask(devtools, '/devtools/runs', { method: 'DELETE' })).status).toBe(204)
    expect(devtools.runs()).toEqual([])
    let text = ''
    while (!text.includes('event: clear\n')) text += new TextDecoder().decode((await stream?.read())?.value)
    await stream?.cancel()
  })

  it('explain a configuration fault, which runs no flow', async () => {
    const devtools = createDevtools(here)
    const logger = { error() {}, warn() {} }
    const { handler } = createAuth(
      devtools.watch({ secret: ' ', trustHost: true, providers: [], logger, skipCSRFCheck }),
    )
    expect(await read(devtools, '/devtools')).not.toContain('data-fault')
    await handler(new Request(`${origin}/auth/session?canary`))
    expect(devtools.runs()).toEqual([])
    const html = await read(devtools, '/devtools')
    const [, fault = ''] = /<section[^>]*data-fault[^>]*>(.*?)<\/section>/.exec(html) ?? []
    for (const text of [
      'so no flow runs',
      'The secret is missing',
      '<code>AUTH_SECRET</code>',
      'MissingSecret',
    ])
      expect(fault).toContain(text)
    expect(html).not.toContain('canary')
  })

  it('show a configuration fault until a flow runs again', async () => {
    const devtools = createDevtools(here)
    const { config } = openApp()
    const visit = async (changes: object) =>
      createAuth(devtools.watch({ ...config, ...changes })).handler(new Request(`${origin}/auth/session`))
    await visit({ secret: ' ' })
    expect(await read(devtools, '/devtools')).toContain('data-fault')
    const stream = (await ask(devtools, '/devtools/events')).body?.getReader()
    let text = ''
    const readUntil = async (sent: string) => {
      while (!text.includes(sent)) text += new TextDecoder().decode((await stream?.read())?.value)
    }
    await readUntil('event: fault\n')
    expect(text).not.toContain('event: valid\n')
    await visit({})
    await readUntil('event: run\n')
    expect(text).toMatch(/event: fault\n[^]*event: valid\n[^]*event: run\n/)
    await stream?.cancel()
    expect(await read(devtools, '/devtools')).not.toContain('data-fault')
    // A page that was open while the server restarted still shows the old fault.
    expect(await readStream(devtools)).toContain('event: valid\n')
  })

  it('say in words what an error of the library means, and what the step and the flow did', async () => {
    const devtools = createDevtools(here)
    const app = openApp({
      strategy: 'database',
      wrap: (adapter) => ({ ...adapter, createSession: () => Promise.reject(new Error('canary')) }),
    })
    await signIn(app, watched(devtools, app))
    const [run] = devtools.runs()
    expect(run?.errors).toEqual(['AdapterError'])
    const html = await read(devtools, `/devtools/runs/${run?.id}`)
    const [, failure = ''] = /<section class="failure[^>]*>(.*?)<\/section>/.exec(html) ?? []
    for (const text of [
      'An adapter method failed, is missing, or returned an invalid value.',
      'Check the database, and the method that the message names.',
      'The step “Store the session” reported <code>fault</code>, and the flow ended in <code>faulted</code>',
    ])
      expect(failure).toContain(text)
    expect(html).not.toContain('canary')
  })

  it('work without diagrams if elkjs is not installed', async () => {
    vi.resetModules()
    vi.doMock('elkjs/lib/elk.bundled.js', () => {
      throw new Error('Cannot find package')
    })
    try {
      const fresh = await import('../../src/devtools.ts')
      const devtools = fresh.createDevtools(here)
      await sessionOf(watched(devtools, openApp()))
      const html = await read(devtools, `/devtools/runs/${devtools.runs()[0]?.id}`)
      expect(html).toContain('npm install --save-dev elkjs')
      expect(html).not.toContain('<figure')
      expect(html).toContain('readingCookie')
    } finally {
      vi.doUnmock('elkjs/lib/elk.bundled.js')
      vi.resetModules()
    }
  })
})

describe('the error page', () => {
  it('DEC-37d links to the trace of the failed request', async () => {
    const devtools = createDevtools(here)
    const app = openApp(withState)
    const agent = watched(devtools, app)
    const location = (await failByState(app, agent)).headers.get('location') ?? ''
    const [run] = devtools.runs()
    expect(location).toBe(`${origin}/auth/error?error=InvalidCheck&trace=${run?.id}`)
    const page = await (await agent.send(location)).text()
    expect(page).toContain(`<a class="site" href="/devtools/runs/${run?.id}">`)
    expect(page).toContain('<li>checkingResponse</li>')
    const other = await (await agent.send('/auth/error?error=InvalidCheck&trace=999')).text()
    expect(other).not.toContain('/devtools')
    expect(run?.id).toMatch(/^\d+-[0-9a-f]{32}$/)
    const guessed = await (await agent.send('/auth/error?error=InvalidCheck&trace=1')).text()
    expect(guessed).not.toContain('/devtools')
    const ids = createDevtools(here)
    await sessionOf(watched(ids, app))
    await sessionOf(watched(ids, app))
    expect(new Set(ids.runs().map(({ id }) => id.split('-')[1])).size).toBe(2)
  })

  it('DEC-37d has no link without debug, or without devtools', async () => {
    const devtools = createDevtools(here)
    const quiet = openApp({ ...withState, config: { debug: false } })
    const agent = watched(devtools, quiet)
    const location = (await failByState(quiet, agent)).headers.get('location') ?? ''
    expect(location).toBe(`${origin}/auth/error?error=InvalidCheck`)
    const [run] = devtools.runs()
    expect(run?.flow).toBe('callback')
    const asked = await (await agent.send(`/auth/error?error=InvalidCheck&trace=${run?.id}`)).text()
    expect(asked).not.toMatch(/devtools|checkingResponse/)
    const plain = openApp(withState)
    const elsewhere = (await failByState(plain, plain.agent())).headers.get('location')
    expect(elsewhere).toBe(`${origin}/auth/error?error=InvalidCheck`)
  })
})

describe('the stream', () => {
  const follow = async (devtools: Devtools, init?: RequestInit) => {
    const response = await ask(devtools, '/devtools/events', init)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    return { response, next: async () => (await reader?.read())?.value ?? '', reader }
  }

  it('DEC-37c frees the place of an aborted request', async () => {
    const devtools = createDevtools(here)
    for (let index = 0; index < 40; index++) {
      const controller = new AbortController()
      if (index % 2 === 0) controller.abort()
      await ask(devtools, '/devtools/events', { signal: controller.signal })
      controller.abort()
    }
    const { response, reader } = await follow(devtools)
    expect(response.status).toBe(200)
    await reader?.cancel()
  })

  it('sends the kept runs, and then each hop as it happens', async () => {
    const devtools = createDevtools(here)
    const app = openApp()
    const agent = watched(devtools, app)
    await sessionOf(agent)
    const { response, next, reader } = await follow(devtools)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await next()).toMatch(/^retry: /)
    expect(await next()).toMatch(/^event: valid\n/)
    expect(await next()).toMatch(/^event: run\ndata: \{"id":"1-[\da-f]{32}",.*"verdict":"anonymous".*\}\n\n$/)
    await sessionOf(agent)
    expect(await next()).toMatch(/"id":"2-[\da-f]{32}",.*"look":"running","verdict":"in checkingCsrf"/)
    expect(await next()).toMatch(/"id":"2-[\da-f]{32}",.*"look":"running","verdict":"in readingCookie"/)
    expect(await next()).toMatch(/"id":"2-[\da-f]{32}",.*"look":"running","verdict":"in anonymous"/)
    expect(await next()).toMatch(/"id":"2-[\da-f]{32}",.*"look":"success","verdict":"anonymous"/)
    await reader?.cancel()
  })

  it('DEC-37c limits the number of pages, and frees a place when one leaves', async () => {
    const devtools = createDevtools(here)
    const aborting = new AbortController()
    const statusOf = async () => (await follow(devtools)).response.status
    const first = await ask(devtools, '/devtools/events')
    const second = await ask(devtools, '/devtools/events', { signal: aborting.signal })
    expect(second.status).toBe(200)
    for (let n = 2; n < 20; n++) expect(await statusOf()).toBe(200)
    expect(await statusOf()).toBe(503)
    await first.body?.cancel()
    expect(await statusOf()).toBe(200)
    expect(await statusOf()).toBe(503)
    aborting.abort()
    expect(await statusOf()).toBe(200)
    expect(await statusOf()).toBe(503)
  })

  it('DEC-37c disconnects a page that does not read', async () => {
    const devtools = createDevtools(here)
    const app = openApp()
    const response = await ask(devtools, '/devtools/events')
    const agent = watched(devtools, app)
    for (let n = 0; n < 400; n++) await sessionOf(agent)
    let messages = 0
    const reader = response.body?.getReader()
    while (!(await reader?.read())?.done) messages += 1
    expect(messages).toBe(1000)
  })
})
