import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readRequest, writeRequest } from '../../../fuzz/cli/init/compose-description.ts'
import { composeWorkflow } from '../../../fuzz/cli/init/compose-workflow.ts'
import { initHelp, runInit } from '../../../fuzz/cli/init/run-init.ts'
import { loadDescription } from '../../../fuzz/targets/described/load-description.ts'
import { presets } from '../../../fuzz/targets/described/presets.ts'
import { readGuide } from '../../follow/read-guide.ts'
import { describeCareless, serveCarelessApp } from './careless-app.ts'
import { serveSmallApp } from './small-app.ts'

const top = new URL('../../../', import.meta.url)
const url = 'http://localhost:4800'
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'authmachine-init-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Runs `init`, with a user who gives these answers. @returns its output, with the files that it wrote */
async function init(args: readonly string[], answers?: readonly (string | undefined)[]) {
  const file = join(folder, 'target.json')
  const [asked, out, err]: [string[], string[], string[]] = [[], [], []]
  const ask = async (question: string) => {
    const answer = answers?.[asked.length]
    asked.push(question)
    return answer
  }
  const code = await runInit(['--target', file, ...args], {
    print: (text) => void out.push(text),
    complain: (text) => void err.push(text),
    ...(answers && { ask }),
  })
  return {
    code,
    asked,
    out: out.join(''),
    err: err.join(''),
    file,
    read: () => JSON.parse(readFileSync(file, 'utf8')) as unknown,
  }
}

/** Splits a line of a shell without variables and escapes. */
const split = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')

