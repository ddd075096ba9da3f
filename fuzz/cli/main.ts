#!/usr/bin/env node
import module from 'node:module'
import { loadPart } from '../run/load-part.ts'

// Every thread loads the same modules; what one has compiled, the next finds.
if ('enableCompileCache' in module) module.enableCompileCache()
try {
  const { runConformance } = await loadPart(() => import('./conformance.ts'))
  process.exitCode = await runConformance(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
