/**
 * `npm run test:package`: builds and packs both packages, and checks the tarballs as users see them: package quality
 * and size, installation next to the dependencies of applications, the oldest and the current Node, and a strict
 * program's types.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand, top } from './command.ts'
import { tryCommands } from './commands.ts'
import { findStrays, isTooLarge, limit } from './contents.ts'
import { compileConsumer, importModules, installPackage, startConsumer } from './consumer.ts'
import { findWayToPackage, readDeclarations } from './declarations.ts'
import { findOldNode } from './old-node.ts'
import { buildLibrary, packLibrary, packOracle, timeStep } from './pack.ts'
import { tryBehindMsw } from './behind-msw.ts'
import { checkPeerMatrix } from './peer-matrix.ts'
import { trySignIn } from './sign-in.ts'

const PACKAGE = 'authmachine'
const ORACLE = 'authmachine-conformance'
/** Entries for a framework, which they import. `npm run test:integrations` tests them with the framework. */
const FRAMEWORKS = ['./next', './node', './opentelemetry', './qwik', './react']
/** The only entries whose declarations contain xstate's types by nature: the charts, and the flows that run on them. */
const CHARTS = ['./machines', './instrumented']

interface ExportTarget {
  readonly types: string
  readonly default: string
}

const scratch = mkdtempSync(join(tmpdir(), 'authmachine-package-'))
const consumer = join(scratch, 'consumer')
const bin = (name: string) => join(top, 'node_modules/.bin', name)
const command = join(consumer, 'node_modules', PACKAGE, 'cli.js')
const nameOf = (subpath: string) => PACKAGE + subpath.slice(1)
const oracleSpecifiers = ['', '/adapter', '/testing', '/testing/msw'].map((subpath) => ORACLE + subpath)

let tarball = ''
let oracle = ''
const steps: readonly (readonly [string, () => unknown])[] = [
  ['builds', buildLibrary],
  ['packs', pack],
  ['contains no sources or tests', refuseStrays],
  ['is small', measure],
  ['publint', () => [tarball, oracle].forEach((each) => runCommand(bin('publint'), ['--strict', each]))],
  ['passes Are the Types Wrong', () => [tarball, oracle].forEach(checkTypes)],
  ['knip', () => runCommand(bin('knip'), ['--config', 'test/config/knip.json'])],
  ['does not expose the types of xstate', refuseXstateTypes],
  ['installs next to the dependencies of applications', resolvePeers],
  ['installs into an empty project', () => startConsumer(consumer, tarball)],
  ['imports on Node 20', () => importModules(findOldNode(scratch), consumer, specifiers())],
  ['imports on Node 24', () => importModules(process.execPath, consumer, specifiers())],
  ['has working commands', () => tryCommands(consumer, findOldNode(scratch), command)],
  ['installs with the oracle into an empty project', () => installPackage(consumer, oracle)],
  ['signs in on Node 20', () => trySignIn(findOldNode(scratch), consumer)],
  ['has an oracle with a help text', explainOracle],
  ['passes its own oracle on Node 20', () => judgeOnNode(findOldNode(scratch))],
  ...['msw@2', pinned('msw')].map((msw): [string, () => void] => [
    `mocks an identity provider with ${msw}`,
    () => {
      installPackage(consumer, msw)
      tryBehindMsw(consumer)
    },
  ]),
  ['imports the oracle', () => importModules(process.execPath, consumer, oracleSpecifiers)],
  // Nothing imports it, but the types of a subpath refer to it.
  ['installs kysely', () => installPackage(consumer, pinned('kysely'))],
  [
    'compiles under strict, including declarations',
    () => compileConsumer(consumer, [...specifiers(), ...oracleSpecifiers]),
  ],
  ['compiles with exact optional properties', compileWithoutCharts],
  ['compiles without the DOM library, from TypeScript 5.4 to 7', compileWithoutDom],
]

/** The releases of TypeScript beside the one that this repository uses, each with another way to resolve modules. */
const compilers = [
  { version: '5.4.5', module: 'esnext', moduleResolution: 'bundler' },
  { version: '7.0.2', module: 'node16', moduleResolution: 'node16' },
] as const

function pack(): void {
  tarball = packLibrary(scratch)
  oracle = packOracle(scratch)
}

