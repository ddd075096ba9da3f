#!/usr/bin/env node
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { runCommand } from './run-command.ts'

process.exitCode = await runCommand(process.argv.slice(2), {
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  readFile: (path) => readFile(path, 'utf8'),
  async writeFile(path, content) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  },
})
