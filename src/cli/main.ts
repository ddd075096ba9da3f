#!/usr/bin/env node
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { runCommand } from './run-command.ts'

process.exitCode = await runCommand(process.argv.slice(2), {
  // A write answers whether there is room for more, which is no exit code.
  print: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
  readFile: (path) => readFile(path, 'utf8'),
  async writeFile(path, content) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  },
})
