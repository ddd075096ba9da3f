import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { escapeControls } from 'authmachine/instrumented'
import { openHosted } from '../../world/hosted.ts'
import { openJournal } from '../../world/journal.ts'
import { firstPort, places } from '../../world/places.ts'
import { readNumber, UsageError } from '../options.ts'
import { servePage } from './serve-page.ts'

/** The output of `authmachine-conformance world --help`. */
export const worldHelp = `Runs the oracle's providers and mailbox, and lists their requests and mails on a page. The scripts of
failures need it.

Usage: authmachine-conformance world [options]

Options:
  --port <number>  the first of five ports (default: ${firstPort}): alpha, beta, plain, mail, and the page
  --keys <file>    keep the keys of the providers in a file

Press Ctrl-C to stop.
`

/** The output of `world`, and the signal that stops it. */
export interface Surroundings {
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  /** Stops it. */
  readonly signal: AbortSignal
}

/**
 * Runs `authmachine-conformance world`, until the signal ends it.
 *
 * @returns the exit code
 * @throws {UsageError} if an option is invalid
 * @throws {Error} if a port is in use
 */
export async function runWorld(
  args: readonly string[],
  { print, complain, signal }: Surroundings,
): Promise<number> {
  const { help, port: first, keys } = readWorldOptions(args)
  if (help) {
    print(worldHelp)
    return 0
  }
  const port = first === undefined ? firstPort : readNumber('--port', first)
  const journal = openJournal()
  const hosted = await openHosted(port, {
    keys,
    // Nobody says here which links sign in, so it is the first one of a mail.
    link: '/',
    journal,
    complain: (line) => complain(`${escapeControls(line)}\n`),
  })
  try {
    const page = await servePage(port + places.page, journal, hosted)
    print(describeWorld(port))
    if (!signal.aborted) await once(signal, 'abort')
    page.close()
  } finally {
    await hosted.close()
  }
  return 0
}

function readWorldOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { port: { type: 'string' }, keys: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function describeWorld(port: number): string {
  const names = ['alpha', 'beta', 'plain'] as const
  const providers = names.map((name) => {
    const client = `client client-at-${name}, secret secret-at-${name}-0123456789`
    return `  ${name.padEnd(5)}  http://127.0.0.1:${port + places[name]}  ${client}`
  })
  return [
    ...providers,
    `  mail   smtp://127.0.0.1:${port + places.smtp}`,
    '',
    `Requests and mails: http://127.0.0.1:${port + places.page}/`,
    'Press Ctrl-C to stop.',
    '',
  ].join('\n')
}
