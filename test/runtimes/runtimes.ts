import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../package/command.ts'
import type { Found, Given } from './suite/run-suite.ts'
import { runWorker } from './workerd.ts'

/** Where the suite can be run. */
export interface Runtime {
  readonly name: string
  /** What is run, if it is installed. */
  readonly command: string | undefined
  /** Does what it says of itself when it is asked for its version match the name? */
  readonly says: RegExp
  readonly run: (command: string, directory: string, given: Given) => Promise<Found>
}

const platform = `${process.platform}-${process.arch}`

function find(path: string): string | undefined {
  const file = fileURLToPath(new URL(`./node_modules/${path}`, import.meta.url))
  return existsSync(file) ? file : undefined
}

function runProgram(...args: readonly string[]): Runtime['run'] {
  return async (command, directory, given) =>
    JSON.parse(runCommand(command, [...args, 'process.js', JSON.stringify(given)], directory)) as Found
}

/** In the order in which they are shown. All but this process's own come from the packages of this folder. */
export const runtimes: readonly Runtime[] = [
  { name: 'Node 20', command: find(`node-20-${platform}/bin/node`), says: /^v20\./, run: runProgram() },
  { name: 'Node 22', command: find(`node-22-${platform}/bin/node`), says: /^v22\./, run: runProgram() },
  { name: 'Node 24', command: process.execPath, says: /^v24\./, run: runProgram() },
  {
    name: 'Deno',
    command: find('.bin/deno'),
    says: /^deno \d/,
    // It may read the packages and its environment; neither network nor files to write.
    run: runProgram('run', '--no-prompt', '--node-modules-dir=manual', '--allow-read=.', '--allow-env'),
  },
  { name: 'Bun', command: find('.bin/bun'), says: /^\d/, run: runProgram('--no-install') },
  { name: 'workerd', command: find('.bin/workerd'), says: /^workerd \d/, run: runWorker },
]
