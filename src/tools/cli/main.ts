#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve as resolvePath } from 'node:path'
import { env, stderr, stdin, stdout } from 'node:process'
import { createInterface } from 'node:readline'
import { importModule, importPackage } from './import-module.ts'
import { runCommand } from './run-command.ts'

// A module that a command loads may start a server, whose port is in use while the site runs. The command needs no server.
process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EADDRINUSE') return
  stderr.write(`${error.stack ?? String(error)}\n`, () => process.exit(1))
})

const code = await runCommand(process.argv.slice(2), {
  environment: env,
  setDefaults(variables) {
    for (const [name, value] of Object.entries(variables)) if (value !== undefined) env[name] ??= value
  },
  importModule,
  importPackage,
  fetch,
  now: Date.now,
  // Returns nothing, because the result of `write` is not an exit code.
  print: (text) => void stdout.write(text),
  ...(stdin.isTTY && stdout.isTTY && { ask }),
  ...(stdout.isTTY && { openFile }),
  complain: (text) => void stderr.write(text),
  readFile: (path) => readFile(path, 'utf8'),
  async writeFile(path, content, mode) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content, { mode })
  },
})

/** Opens a file as if the user clicked on it. */
function openFile(path: string): Promise<boolean> {
  const openers: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer.exe' }
  const command = openers[process.platform] ?? 'xdg-open'
  return new Promise((done) => {
    const opener = spawn(command, [resolvePath(path)], { stdio: 'ignore', detached: true })
    opener.once('error', () => done(false))
    opener.once('spawn', () => {
      opener.unref()
      done(true)
    })
  })
}

/** Ctrl-C and Ctrl-D end the question with an empty answer. */
function ask(question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stdout })
  return new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''))
    lines.question(question, (answer) => {
      resolve(answer)
      lines.close()
    })
  })
}

// A module that a command loaded may keep the process alive with a server or a pool. Flush the output before exiting.
stdout.write('', () => void stderr.write('', () => process.exit(code)))
