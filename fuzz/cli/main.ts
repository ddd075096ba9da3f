#!/usr/bin/env node
import module from 'node:module'
import { help, readOptions } from './options.ts'

// Every thread loads the same modules; the cache saves compiling them again.
if ('enableCompileCache' in module) module.enableCompileCache()

async function run(args: readonly string[]): Promise<number> {
  if (args[0] === 'init') return init(args.slice(1))
  if (args[0] === 'world') return world(args.slice(1))
  if (args[0] === 'explore') {
    const { runExplore } = await import('./explore/run-explore.ts')
    return runExplore(args.slice(1), streams)
  }
  const options = readOptions(args)
  if (options.help || options.words.length === 0) {
    process.stdout.write(help)
    return options.help ? 0 : 2
  }
  const { runConformance } = await import('./conformance.ts')
  return runConformance(options)
}

async function init(args: readonly string[]): Promise<number> {
  const [{ runInit }, { askOnTerminal }] = await Promise.all([
    import('./init/run-init.ts'),
    import('./init/ask-questions.ts'),
  ])
  const { stdin, stdout } = process
  return runInit(args, {
    ...streams,
    ...(stdin.isTTY && stdout.isTTY && { ask: askOnTerminal }),
  })
}

/** Ctrl-C ends it, and so does the end of npm. */
async function world(args: readonly string[]): Promise<number> {
  const [{ runWorld }, { whenParentEnds }] = await Promise.all([
    import('./world/run-world.ts'),
    import('./world/watch-parent.ts'),
  ])
  const ending = new AbortController()
  const end = () => ending.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  whenParentEnds(end)
  return runWorld(args, { ...streams, signal: ending.signal })
}

const streams = {
  print: (text: string) => void process.stdout.write(text),
  complain: (text: string) => void process.stderr.write(text),
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const { escapeControls, escapeLines } = await import('authmachine/instrumented')
  // A message may quote the target: only a stack keeps its line breaks, and is indented.
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error))
  const shown = process.env['DEBUG'] ? escapeLines(stack).replaceAll('\n', '\n    ') : escapeControls(message)
  process.stderr.write(`${shown}\n`)
  process.exitCode = 2
}
