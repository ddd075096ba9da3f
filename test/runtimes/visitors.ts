import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { top } from '../package/command.ts'
import { installPackage } from '../package/consumer.ts'
import { expectSeparate } from '../support/visitors/expect-separate.ts'
import { bundleSite } from './bundle.ts'
import { serveProcess, type Served } from './serve-process.ts'
import { serveWorker } from './workerd.ts'

/** Serves the site on a runtime. */
type Serve = (command: string, directory: string) => Promise<Served>

const serveProgram =
  (...args: readonly string[]): Serve =>
  (command, directory) =>
    serveProcess(command, args, directory, (line) => Number(line) || undefined, 1)

/** How each runtime with its own server serves the site, by the name of the runtime. */
const servers: ReadonlyMap<string, Serve> = new Map([
  [
    'Deno',
    serveProgram(
      'run',
      '--no-prompt',
      '--node-modules-dir=manual',
      '--allow-read=.',
      '--allow-env',
      '--allow-net=127.0.0.1',
      'site/deno.js',
    ),
  ],
  ['Bun', serveProgram('--no-install', 'site/bun.js')],
  ['workerd', (command, directory) => serveWorker(command, directory, 'site.js')],
])

/** Installs Hono, in the version of its example, and the site into a project that has the packed library. */
export function prepareSite(directory: string): void {
  const { dependencies } = JSON.parse(readFileSync(join(top, 'docs/examples/hono/package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>
  }
  installPackage(directory, `hono@${dependencies.hono}`)
  cpSync(fileURLToPath(new URL('site/', import.meta.url)), join(directory, 'site'), { recursive: true })
  bundleSite(directory)
}

/** Whether the runtime has a server that the visitors can use. */
export const hasServer = (runtime: string): boolean => servers.has(runtime)

/** Expects that a site with Hono on a runtime gives nothing of one visitor to another. @throws Error if it does */
export async function mixVisitorsOn(runtime: string, command: string, directory: string): Promise<void> {
  const served = await servers.get(runtime)?.(command, directory)
  if (!served) throw new Error(`${runtime} has no server`)
  const origin = `http://127.0.0.1:${served.port}`
  try {
    await expectSeparate({ origin, basePath: '/auth', pages: ['/', '/members'], pin: '2718-2818' })
  } finally {
    await served.end()
  }
}
