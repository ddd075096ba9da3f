import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { isBenchmark } from '../bench/benchmarks.ts'
import { installed, suites, whole } from '../support/suites.ts'

const top = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, top), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

/** Scripts, benchmarks and suites that a text mentions and that do not exist. */
function findUnknown(text: string): string[] {
  const named = [
    ...[...text.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(([call, name = '']) => ({
      call,
      exists: name in scripts,
    })),
    ...[...text.matchAll(/npm run bench -- ([a-z]\w*)/g)].map(([call, name = '']) => ({
      call,
      exists: isBenchmark(name),
    })),
    ...[...text.matchAll(/npm test -- ([a-z]\w*)/g)].map(([call, name = '']) => ({
      call,
      exists: name in suites || name === whole || name === installed,
    })),
  ]
  return named.filter(({ exists }) => !exists).map(({ call }) => call)
}

describe('the scripts of package.json', () => {
  it('are at most 20, and CONTRIBUTING.md describes each', () => {
    const names = Object.keys(scripts)
    expect(names.length).toBeLessThanOrEqual(20)
    const guide = read('CONTRIBUTING.md')
    expect(names.filter((name) => !guide.includes(`| \`npm run ${name}\` `))).toEqual([])
  })

  it('include every script that a file of the repository mentions', () => {
    const files = execFileSync(
      'git',
      ['ls-files', '*.md', '*.ts', '*.js', '*.mjs', '.ci/*', '.prettierignore'],
      {
        cwd: top,
        encoding: 'utf8',
      },
    )
    const unknown = files
      .trim()
      .split('\n')
      .filter((file) => file !== 'test/guides/scripts.test.ts' && existsSync(new URL(file, top)))
      .flatMap((file) => findUnknown(read(file)).map((call) => `${file}: ${call}`))
    expect(unknown).toEqual([])
  })

  it('findUnknown reports names that do not exist', () => {
    const text =
      'Run `npm run tarballs`, `npm run bench -- speed`, `npm test -- all` or `npm run bench -- size --quick`.'
    expect(findUnknown(text)).toEqual(['npm run tarballs', 'npm run bench -- speed', 'npm test -- all'])
  })

  it('list the alternatives if a benchmark or a suite does not exist', () => {
    const run = (file: string, ...args: readonly string[]) =>
      spawnSync(process.execPath, [file, ...args], { cwd: top, encoding: 'utf8' })
    expect(run('test/bench/main.ts', 'speed')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/Unknown benchmark `speed`[^]*\n {2}hostile {2}/),
    })
    expect(run('test/bench/main.ts', '--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('report'),
    })
    expect(run('test/support/run-all.ts', 'all')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('unit, browser, thorough, parsers'),
    })
  })
})

describe('the scripts of package.json, before `npm ci`', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'authmachine-scripts-'))
  afterAll(() => rmSync(scratch, { recursive: true }))

  it('all start with the check that the tools are installed', () => {
    const unchecked = Object.values(scripts).filter(
      (command) => !command.startsWith('node .ci/installed.mjs && '),
    )
    expect(unchecked).toEqual([])
  })

  it('tell the user to run `npm ci`, and run after it', () => {
    cpSync(fileURLToPath(new URL('.ci/installed.mjs', top)), join(scratch, '.ci/installed.mjs'))
    const check = () => spawnSync(process.execPath, ['.ci/installed.mjs'], { cwd: scratch, encoding: 'utf8' })
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Run `npm ci` first\./) })
    mkdirSync(join(scratch, 'node_modules/node/bin'), { recursive: true })
    writeFileSync(join(scratch, 'node_modules/node/bin/node'), '')
    expect(check()).toMatchObject({ status: 0, stderr: '' })
  })
})
