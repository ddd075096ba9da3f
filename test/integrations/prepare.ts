/**
 * The first half of `npm run test:integrations [-- <app> ...]`: packs the library, installs the tarball into each example
 * with the packages of its lock file, builds it and compiles it against the types of its framework. One at a time.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apps } from './apps.ts'

const top = fileURLToPath(new URL('../../', import.meta.url))
const cache = join(top, 'node_modules/.cache/integrations')

/** @throws Error with what it printed, unless the command does what it should */
function run(directory: string, command: string, args: readonly string[]): string {
  const bins = [join(directory, 'node_modules/.bin'), join(top, 'node_modules/.bin')]
  const PATH = [...bins, process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH, TMPDIR: cache }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: directory, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} in ${directory}\n${stdout}\n${stderr}`)
  return stdout
}

function pack(): string {
  run(top, 'npm', ['run', '--silent', 'build'])
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', cache]
  const [packed] = JSON.parse(run(top, 'npm', args)) as { filename: string }[]
  if (!packed) throw new Error('npm pack named no file')
  return join(cache, packed.filename)
}

/** The lock file says which versions; nothing of it is written, whatever the tarball is. */
function install(directory: string, tarball: string): void {
  const lock = readFileSync(join(directory, 'package-lock.json'), 'utf8')
  rmSync(join(directory, 'node_modules/authmachine'), { recursive: true, force: true })
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  run(directory, 'npm', ['install', ...quiet, tarball])
  if (readFileSync(join(directory, 'package-lock.json'), 'utf8') !== lock)
    throw new Error(`${directory}: the lock file was not up to date`)
}

function time(name: string, act: () => void): void {
  const startedAt = performance.now()
  act()
  console.log(`ok  ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
}

const wanted = process.argv.slice(2)
mkdirSync(cache, { recursive: true })
let tarball = ''
time('packs the library', () => (tarball = pack()))
for (const { name, steps } of apps) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const directory = join(top, 'docs/examples', name)
  time(`installs ${name}`, () => install(directory, tarball))
  for (const [command, ...args] of steps)
    time(`${name}: ${command} ${args.join(' ')}`, () => run(directory, command, args))
}
