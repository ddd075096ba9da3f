#!/usr/bin/env node
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { env, stderr, stdout } from 'node:process'
import { importModule } from './import-module.ts'
import { runCommand } from './run-command.ts'

const code = await runCommand(process.argv.slice(2), {
  environment: env,
  setDefaults(variables) {
    for (const [name, value] of Object.entries(variables)) if (value !== undefined) env[name] ??= value
  },
  importModule,
  fetch,
  now: Date.now,
  // `write` returns whether there is room for more, which is not an exit code.
  print: (text) => void stdout.write(text),
  complain: (text) => void stderr.write(text),
  readFile: (path) => readFile(path, 'utf8'),
  async writeFile(path, content, mode) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content, { mode })
  },
})

// A module that doctor loaded may keep the process alive with a server or a pool. Flush the output before exiting.
stdout.write('', () => void stderr.write('', () => process.exit(code)))
