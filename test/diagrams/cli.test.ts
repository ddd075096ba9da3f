import { terms } from '../../docs/examples/features/terms.ts'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile as readText, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { drawable } from '../../src/tools/diagrams/drawable.ts'
import GitHub from '../../src/providers/github.ts'
import Keycloak from '../../src/providers/keycloak.ts'
import { totp } from '../../src/second-factor.ts'
import { version } from '../../src/platform/version.ts'
import { openTerminal } from '../cli/terminal.ts'
import { openApp } from '../support/app.ts'
import { readSources, readTexts } from '../support/read-sources.ts'
import { readEntries } from '../surface/exported-names.ts'

/** The content of a file, if it exists. */
const onDisk: Record<string, string> = {
  'report.json': JSON.stringify({
    judgements: [
      { hops: { 'sign-out: checkingCsrf -(csrf.accepted)-> readingCookie': 1200 } },
      { hops: { 'sign-out: checkingCsrf -(csrf.accepted)-> readingCookie': 34 } },
      {},
    ],
  }),
  'without-hops.json': JSON.stringify({ judgements: [{ verdict: 'PASS' }] }),
  'no-report.json': 'no JSON',
}

function type(line: string) {
  return openTerminal({ ...onDisk }).type(line)
}

describe('authmachine', () => {
  it.each(['', '--help', '-h', 'help'])('prints its commands: %s', async (line) => {
    expect(await type(line)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/Usage:[^]*\n {2}flows /) as string,
    })
  })

  it('prints its version', async () => {
    expect(await type('--version')).toMatchObject({ code: 0, out: `${version}\n` })
  })

  it('rejects unknown commands', async () => {
    const { code, out, err } = await type('flaws')
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^Unknown command: flaws\.[^]*Commands:/)
  })
})

