/**
 * `npm run test:runtimes`: packs the library, installs the tarball into an empty project, and runs one suite of flows
 * on each runtime. A second run checks that each runtime opens the tokens of all others. Then several visitors use a site
 * on each runtime that has a server. A missing runtime is a failure.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommand, top } from '../package/command.ts'
import { installPackage, startConsumer } from '../package/consumer.ts'
import { buildLibrary, packLibrary, timeStep } from '../package/pack.ts'
import { bundleSuite, bundleWorker } from './bundle.ts'
import { runtimes, type Runtime } from './runtimes.ts'
import type { Found } from './suite/run-suite.ts'
import { hasServer, mixVisitorsOn, prepareSite } from './visitors.ts'

const here = fileURLToPath(new URL('./', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'authmachine-runtimes-'))
const consumer = join(scratch, 'consumer')
const tokens: Record<string, string> = {}
const lines: string[] = []
let failures = 0

function complain(name: string, what: string): void {
  failures++
  lines.push(`FAILED   ${name}: ${what}`)
}

/** The peer of the passkey provider, in the version that the library is tested with. */
function simpleWebAuthn(): string {
  const { devDependencies } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return `@simplewebauthn/server@${devDependencies['@simplewebauthn/server']}`
}

function versionOf({ name, command, says }: Runtime): string | undefined {
  if (!existsSync(command)) {
    complain(name, `NOT RUN: not installed on ${process.platform}-${process.arch}`)
    return undefined
  }
  try {
    const version = runCommand(command, ['--version'], scratch).split('\n')[0] ?? ''
    if (says.test(version)) return version
    complain(name, `NOT RUN: the installed version reports ${version}`)
  } catch (error) {
    complain(name, `NOT RUN: it does not start: ${String(error)}`)
  }
  return undefined
}

async function tryOn(runtime: Runtime): Promise<Found | undefined> {
  try {
    return await runtime.run(runtime.command, consumer, { tokens })
  } catch (error) {
    complain(runtime.name, error instanceof Error ? error.message : String(error))
    return undefined
  }
}

/** Runtimes without Node modules. */
const edges: ReadonlySet<string> = new Set(['Edge VM', 'workerd'])

/** Edge workers have no `node:crypto`, and all other runtimes have it, so both token engines run. */
function judge({ name }: Runtime, version: string, { results, hasNodeCrypto }: Found): void {
  for (const { name: check, failure } of results) if (failure) complain(name, `${check}\n${failure}`)
  if (hasNodeCrypto === edges.has(name))
    complain(name, hasNodeCrypto ? 'has node:crypto' : 'has no node:crypto')
  const good = results.filter(({ failure }) => failure === undefined).length
  lines.push(`ran      ${name.padEnd(8)} ${good} of ${results.length} checks pass on ${version}`)
}

try {
  await timeStep('builds', buildLibrary)
  await timeStep('installs the runtimes', () => runCommand('npm', ['ci', '--prefer-offline'], here))
  await timeStep('installs the packed library into an empty project', () => {
    startConsumer(consumer, packLibrary(scratch))
    installPackage(consumer, simpleWebAuthn())
  })
  await timeStep('bundles for workers, without Node modules', () => {
    bundleSuite('process.js', consumer)
    bundleWorker(consumer)
  })
  await timeStep('prepares a site with Hono', () => prepareSite(consumer))
  const there = runtimes.flatMap((runtime) => {
    const version = versionOf(runtime)
    return version === undefined ? [] : [{ runtime, version }]
  })
  for (const { runtime } of there)
    await timeStep(`creates a token on ${runtime.name}`, async () => {
      const found = await tryOn(runtime)
      if (found) tokens[runtime.name] = found.token
    })
  for (const { runtime, version } of there)
    await timeStep(`runs the suite on ${runtime.name}`, async () => {
      const found = await tryOn(runtime)
      if (found) judge(runtime, version, found)
    })
  for (const { name, command } of there.map(({ runtime }) => runtime).filter((each) => hasServer(each.name)))
    await timeStep(`mixes visitors on ${name}`, () =>
      mixVisitorsOn(name, command, consumer).catch((error: unknown) => complain(name, String(error))),
    )
} catch (error) {
  complain('the preparation', error instanceof Error ? error.message : String(error))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
console.log(lines.join('\n'))
process.exitCode = failures > 0 ? 1 : 0
