import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readOptions } from '../../fuzz/cli/options.ts'

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

describe('the GitHub action', () => {
  let folder: string
  let action: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'action-'))
    action = await read('fuzz/action.yml')
    await writeFile(join(folder, 'npx'), '#!/bin/sh\nprintf "%s\\n" "$@"\n')
    await chmod(join(folder, 'npx'), 0o755)
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** Runs the script of the action with these inputs. @returns the arguments of `npx` */
  const run = async (inputs: Readonly<Record<string, string>>) => {
    const [, indented = ''] = /run: \|\n((?: {8}.*\n)+)/.exec(action) ?? []
    const script = indented.replaceAll(/^ {8}/gm, '')
    const env = { PATH: `${folder}:${process.env['PATH']}`, PROFILE: 'smoke', OUT: 'out', ...inputs }
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env })
    return stdout.trimEnd().split('\n')
  }
  const unset = { WAIT: '', BASELINE: '', CORPUS: '', ARGUMENTS: '' }

  it('passes its inputs to the command, each as one argument', async () => {
    const [flag, command, ...args] = await run({
      ...unset,
      TARGET: 'http://localhost:3000/auth',
      WAIT: '60s',
      BASELINE: 'known $(id).json',
      CORPUS: 'corpus.json',
      ARGUMENTS: '--port 5010 --strict',
    })
    expect([flag, command]).toEqual(['--no-install', 'authmachine-conformance'])
    expect(readOptions(args)).toMatchObject({
      words: ['http://localhost:3000/auth'],
      wait: 60_000,
      baseline: 'known $(id).json',
      corpus: 'corpus.json',
      strict: true,
      application: { port: 5010 },
      reports: ['html', 'json', 'junit', 'markdown', 'sarif'],
      out: 'out',
    })
  })

  it('omits what is not set', async () => {
    const [, , ...args] = await run({ ...unset, TARGET: './mine.js' })
    expect(readOptions(args)).toMatchObject({ words: ['./mine.js'], profile: 'smoke', out: 'out' })
    expect(args.join(' ')).not.toMatch(/wait|baseline|corpus/)
  })

  it('has every input that the guide uses', async () => {
    const guide = await read('docs/guides/oracle.md')
    const [, used = ''] =
      /uses: \.\/node_modules\/authmachine-conformance\n +with:\n((?: {10}.*\n)+)/.exec(guide) ?? []
    const names = [...used.matchAll(/^ {10}(\w+):/gm)].map(([, name]) => name)
    const inputs = [...action.slice(0, action.indexOf('runs:')).matchAll(/^ {2}(\w+):$/gm)].map(
      ([, name]) => name,
    )
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter((name) => !inputs.includes(name))).toEqual([])
  })
})