describe('init, with options', () => {
  it('writes the description that the guide shows next to the command', async () => {
    const commands = readGuide(readFileSync(new URL('docs/guides/oracle.md', top), 'utf8'))
    const line = commands
      .flatMap((each) => (each.type === 'command' ? [each.line] : []))
      .find((each) => each.includes(' init '))
    const { code, read } = await init(split(line ?? '').slice(3))
    expect(code).toBe(0)
    expect(read()).toEqual(JSON.parse(readFileSync(new URL('fuzz/peers/python/target.json', top), 'utf8')))
  })

  it('writes a file that --target accepts, and prints the next command', async () => {
    const { code, out, file } = await init([
      url,
      '--preset',
      'passport',
      '--user',
      'user.email',
      '--providers',
      'alpha=google',
    ])
    expect(code).toBe(0)
    expect(out).toContain(`npx authmachine-conformance ${url} --target ${file} --describe\n`)
    expect(await loadDescription(file)).toEqual({
      description: {
        ...presets.passport,
        providers: { alpha: 'google' },
        session: { url: '/me', user: 'user.email' },
      },
    })
  })

  it('lists what is missing, with an example, if nobody is there to answer', async () => {
    const { code, err, read } = await init([url, '--session', '/me', '--mail', '/mail to={address}'])
    expect(code).toBe(2)
    expect(err).toBe(`The description is not complete. Add:

  --sign-in <request>   the request that starts a sign-in, such as '/login/{provider}'
  --user <place>        the member of its JSON with the user, or its text around {user}, such as user.email
  --link <path>         how the path of a mailed link begins, such as /login/mail/

or start from a preset, such as --preset passport: better-auth, passport, generic-oidc, django-allauth, omniauth, authlib, express-openid-connect, mod-auth-openidc
`)
    expect(read).toThrow('ENOENT')
  })

  it('never overwrites a file', async () => {
    const file = join(folder, 'target.json')
    writeFileSync(file, 'mine')
    await expect(init(['--preset', 'passport'])).rejects.toThrow(`${file} already exists and was not changed`)
    await expect(init([], [])).rejects.toThrow('already exists')
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it('never replaces a file that appears while it asks', async () => {
    const file = join(folder, 'target.json')
    const ask = async (question: string) => {
      writeFileSync(file, 'mine')
      return question.startsWith('The member of its JSON') ? 'mail' : ''
    }
    const most = ['--target', file, '--sign-in', '/enter', '--session', '/me']
    await expect(runInit(most, { print: () => {}, complain: () => {}, ask })).rejects.toThrow(
      'already exists',
    )
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it.each([
    [['--preset', 'rails'], 'preset: expected "authjs" or "better-auth"'],
    [['--preset', 'authjs'], 'An application with the routes of Auth.js needs no description'],
    [['--sign-in', 'login'], 'signIn.url: expected a path that begins with "/", got "login"'],
    [['--sign-in', 'PUT /login'], 'signIn.method: expected "GET" or "POST", got "PUT"'],
    [['--sign-in', 'POST /login {"a":'], 'Expected a JSON object after the path, got {"a":'],
    [['--mail', '/mail', '--link', '/mail/'], 'mail: expected a field or member with {address}'],
    [['--csrf', 'from=/'], 'csrf: expected either "field" or "header"'],
    [
      ['localhost:3000'],
      'Expected init to have one argument, the URL of the application, got "localhost:3000"',
    ],
    [['--target', 'target.js'], 'Expected --target to be the name of a .json file, got "target.js"'],
    [['--frobnicate'], "Unknown option '--frobnicate'"],
  ])('rejects %j, and says what it expected', async (args, complaint) => {
    await expect(init(args)).rejects.toThrow(complaint)
  })

  it('lists its options in its help, within the width of a terminal', async () => {
    const { code, out, asked } = await init(['--help'], [])
    expect([code, out, asked]).toEqual([0, initHelp, []])
    for (const line of initHelp.split('\n')) expect(line.length).toBeLessThanOrEqual(110)
  })
})

describe('init, next to a running application', () => {
  const port = 24_850
  const closing: (() => void)[] = []
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })

  it('signs in like a visitor, and writes what it learned', async () => {
    const app = await serveCarelessApp(port, join(folder, 'app.log'))
    closing.push(app.close)
    const workflow = join(folder, '.github/workflows/conformance.yml')
    const { code, out, err, read, file } = await init([
      app.url,
      '--port',
      String(port),
      '--workflow',
      workflow,
    ])
    expect([code, err]).toEqual([0, ''])
    const { log: _, ...described } = describeCareless('')
    expect(read()).toEqual({
      ...described,
      signIn: { method: 'POST', ...described.signIn },
      callback: '/done',
      signOut: { method: 'POST', url: '/leave' },
      mail: { method: 'POST', ...described.mail },
    })
    for (const member of ['signIn', 'session', 'csrf', 'cookies.session', 'signOut', 'mail'])
      expect(out).toMatch(new RegExp(`  fits +${member}`))
    expect(out).not.toContain('does not fit')
    expect(out).toContain(`npx authmachine-conformance ${app.url} --target ${file} --port ${port}\n`)
    expect(readFileSync(workflow, 'utf8')).toContain(`arguments: --target ${file} --port ${port}\n`)
  })

  it('lets options replace what it learned', async () => {
    const app = await serveCarelessApp(port, join(folder, 'app.log'))
    closing.push(app.close)
    const { read } = await init([app.url, '--port', String(port), '--cookie', 'another', '--log', 'app.log'])
    expect(read()).toMatchObject({ cookies: { session: 'another' }, log: 'app.log' })
  })

  it.each([
    [
      'the links show',
      { signIn: '/login/alpha', callback: '/oauth2/redirect/alpha', cookie: 'connect.sid' },
      'passport',
    ],
    [
      'only the preset finds',
      { signIn: '/login', needs: 'next', callback: '/callback', cookie: 'mod_auth_openidc_session' },
      'mod-auth-openidc',
    ],
  ])('starts from the preset with the callback and the cookie that %s', async (_, routes, preset) => {
    const app = await serveSmallApp(port, undefined, routes)
    closing.push(app.close)
    const { code, out, read } = await init([app.url, '--port', String(port)])
    expect(code).toBe(0)
    expect(read()).toMatchObject({ preset })
    expect(read()).not.toHaveProperty('callback')
    expect(out).toContain(`, which starts from the preset ${preset}:`)
  })

  it('keeps what differs from the preset, also that a sign-out revokes sessions', async () => {
    const app = await serveSmallApp(port, undefined, {
      signIn: '/login',
      callback: '/callback',
      cookie: 'appSession',
    })
    closing.push(app.close)
    const { read } = await init([app.url, '--port', String(port)])
    expect(read()).toEqual({
      preset: 'express-openid-connect',
      signIn: { url: '/login' },
      session: { url: '/me', user: 'who.mail' },
      signOut: { method: 'POST', url: '/logout' },
    })
  })

  it('starts from no preset if only the callback is the same', async () => {
    const app = await serveSmallApp(port, undefined, {
      signIn: '/login/alpha',
      callback: '/oauth2/redirect/alpha',
      cookie: 'sid',
    })
    closing.push(app.close)
    const { read } = await init([app.url, '--port', String(port)])
    expect(read()).not.toHaveProperty('preset')
  })

  it('says what it could not find, and what to pass', async () => {
    const app = await serveSmallApp(port)
    closing.push(app.close)
    const { code, err } = await init([app.url, '--port', String(port)])
    expect(code).toBe(2)
    expect(err).toContain('No link or button on its pages leads to a provider of the oracle.')
    expect(err).toContain('--sign-in <request>')
  })

  it('needs no description for the routes of Auth.js', async () => {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      const provider = { id: 'demo', type: 'oidc', signinUrl: '/api/auth/signin/demo' }
      response.end(request.url === '/api/auth/providers' ? JSON.stringify({ demo: provider }) : 'null')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    closing.push(() => void server.close())
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const workflow = join(folder, 'conformance.yml')
    const { code, out, read } = await init([origin, '--port', String(port), '--workflow', workflow])
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(`npx authmachine-conformance ${origin}/api/auth --port`),
    ])
    expect(read).toThrow('ENOENT')
    expect(readFileSync(workflow, 'utf8')).toContain(`target: ${origin}/api/auth\n`)
  })
})