describe('authmachine flows', () => {
  it('lists the flows with their descriptions', async () => {
    const { code, out } = await type('flows')
    expect(code).toBe(0)
    for (const [name, { description }] of drawable)
      expect(out).toMatch(new RegExp(`^  ${name} +${description}$`, 'm'))
  })

  it.each(['flows --help', 'flows -h', 'flows callback --help'])(
    'fits its help into a terminal: %s',
    async (line) => {
      const { code, out, err } = await type(line)
      expect([code, err]).toEqual([0, ''])
      for (const word of [
        '--format',
        '--out',
        '--all',
        '--coverage',
        '--requirements',
        'mermaid',
        'callback',
        'Examples:',
      ])
        expect(out).toContain(word)
      for (const each of out.split('\n')) expect(each.length).toBeLessThanOrEqual(100)
    },
  )

  it.each([
    ['svg', /^<svg [^]*<\/svg>\n$/],
    ['html', /^<!DOCTYPE html>\n[^]*<\/html>\n$/],
    ['mermaid', /^stateDiagram-v2\n/],
    ['dot', /^digraph "sign-out" \{\n[^]*\n\}\n$/],
    ['json', /^\{\n {2}"id": "sign-out",\n[^]*\n\}\n$/],
  ])('draws a flow as %s', async (format, expected) => {
    const { code, out, err } = await type(`flows sign-out --format ${format}`)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(expected)
  })

  it('draws SVG by default, and links requirements to the given page', async () => {
    expect((await type('flows sign-out')).out).not.toContain('href=')
    const output = await type('flows sign-out --requirements https://example.com/t')
    expect(output.out).toContain('href="https://example.com/t#SE-10"')
  })

  it('writes all flows to a directory', async () => {
    const { code, out, files } = await type('flows --all -f mermaid -o made/here')
    expect([code, out]).toEqual([0, ''])
    expect(Object.keys(files)).toEqual([...drawable.keys()].map((name) => join('made/here', `${name}.mmd`)))
    for (const content of Object.values(files)) expect(content).toMatch(/^stateDiagram-v2\n/)
  })

  it('CLI-003 says which file it cannot write', async () => {
    const { terminal, type } = openTerminal()
    const code = 'ENOTDIR'
    Object.assign(terminal, {
      writeFile: () => Promise.reject(Object.assign(new Error('not a directory'), { code })),
    })
    expect(await type('flows callback -f dot -o /dev/null/x')).toMatchObject({
      code: 1,
      err: `Cannot write ${join('/dev/null/x', 'callback.dot')}: not a directory\n`,
    })
  })

  it('writes one flow to a directory', async () => {
    const { files } = await type('flows session -f json -o made')
    expect(Object.keys(files)).toEqual([join('made', 'session.json')])
  })

  it.each([
    ['flows session -o made/s.svg', 'made/s.svg', /^<svg /],
    ['flows session -o s.mmd', 's.mmd', /^stateDiagram-v2/],
    ['flows session -f json -o s.json', 's.json', /^\{/],
    ['flows session -o x.html', 'x.html', /<title>The flow session</],
    ['flows -o x.html', 'x.html', /<title>Flow explorer/],
    ['flows --open', 'authmachine-flows.html', /<title>Flow explorer/],
  ])('writes a file of the given name, in the format of its extension: %s', async (line, name, expected) => {
    const { code, err, files } = await type(line)
    expect([code, err]).toEqual([0, ''])
    expect(Object.keys(files)).toEqual([name])
    expect(files[name]).toMatch(expected)
  })

  const secret = 'a secret of a test, with many bytes'
  const github = GitHub({ clientId: 'a', clientSecret: 'b' })
  const keycloak = { issuer: 'https://idp.test', clientId: 'a', clientSecret: 'b', backChannelLogout: true }
  const { store: adapter } = openApp()
  const always = ['sign-in', 'callback', 'session', 'sign-out', 'journey']

  it.each([
    ['a provider', { providers: [github] }, always],
    ['an adapter', { providers: [github], adapter }, [...always, 'refresh']],
    [
      'an adapter that cannot claim refresh tokens',
      { providers: [github], adapter: { ...adapter, updateAccount: undefined } },
      always,
    ],
    [
      'back-channel logout',
      { providers: [Keycloak(keycloak)], adapter },
      [...always, 'refresh', 'backchannel-logout'],
    ],
    [
      'the account page and a second factor',
      {
        providers: [github],
        adapter,
        accountPage: true,
        secondFactor: totp({ issuer: 'Example' }),
      },
      [...always, 'refresh', 'account', 'factor', 'factor-enrolment'],
    ],
  ])(
    'marks the flows that can run with %s in the explorer, and opens it',
    async (_name, config, expected) => {
      const modules = { './auth.ts': { config: { secret, ...config } } }
      const { terminal, type: enter } = openTerminal({}, { modules })
      const opened: string[] = []
      Object.assign(terminal, { openFile: async (path: string) => opened.push(path) > 0 })
      const { code, err, files } = await enter('flows --open --config ./auth.ts')
      expect([code, err]).toEqual([0, ''])
      expect(opened).toEqual(['authmachine-flows.html'])
      const [, used = ''] = /"used":(\[.*?\])/.exec(files['authmachine-flows.html'] ?? '') ?? []
      expect((JSON.parse(used) as string[]).toSorted()).toEqual(expected.toSorted())
    },
  )

  it('draws the flows with the features of a configuration', async () => {
    const features = [terms({ version: '1', url: '/terms' })]
    const modules = { './auth.ts': { config: { secret, providers: [github], adapter, features } } }
    const { type: enter } = openTerminal({}, { modules })
    const { code, out } = await enter('flows callback --config ./auth.ts -f mermaid')
    expect(code).toBe(0)
    expect(out).toContain('checkingTerms')
    expect((await enter('flows terms --config ./auth.ts -f dot')).out).toContain('readingAnswer')
    expect((await enter('flows --config ./auth.ts')).out).toContain('Ask whether the user accepts the terms')
    expect((await type('flows callback -f mermaid')).out).not.toContain('checkingTerms')
  })

  it('plays a run that devtools saved', async () => {
    const run = { id: '7-ab', flow: 'sign-out', request: 'POST signout', hops: [], state: 'checkingCsrf' }
    const broken = JSON.stringify({ ...run, hops: [null] })
    const { terminal, type: enter } = openTerminal({ 'run.json': JSON.stringify(run), 'no.json': broken })
    const { code, files } = await enter('flows -o x.html --play run.json')
    expect(code).toBe(0)
    expect(files['x.html']).toContain('"play":"7-ab"')
    expect(terminal.openFile).toBeUndefined()
    expect(await enter('flows --open --play no.json')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^no\.json contains no run: `hops\[0\]\.state` must be a string/) as string,
    })
  })

  it.each(['svg', 'html'])('shows how often each transition was taken: %s', async (format) => {
    const { code, out, err } = await type(`flows sign-out --coverage report.json -f ${format}`)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/data-event="csrf\.accepted"[^>]*>csrf\.accepted <tspan class="note">×1,234</)
    expect(out).toMatch(/data-event="csrf\.mismatched"[^>]*>csrf\.mismatched <tspan class="note">never</)
    expect((await type(`flows sign-out -f ${format}`)).out).not.toMatch(/never<|×/)
  })

  it('shows the coverage of all flows that a handler runs', async () => {
    const { code, files } = await type('flows --all --coverage report.json -o made')
    expect(code).toBe(0)
    const driven = [...drawable.keys()].filter((name) => name !== 'journey')
    expect(Object.keys(files)).toEqual(driven.map((name) => join('made', `${name}.svg`)))
    expect(files[join('made', 'session.svg')]).toContain('>never</tspan>')
  })

  it.each([
    ['flows sign-in --coverage nowhere.json', 1, /^nowhere\.json cannot be read: no such file$/m],
    ['flows sign-in --coverage no-report.json', 1, /^no-report\.json contains no transition/],
    ['flows sign-in --coverage without-hops.json', 1, /^without-hops\.json contains no transition/],
    ['flows sign-in --coverage report.json -f dot', 2, /^--coverage needs the format svg or html\.$/m],
    ['flows journey --coverage report.json', 2, /^journey has no coverage, because no handler/],
  ])('rejects coverage that it cannot show: %s', async (line, expected, message) => {
    const { code, out, err } = await type(line)
    expect([code, out]).toEqual([expected, ''])
    expect(err).toMatch(message)
  })

  it.each([
    ['flows sing-in', /^Unknown flow: sing-in\. The flows are:\n\n {2}sign-in /],
    ['flows constructor', /^Unknown flow: constructor\./],
    ['flows sign-in --format png', /^Unknown format: png\. Choose one of svg, html, mermaid, dot, json\.$/m],
    ['flows sign-in --fromat svg', /^Unknown option '--fromat'[^]*authmachine flows --help/],
    ['flows sign-in --format', /argument missing[^]*authmachine flows --help/],
    ['flows --all', /^--all needs an output directory/],
    ['flows session --open', /^--open shows all flows/],
    ['flows session --play run.json', /^--play needs --open/],
    ['flows sign-in sign-out', /^Name one flow, or use --all\.$/m],
    ['flows sign-in --all -o made', /^Name one flow, or use --all\.$/m],
  ])('rejects invalid arguments with exit code 2: %s', async (line, message) => {
    const { code, out, err, files } = await type(line)
    expect([code, out, files]).toEqual([2, '', {}])
    expect(err).toMatch(message)
    expect(err).not.toMatch(/^\s+at /m)
  })
})

