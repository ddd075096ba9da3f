#!/usr/bin/env node
import module from 'node:module'
import { help, readOptions } from './options.ts'

// Every thread loads the same modules; the cache saves compiling them again.
if ('enableCompileCache' in module) module.enableCompileCache()

async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  if (options.help || options.words.length === 0) {
    process.stdout.write(help)
    return options.help ? 0 : 2
  }
  const { runConformance } = await import('./conformance.ts')
  return runConformance(options)
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const shown = error instanceof Error ? (process.env['DEBUG'] ? error.stack : error.message) : error
  const { escapeLines } = await import('authmachine/instrumented')
  process.stderr.write(`${escapeLines(String(shown))}\n`)
  process.exitCode = 2
}
