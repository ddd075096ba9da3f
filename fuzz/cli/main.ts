#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Every thread loads the same modules; what one has compiled, the next finds.
enableCompileCache()
const { runConformance } = await import('./conformance.ts')
process.exitCode = await runConformance(process.argv.slice(2))
