import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommand, top } from '../package/command.ts'

const here = fileURLToPath(new URL('./', import.meta.url))

const withoutThreads = `--alias:node:worker_threads=${join(here, 'suite/no-threads.ts')}`

/** The neutral platform has no Node modules: importing one is an error. */
function bundle(entry: string, file: string, more: readonly string[]): string {
  const all = ['--bundle', '--platform=neutral', '--main-fields=module,main']
  const esbuild = join(here, 'node_modules/.bin/esbuild')
  runCommand(esbuild, [entry, ...all, '--log-level=warning', ...more, `--outfile=${file}`], top)
  return file
}

/** The suite as one program that imports the library installed in the directory. */
export function bundleSuite(entry: 'process.js' | 'worker.js' | 'run-suite.ts', directory: string): string {
  const file = `${basename(entry, extname(entry))}.js`
  return bundle(join(here, 'suite', entry), join(directory, file), [
    '--format=esm',
    withoutThreads,
    '--external:authmachine',
    '--external:authmachine/*',
  ])
}

/** The suite and the library in one file, as workers are deployed. */
export function bundleWorker(directory: string): string {
  const suite = bundleSuite('worker.js', directory)
  return bundle(suite, join(directory, 'bundle.js'), ['--format=esm', '--conditions=workerd,worker,browser'])
}

/** The site and the library in one file, as workers are deployed. */
export function bundleSite(directory: string): string {
  const conditions = '--conditions=workerd,worker,browser'
  return bundle(join(directory, 'site/worker.js'), join(directory, 'site.js'), ['--format=esm', conditions])
}

/** Packages that only migrations and mail senders import, which do not run on edge runtimes. */
const externals = ['kysely', 'kysely/*', 'nodemailer'].map((name) => `--external:${name}`)

/** Bundles a program that imports the library and the suite into one script. */
export function bundleForEdge(entry: string, directory: string): string {
  return bundle(entry, join(directory, 'edge.js'), [
    '--format=iife',
    '--conditions=edge-light,worker,browser',
    withoutThreads,
    ...externals,
  ])
}
