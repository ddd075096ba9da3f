import { fileURLToPath } from 'node:url'
import { runCommand } from '../package/command.ts'
import { runEdgeVm } from './edge-vm.ts'
import type { Found, Given } from './suite/run-suite.ts'
import { runWorker } from './workerd.ts'

/** A runtime for the suite. */
export interface Runtime {
  readonly name: string
  /** Path of its binary, which exists once the packages of this folder are installed. */
  readonly command: string
  /** Whether its version output matches the name. */
  readonly says: RegExp
  readonly run: (command: string, directory: string, given: Given) => Promise<Found>
}

const platform = `${process.platform}-${process.arch}`

const packages = fileURLToPath(new URL('./node_modules/', import.meta.url))

function runProgram(...args: readonly string[]): Runtime['run'] {
  return async (command, directory, given) =>
    JSON.parse(runCommand(command, [...args, 'process.js', JSON.stringify(given)], directory)) as Found
}

/** In display order. All but this process's own runtime come from the packages of this folder. */
export const runtimes: readonly Runtime[] = [
  { name: 'Node 20', command: `${packages}node-20-${platform}/bin/node`, says: /^v20\./, run: runProgram() },
  { name: 'Node 22', command: `${packages}node-22-${platform}/bin/node`, says: /^v22\./, run: runProgram() },
  { name: 'Node 24', command: process.execPath, says: /^v24\./, run: runProgram() },
  {
    name: 'Deno',
    command: `${packages}.bin/deno`,
    says: /^deno \d/,
    // The program may read the packages and its environment, but has no network and no writable files.
    run: runProgram('run', '--no-prompt', '--node-modules-dir=manual', '--allow-read=.', '--allow-env'),
  },
  { name: 'Bun', command: `${packages}.bin/bun`, says: /^\d/, run: runProgram('--no-install') },
  { name: 'Edge VM', command: process.execPath, says: /^v24\./, run: runEdgeVm },
  { name: 'workerd', command: `${packages}.bin/workerd`, says: /^workerd \d/, run: runWorker },
]
