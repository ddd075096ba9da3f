/**
 * `npm run test:package`: builds and packs the package, and looks at the tarball as its users will: is it well made,
 * does it import on the oldest and on the current Node, does a strict program compile against it?
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand, top } from './command.ts'
import { tryCommands } from './commands.ts'
import { compileConsumer, importModules, installPackage, startConsumer } from './consumer.ts'
import { findWayToPackage, readDeclarations } from './declarations.ts'
import { findOldNode } from './old-node.ts'
import { buildLibrary, packLibrary, timeStep } from './pack.ts'
import { checkPeerMatrix } from './peer-matrix.ts'

const PACKAGE = 'authmachine'
/** Entries for a framework, which import it; they are imported and compiled with it by `npm run test:integrations`. */
const FRAMEWORKS = ['./node', './qwik']
/** The entry for msw, which is imported and compiled once that is there. */
const MSW = './testing/msw'
/** The one entry whose declarations are xstate's by nature: the charts themselves. */
const CHARTS = './machines'

interface ExportTarget {
  readonly types: string
  readonly default: string
}

const scratch = mkdtempSync(join(tmpdir(), 'authmachine-package-'))
const consumer = join(scratch, 'consumer')
const bin = (name: string) => join(top, 'node_modules/.bin', name)
const command = join(consumer, 'node_modules', PACKAGE, 'dist/src/cli/main.js')
const nameOf = (subpath: string) => PACKAGE + subpath.slice(1)

let tarball = ''
const steps: readonly (readonly [string, () => unknown])[] = [
  ['builds', buildLibrary],
  ['packs', () => (tarball = packLibrary(scratch))],
  ['holds no sources and no tests', refuseStrays],
  ['publint', () => runCommand(bin('publint'), ['--strict', tarball])],
  ['are the types wrong', () => runCommand(bin('attw'), [tarball, '--profile', 'esm-only'])],
  ['knip', () => runCommand(bin('knip'), ['--config', 'test/config/knip.json'])],
  ['keeps the types of xstate to itself', refuseXstateTypes],
  ['installs beside what applications depend on', resolvePeers],
  ['installs into an empty project', () => startConsumer(consumer, tarball)],
  ['imports on Node 20', () => importModules(findOldNode(scratch), consumer, specifiers())],
  ['imports on Node 24', () => importModules(process.execPath, consumer, specifiers())],
  ['has commands that work', () => tryCommands(consumer, findOldNode(scratch), command)],
  ['says what the oracle needs', refuseOracle],
  [
    'takes what the oracle needs',
    () => oraclePeers.forEach((name) => installPackage(consumer, pinned(name))),
  ],
  ['judges itself on Node 20', () => judgeOnNode(findOldNode(scratch))],
  ['takes msw', () => installPackage(consumer, pinned('msw'))],
  ['imports with msw', () => importModules(process.execPath, consumer, [nameOf(MSW)])],
  // Nothing imports it, but the types of a subpath speak of it.
  ['takes kysely', () => installPackage(consumer, pinned('kysely'))],
  [
    'compiles under strict, libraries checked',
    () => compileConsumer(consumer, [...specifiers(), nameOf(MSW)]),
  ],
  ['compiles with exact optional properties', compileWithoutCharts],
]

async function resolvePeers(): Promise<void> {
  console.log(await checkPeerMatrix(join(scratch, 'peers'), { [PACKAGE]: tarball }))
}

function refuseStrays(): void {
  const paths = runCommand('tar', ['-tzf', tarball]).trim().split('\n')
  const strays = paths.filter((path) =>
    /(?<!\.d)\.ts$|\.map$|\.test\.|\/(test|docs|fuzz\/peers)\//.test(path),
  )
  if (strays.length > 0) throw new Error(`should not be published: ${strays.join(', ')}`)
}

function pinned(devDependency: string): string {
  const manifest = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return `${devDependency}@${manifest.devDependencies[devDependency]}`
}

/** Packages by which a library can be judged. */
const oraclePeers = ['fast-check', 'tough-cookie']

function judgeOnNode(node: string): string {
  return runCommand(node, [command, 'conformance', 'ours', '--only', 'TX-05', '--threads', '1'], consumer)
}

/** Without its packages the oracle has to say which to install. */
function refuseOracle(): void {
  const wanted = `npm install --save-dev ${oraclePeers.join(' ')}`
  try {
    judgeOnNode(process.execPath)
  } catch (error) {
    if (String(error).includes(wanted)) return
    throw error
  }
  throw new Error(`the oracle ran without ${oraclePeers.join(' and ')}`)
}

function exportTargets(): [string, ExportTarget][] {
  const manifest = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as {
    exports: Record<string, ExportTarget | string>
  }
  return Object.entries(manifest.exports).flatMap(([subpath, target]): [string, ExportTarget][] => {
    if (typeof target === 'string') return []
    return subpath.includes('*') ? expandPattern(subpath, target) : [[subpath, target]]
  })
}

/** One entry for each built file that the pattern reaches, as Node's resolution does. */
function expandPattern(subpath: string, target: ExportTarget): [string, ExportTarget][] {
  const [directory = '', ending = ''] = target.default.split('*')
  return readdirSync(join(top, directory))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .map((name) => [
      subpath.replace('*', name),
      { types: target.types.replace('*', name), default: target.default.replace('*', name) },
    ])
}

function specifiers(): string[] {
  return exportTargets()
    .filter(([subpath]) => ![...FRAMEWORKS, MSW].includes(subpath))
    .map(([subpath]) => nameOf(subpath))
}

/** Without the charts: the declarations of xstate 5 do not compile with this setting. */
function compileWithoutCharts(): void {
  const others = specifiers().filter((specifier) => specifier !== nameOf(CHARTS))
  compileConsumer(consumer, others, { exactOptionalPropertyTypes: true })
}

function refuseXstateTypes(): void {
  const declarations = readDeclarations()
  for (const [subpath, { types }] of exportTargets()) {
    if (subpath === CHARTS) continue
    const way = findWayToPackage(types.slice('./'.length), 'xstate', declarations)
    if (way) throw new Error(`${PACKAGE}${subpath.slice(1)} reaches xstate's types: ${way.join(' -> ')}`)
  }
}

try {
  for (const [name, act] of steps) await timeStep(name, act)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
