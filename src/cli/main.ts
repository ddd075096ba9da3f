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
  // A write answers whether there is room for more, which is no exit code.
  print: (text) => void stdout.write(text),
  complain: (text) => void stderr.write(text),
  readFile: (path) => readFile(path, 'utf8'),
  async writeFile(path, content, mode) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content, { mode })
  },
})

// A module that doctor has loaded may keep the process alive, by a server or a pool; what was printed goes out first.
stdout.write('', () => void stderr.write('', () => process.exit(code)))
