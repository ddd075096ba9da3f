import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile as readText, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { drawable } from '../../src/cli/flows.ts'
import { version } from '../../src/version.ts'
import { openTerminal } from '../cli/typed.ts'
import { readSources, readTexts } from '../support/read-sources.ts'
import { readEntries } from '../surface/exported-names.ts'

/** The file that can be read, if any. */
const onDisk: Record<string, string> = {
  'report.json': JSON.stringify({
    judgements: [
      { hops: { 'sign-out: checkingCsrf -(csrf.verified)-> readingCookie': 1200 } },
      { hops: { 'sign-out: checkingCsrf -(csrf.verified)-> readingCookie': 34 } },
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
  it.each(['', '--help', '-h', 'help'])('says what it can do: %s', async (line) => {
    expect(await type(line)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/Usage:[^]*\n {2}flows /) as string,
    })
  })

  it('says its version', async () => {
    expect(await type('--version')).toMatchObject({ code: 0, out: `${version}\n` })
  })

  it('knows no other command', async () => {
    const { code, out, err } = await type('flaws')
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^There is no command flaws\.[^]*Commands:/)
  })
})

describe('authmachine flows', () => {
  it('lists the flows, each with what it does', async () => {
    const { code, out } = await type('flows')
    expect(code).toBe(0)
    for (const [name, { description }] of drawable)
      expect(out).toMatch(new RegExp(`^  ${name} +${description}$`, 'm'))
  })

  it.each(['flows --help', 'flows -h', 'flows callback --help'])(
    'explains itself in lines that fit a terminal: %s',
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

  it('draws svg unless told otherwise, and links requirements to the page it is told', async () => {
    expect((await type('flows sign-out')).out).not.toContain('href=')
    const told = await type('flows sign-out --requirements https://example.com/t')
    expect(told.out).toContain('href="https://example.com/t#SE-10"')
  })

  it('writes all of them into a directory', async () => {
    const { code, out, files } = await type('flows --all -f mermaid -o made/here')
    expect([code, out]).toEqual([0, ''])
    expect(Object.keys(files)).toEqual([...drawable.keys()].map((name) => join('made/here', `${name}.mmd`)))
    for (const content of Object.values(files)) expect(content).toMatch(/^stateDiagram-v2\n/)
  })

  it('writes one of them into a directory', async () => {
    const { files } = await type('flows session -f json -o made')
    expect(Object.keys(files)).toEqual([join('made', 'session.json')])
  })

  it.each(['svg', 'html'])('paints how often each transition was taken: %s', async (format) => {
    const { code, out, err } = await type(`flows sign-out --coverage report.json -f ${format}`)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/data-event="csrf\.verified"[^>]*>csrf\.verified <tspan class="note">×1,234</)
    expect(out).toMatch(/data-event="csrf\.mismatched"[^>]*>csrf\.mismatched <tspan class="note">never</)
    expect((await type(`flows sign-out -f ${format}`)).out).not.toMatch(/never<|×/)
  })

  it('paints all flows that a handler runs', async () => {
    const { code, files } = await type('flows --all --coverage report.json -o made')
    expect(code).toBe(0)
    const driven = [...drawable.keys()].filter((name) => name !== 'journey')
    expect(Object.keys(files)).toEqual(driven.map((name) => join('made', `${name}.svg`)))
    expect(files[join('made', 'session.svg')]).toContain('>never</tspan>')
  })

  it.each([
    ['flows sign-in --coverage nowhere.json', 1, /^nowhere\.json cannot be read: no such file$/m],
    ['flows sign-in --coverage no-report.json', 1, /^no-report\.json tells of no transition/],
    ['flows sign-in --coverage without-hops.json', 1, /^without-hops\.json tells of no transition/],
    ['flows sign-in --coverage report.json -f dot', 2, /^--coverage is painted on svg and html\.$/m],
    ['flows journey --coverage report.json', 2, /^No handler runs journey/],
  ])('refuses coverage that it cannot paint: %s', async (line, expected, message) => {
    const { code, out, err } = await type(line)
    expect([code, out]).toEqual([expected, ''])
    expect(err).toMatch(message)
  })

  it.each([
    ['flows sing-in', /^There is no flow sing-in\. The flows are:\n\n {2}sign-in /],
    ['flows constructor', /^There is no flow constructor\./],
    ['flows sign-in --format png', /^There is no format png\. There are svg, html, mermaid, dot, json\.$/m],
    ['flows sign-in --fromat svg', /^Unknown option '--fromat'[^]*authmachine flows --help/],
    ['flows sign-in --format', /argument missing[^]*authmachine flows --help/],
    ['flows --all', /^--all needs a directory/],
    ['flows sign-in sign-out', /^One flow at a time, or --all\.$/m],
    ['flows sign-in --all -o made', /^One flow at a time, or --all\.$/m],
  ])('refuses what it cannot do, with exit code 2: %s', async (line, message) => {
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

  it('what needs a layout says how to get it, and what needs none is drawn', async () => {
    vi.resetModules()
    vi.doMock('elkjs/lib/elk.bundled.js', () => {
      throw new Error('Cannot find package')
    })
    const { runCommand: run } = await import('../../src/cli/run-command.ts')
    const { terminal, told } = openTerminal()
    expect(await run(['flows', 'session'], terminal)).toBe(1)
    expect(told().err).toContain('npm install --save-dev elkjs')
    expect(await run(['flows', 'session', '-f', 'dot'], terminal)).toBe(0)
  })
})

describe('the executable', () => {
  const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
  const run = promisify(execFile)

  it('is named in package.json', async () => {
    const { bin } = JSON.parse(await readText(new URL('../../package.json', import.meta.url), 'utf8')) as {
      bin: unknown
    }
    expect(bin).toMatchObject({ authmachine: 'src/cli/main.ts' })
    expect(await readText(main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  it.each(['--help', '--version', 'flows', 'flows --help'])('ends well: %s', async (line) => {
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
  it('reaches neither the drawings nor elkjs from any of its entries but that of devtools', () => {
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
    const others = entries.filter((entry) => entry !== 'src/devtools/index.ts')
    for (const entry of others) visit(entry)
    expect([...reached].filter((path) => /^src\/(cli|drawing)\/|^elkjs/.test(path))).toEqual([])
  }, 60_000)
})