describe('without elkjs', () => {
  afterEach(() => {
    vi.doUnmock('elkjs/lib/elk.bundled.js')
    vi.resetModules()
  })

  it('explains how to install it where a format needs a layout, and draws the other formats', async () => {
    vi.resetModules()
    vi.doMock('elkjs/lib/elk.bundled.js', () => {
      throw new Error('Cannot find package')
    })
    const { runCommand: run } = await import('../../src/tools/cli/run-command.ts')
    const { terminal, output } = openTerminal()
    expect(await run(['flows', 'session'], terminal)).toBe(1)
    expect(output().err).toContain('npm install --save-dev elkjs')
    expect(await run(['flows', 'session', '-f', 'dot'], terminal)).toBe(0)
  })
})

describe('the executable', () => {
  const main = fileURLToPath(new URL('../../src/tools/cli/main.ts', import.meta.url))
  const run = promisify(execFile)

  it('is named in package.json', async () => {
    const { bin } = JSON.parse(await readText(new URL('../../package.json', import.meta.url), 'utf8')) as {
      bin: unknown
    }
    expect(bin).toMatchObject({ authmachine: 'src/tools/cli/main.ts' })
    expect(await readText(main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  it.each(['--help', '--version', 'flows', 'flows --help'])('exits with code 0: %s', async (line) => {
    const { stdout, stderr } = await run(process.execPath, [main, ...line.split(' ')])
    expect({ stdout, stderr }).toEqual({ stdout: (await type(line)).out, stderr: '' })
  })

  it('prints, writes files, and passes the exit code on', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'authmachine-flows-'))
    try {
      const { stdout } = await run(process.execPath, [main, 'flows', 'session', '-f', 'json'])
      expect(JSON.parse(stdout)).toMatchObject({ id: 'session' })
      const out = join(directory, 'a', 'b')
      await run(process.execPath, [main, 'flows', 'session', '-f', 'dot', '-o', out])
      expect(await readdir(out)).toEqual(['session.dot'])
      await expect(run(process.execPath, [main, 'flows', 'nothing'])).rejects.toMatchObject({ code: 2 })
    } finally {
      await rm(directory, { recursive: true })
    }
  }, 30_000)
})

describe('the library', () => {
  it('imports neither diagrams nor elkjs from any entry but devtools, and that of the oracle', () => {
    const sources = readSources(
      readTexts(new URL('../../', import.meta.url), ['src', 'machines', 'spec', 'fuzz']),
    )
    const entries = [...readEntries().values()].flatMap((file) => {
      const [before = '', after] = file.split('*')
      return after === undefined ? [file] : [...sources.keys()].filter((path) => path.startsWith(before))
    })
    expect(entries.length).toBeGreaterThan(10)
    const reached = new Set<string>()
    const visit = (path: string) => {
      if (reached.has(path)) return
      reached.add(path)
      for (const imported of sources.get(path)?.imports ?? []) visit(imported)
    }
    const tools = ['src/devtools.ts', 'src/instrumented.ts']
    for (const entry of entries.filter((each) => !tools.includes(each))) visit(entry)
    expect([...reached].filter((path) => /^src\/(cli|diagrams)\/|^elkjs/.test(path))).toEqual([])
  }, 60_000)
})
