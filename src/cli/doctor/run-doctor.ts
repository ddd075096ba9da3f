import util from 'node:util'
import { CommandError } from '../command-error.ts'
import { parseArguments } from '../parse-arguments.ts'
import type { Terminal } from '../terminal.ts'
import { note, type Finding, type Section } from './finding.ts'
import { judgeConfig } from './judge-config.ts'
import { judgeSite } from './judge-site.ts'
import { loadConfig } from './load-config.ts'
import { hasProblem, writeReport } from './write-report.ts'

/** Options of the command. */
export const doctorOptions = { env: { type: 'string', multiple: true } } as const

/** Where variables are looked for when nobody says where; the first that has one counts. */
const usualFiles = ['.env.local', '.env']

/** What `authmachine doctor --help` prints. */
export const doctorHelp = `Looks for what is wrong with a configuration, or with a site that runs, and says
what to do about it.

Usage: authmachine doctor <module> [--env <file>]
       authmachine doctor <url>

A module exports its configuration, or what createAuth made of it. It is loaded,
and so is what it imports. Looked at are the configuration, as the handler does,
the secret, the host, the cookies, the store, what each provider says of itself,
and the clock. Variables come from the environment, then from .env.local, then
from .env. Your application may not read these files: Node reads a file only if
you start it with node --env-file=.env.local.

A URL is that of the site, or of its routes: https://example.com/auth. Looked at
are its answers, cookies and caching. A sign-in is started at each provider, and
is not finished.

Options:
      --env <file>  take variables from this file, and not from .env.local and
                    .env; may be there several times

No secret is printed. For attacks on a site of yours: authmachine-conformance.

Exit codes: 0 no problem, 1 a problem or nothing to look at, 2 typed wrongly.

Examples:
  authmachine doctor src/auth.ts
  NODE_ENV=production authmachine doctor src/auth.ts --env .env.production
  authmachine doctor http://localhost:3000/auth
`

/**
 * Prints what is right and wrong with a configuration or a site.
 *
 * @returns the exit code
 * @throws {CommandError} when there is nothing to look at
 */
export async function runDoctor(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArguments('doctor', args, doctorOptions)
  const [target, ...more] = positionals
  if (target === undefined || more.length > 0)
    throw new CommandError(
      'Expected one module or URL to look at.\n\nauthmachine doctor --help has examples.',
      2,
    )
  const isUrl = /^https?:\/\//.test(target)
  if (isUrl && values.env) throw new CommandError('--env is for a module: a site has its own environment.', 2)
  const sections = isUrl
    ? await judgeSite(new URL(target), terminal)
    : await judgeModule(target, values.env, terminal)
  terminal.print(writeReport(`authmachine doctor ${target}`, sections))
  return hasProblem(sections) ? 1 : 0
}

async function judgeModule(
  path: string,
  files: readonly string[] | undefined,
  terminal: Terminal,
): Promise<readonly Section[]> {
  const read = await readVariables(files, terminal)
  const config = await loadConfig(path, terminal)
  const { NODE_ENV } = terminal.environment
  const findings = [
    note(`Looked at ${NODE_ENV === 'production' ? 'for production' : 'for development'}, by NODE_ENV.`),
    ...explainFiles(read),
  ]
  return [{ title: 'Environment', findings }, ...(await judgeConfig(config, terminal.environment, terminal))]
}

/** Doctor reads files that an application may not read: most frameworks do, Node does not. */
function explainFiles(files: readonly string[]): readonly Finding[] {
  if (files.length === 0) return []
  // In Node a later file wins.
  const options = files.toReversed().map((file) => `--env-file=${file}`)
  return [
    note(`Doctor read variables that are not in the environment from ${files.join(' and ')}.`),
    note(
      'Unless your framework reads them as well, your application does not: ' +
        `start it with node ${options.join(' ')}.`,
    ),
  ]
}

/** Reads files of variables, as far as they are there. @returns their names */
async function readVariables(
  given: readonly string[] | undefined,
  terminal: Terminal,
): Promise<readonly string[]> {
  const read: string[] = []
  for (const file of given ?? usualFiles) {
    const text = await terminal.readFile(file).catch(() => undefined)
    if (text !== undefined) {
      terminal.setDefaults(util.parseEnv(text))
      read.push(file)
    } else if (given) throw new CommandError(`${file} cannot be read.`, 1)
  }
  return read
}