describe('the workflow', () => {
  it('passes inputs that the action has', async () => {
    const action = readFileSync(new URL('fuzz/action.yml', top), 'utf8')
    const workflow = composeWorkflow({ url, target: 'target.json', port: '5010' })
    const [, inputs = ''] = /authmachine-conformance\n        with:\n((?: {10}.*\n)+)/.exec(workflow) ?? []
    const names = [...inputs.matchAll(/^ {10}(\w+):/gm)].map(([, name]) => name)
    expect(names).toEqual(['target', 'wait', 'arguments'])
    for (const name of names) expect(action).toMatch(new RegExp(`^  ${name}:$`, 'm'))
    expect(workflow).toContain('security-events: write')
    expect(workflow).toContain('sarif_file: conformance-report')
  })
})

describe('init, with a user', () => {
  it('asks for what the options do not contain, and repeats a question until its answer is valid', async () => {
    const { code, asked, out, read } = await init(
      [url, '--session', '/me'],
      ['', '', 'login', '', '/login', '', ' Hi {user}! ', 'POST /bye', '', '', 'sid', '', ''],
    )
    expect(code).toBe(0)
    expect(asked).toEqual([
      'The preset to start from: better-auth, passport, generic-oidc, django-allauth, omniauth, authlib, express-openid-connect, mod-auth-openidc (optional): ',
      'Your ids of the oracle’s providers, such as alpha=google&beta=okta (optional): ',
      ...Array.from({ length: 3 }, () => 'The request that starts a sign-in, such as /login/{provider}: '),
      'The path of the callback, such as /callback/{provider} (optional): ',
      'The member of its JSON with the user, or its text around {user}, such as user.email: ',
      'The request that signs out, such as POST /logout (optional): ',
      'The request that mails a sign-in link, such as POST /login/mail email={address} (optional): ',
      'Where CSRF tokens come from, and how they return, such as from=/&field=csrf_token (optional): ',
      'The name of the session cookie, such as sid (optional): ',
      'Whether the cookie alone is the session, such as yes (optional): ',
      'The application’s log file, relative to the description, such as app.log (optional): ',
    ])
    expect(out).toContain('signIn.url: expected a path that begins with "/", got "login"\n')
    expect(out).toContain('This answer is required.\n')
    expect(read()).toEqual({
      signIn: { url: '/login' },
      session: { url: '/me', text: 'Hi {user}!' },
      signOut: { method: 'POST', url: '/bye' },
      cookies: { session: 'sid' },
    })
  })

  it('shows the values of a preset, which Enter accepts', async () => {
    const answers = ['better-auth', ...Array.from({ length: 11 }, () => '')]
    const { asked, read } = await init([], answers)
    expect(asked.join('\n')).toContain(
      'The request that starts a sign-in [POST /api/auth/sign-in/social {"provider":"{provider}","callbackURL":"{returnTo}"}]: ',
    )
    expect(read()).toEqual({ preset: 'better-auth' })
  })

  it('asks nothing if the options suffice', async () => {
    expect((await init(['--preset', 'generic-oidc'], [])).asked).toEqual([])
  })

  it('writes nothing if the input ends', async () => {
    await expect(init([], ['', ''])).rejects.toThrow(
      'The input ended before the last answer: nothing was written',
    )
    expect(() => readFileSync(join(folder, 'target.json'))).toThrow('ENOENT')
  })
})

it.each([
  '/login/{provider}',
  'POST /logout',
  '/enter with={provider}&next={returnTo}',
  '/find a=1%262&b=%7B',
  'POST /sign-in {"provider":"{provider}"}',
  'POST /sign-out {}',
])('a request is read as it is written: %s', (text) => {
  expect(writeRequest(readRequest(text))).toBe(text)
})
