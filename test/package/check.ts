/**
 * `npm run test:package`: builds and packs the package, and looks at the tarball as its users will: is it well made,
 * does it import on the oldest and on the current Node, does a strict program compile against it?
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand, top } from './command.ts'
import { compileConsumer, importModules, installPackage, startConsumer } from './consumer.ts'
import { findWayToPackage } from './declarations.ts'
import { findOldNode } from './old-node.ts'

const PACKAGE = 'authmachine'
/** The one entry whose declarations are xstate's by nature: the charts themselves. */
const CHARTS = './machines'

interface ExportTarget {
  readonly types: string
  readonly default: string
}

const scratch = mkdtempSync(join(tmpdir(), 'authmachine-package-'))
const consumer = join(scratch, 'consumer')
const bin = (name: string) => join(top, 'node_modules/.bin', name)

let tarball = ''
const steps: readonly (readonly [string, () => void])[] = [
  ['builds', () => runCommand('npm', ['run', '--silent', 'build'])],
  ['packs', () => (tarball = pack())],
  ['holds no sources and no tests', refuseStrays],
  ['publint', () => runCommand(bin('publint'), ['--strict', tarball])],
  ['are the types wrong', () => runCommand(bin('attw'), [tarball, '--profile', 'esm-only'])],
  ['knip', () => runCommand(bin('knip'), ['--config', 'test/config/knip.json'])],
  ['keeps the types of xstate to itself', refuseXstateTypes],
  ['installs into an empty project', () => startConsumer(consumer, tarball)],
  ['imports on Node 20', () => importModules(findOldNode(scratch), consumer, specifiers())],
  ['imports on Node 24', () => importModules(process.execPath, consumer, specifiers())],
  // Nothing imports it, but the types of a subpath speak of it.
  ['takes kysely', () => installPackage(consumer, `kysely@${versionOf('kysely')}`)],
  ['compiles under strict, libraries checked', () => compileConsumer(consumer, specifiers())],
  ['compiles with exact optional properties', compileWithoutCharts],
]

function pack(): string {
  const [packed] = JSON.parse(
    runCommand('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch]),
  ) as { filename: string }[]
  if (!packed) throw new Error('npm pack named no file')
  return join(scratch, packed.filename)
}

function refuseStrays(): void {
  const paths = runCommand('tar', ['-tzf', tarball]).trim().split('\n')
  const strays = paths.filter((path) =>
    /(?<!\.d)\.ts$|\.map$|\.test\.|\/(test|fuzz(?!\/adapter)|docs)\//.test(path),
  )
  if (strays.length > 0) throw new Error(`should not be published: ${strays.join(', ')}`)
}

function versionOf(devDependency: string): string | undefined {
  const manifest = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return manifest.devDependencies[devDependency]
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
  return exportTargets().map(([subpath]) => PACKAGE + subpath.slice(1))
}

/** Without the charts: the declarations of xstate 5 do not compile with this setting. */
function compileWithoutCharts(): void {
  const others = specifiers().filter((specifier) => specifier !== PACKAGE + CHARTS.slice(1))
  compileConsumer(consumer, others, { exactOptionalPropertyTypes: true })
}

function refuseXstateTypes(): void {
  for (const [subpath, { types }] of exportTargets()) {
    if (subpath === CHARTS) continue
    const way = findWayToPackage(types.slice('./'.length), 'xstate')
    if (way) throw new Error(`${PACKAGE}${subpath.slice(1)} reaches xstate's types: ${way.join(' -> ')}`)
  }
}

try {
  for (const [name, act] of steps) {
    const startedAt = performance.now()
    act()
    console.log(`ok  ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