function checkTypes(packed: string): void {
  runCommand(bin('attw'), [packed, '--profile', 'esm-only'])
}

async function resolvePeers(): Promise<void> {
  console.log(await checkPeerMatrix(join(scratch, 'peers'), { [PACKAGE]: tarball, [ORACLE]: oracle }))
}

function measure(): void {
  const { unpackedSize } = (
    JSON.parse(runCommand('npm', ['pack', tarball, '--dry-run', '--json', '--ignore-scripts'])) as {
      unpackedSize: number
    }[]
  )[0] ?? { unpackedSize: Infinity }
  console.log(`      ${(unpackedSize / 1e6).toFixed(2)} MB unpacked`)
  if (isTooLarge(unpackedSize))
    throw new Error(`Expected at most ${limit} bytes unpacked, got ${unpackedSize}`)
}

function refuseStrays(): void {
  const paths = [tarball, oracle].flatMap((each) => runCommand('tar', ['-tzf', each]).trim().split('\n'))
  const strays = findStrays(paths)
  if (strays.length > 0) throw new Error(`should not be published: ${strays.join(', ')}`)
}

function pinned(devDependency: string): string {
  const manifest = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return `${devDependency}@${manifest.devDependencies[devDependency]}`
}

function explainOracle(): void {
  const help = runCommand('npx', [ORACLE, '--help'], consumer)
  if (!help.includes(`Usage: ${ORACLE} <target>`)) throw new Error(`npx ${ORACLE} --help printed\n${help}`)
}

function judgeOnNode(node: string): string {
  const main = join(consumer, 'node_modules', ORACLE, 'cli/main.js')
  return runCommand(node, [main, 'ours', '--only', 'TX-05', '--threads', '1'], consumer)
}

function exportTargets(): [string, ExportTarget][] {
  const manifest = JSON.parse(readFileSync(join(top, 'dist/package.json'), 'utf8')) as {
    exports: Record<string, ExportTarget | string>
  }
  return Object.entries(manifest.exports).flatMap(([subpath, target]): [string, ExportTarget][] => {
    if (typeof target === 'string') return []
    if (!subpath.includes('*')) return [[subpath, target]]
    // Node prefers an exact subpath to a pattern.
    return expandPattern(subpath, target).filter(([expanded]) => !(expanded in manifest.exports))
  })
}

/** One entry for each built file that matches the pattern, as Node resolves it. */
function expandPattern(subpath: string, target: ExportTarget): [string, ExportTarget][] {
  const [directory = '', ending = ''] = target.default.split('*')
  return readdirSync(join(top, 'dist', directory))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .map((name) => [
      subpath.replace('*', name),
      { types: target.types.replace('*', name), default: target.default.replace('*', name) },
    ])
}

function specifiers(): string[] {
  return exportTargets()
    .filter(([subpath]) => !FRAMEWORKS.includes(subpath))
    .map(([subpath]) => nameOf(subpath))
}

/** Without the charts: the declarations of xstate 5 do not compile with this setting. */
function compileWithoutCharts(): void {
  const others = specifiers().filter((specifier) => !CHARTS.map(nameOf).includes(specifier))
  compileConsumer(consumer, others, { exactOptionalPropertyTypes: true })
}

/** Servers often compile with the types of Node instead of those of a browser. Those of msw, in the oracle, need both. */
function compileWithoutDom(): void {
  installPackage(consumer, pinned('@types/node'))
  for (const { version, ...resolution } of compilers) {
    // These packages demand another release.
    const folder = join(scratch, `typescript-${version}`)
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), '{}')
    installPackage(folder, `typescript@${version}`)
    const options = { ...resolution, target: 'es2022', lib: ['es2023'], types: ['node'] }
    compileConsumer(consumer, specifiers(), options, join(folder, 'node_modules/typescript'))
  }
}

function refuseXstateTypes(): void {
  const declarations = readDeclarations()
  for (const [subpath, { types }] of exportTargets()) {
    if (CHARTS.includes(subpath)) continue
    const way = findWayToPackage(types.replace('./', 'dist/'), 'xstate', declarations)
    if (way) throw new Error(`${PACKAGE}${subpath.slice(1)} imports xstate's types: ${way.join(' -> ')}`)
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
