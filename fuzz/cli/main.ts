#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'
import { loadPart } from '../run/load-part.ts'
import { help, readOptions, UsageError, type Options } from './options.ts'

// Every thread loads the same modules; what one has compiled, the next finds.
if ('enableCompileCache' in module) module.enableCompileCache()

async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  if (options.help || (options.words.length === 0 && !options.mutants)) {
    process.stdout.write(help)
    return options.help ? 0 : 2
  }
  if (options.mutants) return huntMutants(options)
  const { runConformance } = await loadPart(() => import('./conformance.ts'))
  return runConformance(options)
}

/** Faults are put into the sources, which the published package is without. */
async function huntMutants(options: Options): Promise<number> {
  const zoo = new URL('../zoo/hunt-mutants.ts', import.meta.url)
  if (!existsSync(zoo))
    throw new UsageError('--mutants needs a clone of authmachine: the faults are put into its sources')
  const part: { huntMutants: (given: Options) => Promise<number> } = await import(zoo.href)
  return part.huntMutants(options)
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const shown = error instanceof Error ? (process.env['DEBUG'] ? error.stack : error.message) : error
  process.stderr.write(`${String(shown)}\n`)
  process.exitCode = 2
}
