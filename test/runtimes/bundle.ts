import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommand, top } from '../package/command.ts'

const here = fileURLToPath(new URL('./', import.meta.url))

/** On the neutral platform there are no modules of Node: an import of one is an error. */
function bundle(entry: string, file: string, more: readonly string[]): string {
  const all = ['--bundle', '--format=esm', '--platform=neutral', '--main-fields=module,main']
  const esbuild = join(here, 'node_modules/.bin/esbuild')
  runCommand(esbuild, [entry, ...all, '--log-level=warning', ...more, `--outfile=${file}`], top)
  return file
}

/** The suite as one program, which imports the library as it is installed in the directory. */
export function bundleSuite(entry: 'process.js' | 'worker.js', directory: string): string {
  const threads = join(here, 'suite/no-threads.ts')
  return bundle(join(here, 'suite', entry), join(directory, entry), [
    `--alias:node:worker_threads=${threads}`,
    '--external:authmachine',
    '--external:authmachine/*',
  ])
}

/** The suite and the library in one file, as a worker is deployed. */
export function bundleWorker(directory: string): string {
  const suite = bundleSuite('worker.js', directory)
  return bundle(suite, join(directory, 'bundle.js'), ['--conditions=workerd,worker,browser'])
}
