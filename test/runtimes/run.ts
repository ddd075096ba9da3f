/**
 * `npm run test:runtimes`: packs the library, installs the tarball into an empty project, and runs one suite of flows
 * with it on each runtime; then again, so that each opens the tokens of all. A runtime that is not there is a failure.
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
    complain(name, `NOT RUN, since it is not installed on ${process.platform}-${process.arch}`)
    return undefined
  }
  try {
    const version = runCommand(command, ['--version'], scratch).split('\n')[0] ?? ''
    if (says.test(version)) return version
    complain(name, `NOT RUN, since what is installed says that it is ${version}`)
  } catch (error) {
    complain(name, `NOT RUN, since it does not start: ${String(error)}`)
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

/** They have no modules of Node. */
const edges: ReadonlySet<string> = new Set(['Edge VM', 'workerd'])

/** Workers of the edge have no `node:crypto`, and all others do: so both engines of the tokens are run. */
function judge({ name }: Runtime, version: string, { results, hasNodeCrypto }: Found): void {
  for (const { name: check, failure } of results) if (failure) complain(name, `${check}\n${failure}`)
  if (hasNodeCrypto === edges.has(name))
    complain(name, hasNodeCrypto ? 'has node:crypto' : 'has no node:crypto')
  const good = results.filter(({ failure }) => failure === undefined).length
  lines.push(`ran      ${name.padEnd(8)} ${good} of ${results.length} checks hold on ${version}`)
}

try {
  await timeStep('builds', buildLibrary)
  await timeStep('installs the runtimes', () => runCommand('npm', ['ci', '--prefer-offline'], here))
  await timeStep('installs the packed library into an empty project', () => {
    startConsumer(consumer, packLibrary(scratch))
    installPackage(consumer, simpleWebAuthn())
  })
  await timeStep('bundles for workers, without modules of Node', () => {
    bundleSuite('process.js', consumer)
    bundleWorker(consumer)
  })
  const there = runtimes.flatMap((runtime) => {
    const version = versionOf(runtime)
    return version === undefined ? [] : [{ runtime, version }]
  })
  for (const { runtime } of there)
    await timeStep(`makes a token on ${runtime.name}`, async () => {
      const found = await tryOn(runtime)
      if (found) tokens[runtime.name] = found.token
    })
  for (const { runtime, version } of there)
    await timeStep(`runs the suite on ${runtime.name}`, async () => {
      const found = await tryOn(runtime)
      if (found) judge(runtime, version, found)
    })
} catch (error) {
  complain('the preparation', error instanceof Error ? error.message : String(error))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
console.log(lines.join('\n'))
process.exitCode = failures > 0 ? 1 : 0
