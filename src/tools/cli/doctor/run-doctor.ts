import { CommandError, parseArguments } from '../arguments.ts'
import { readVariables } from '../read-variables.ts'
import type { Terminal } from '../terminal.ts'
import { type Finding, hasProblem, note, type Section, writeReport } from './finding.ts'
import { judgeConfig } from './judge-config.ts'
import { judgeSite } from './judge-site.ts'
import { loadConfig } from './load-config.ts'

/** Options of the command. */
export const doctorOptions = {
  env: { type: 'string', multiple: true },
  strict: { type: 'boolean' },
} as const

/** The output of `authmachine doctor --help`. */
export const doctorHelp = `Checks a configuration or a running site, and suggests fixes.

Usage: authmachine doctor <module> [--env <file>] [--strict]
       authmachine doctor <url> [--strict]

<module> exports a configuration or the result of createAuth, or calls
createAuth once. Doctor loads it with its imports, and checks the configuration,
the secret, the host, the cookies, the adapter, the metadata of each provider,
and the clock. Variables come from the environment, then from .env.local, then
from .env. Your application has to load these files itself, as Next.js does:
start Node with node --env-file=.env.local, or load them in the shell.

<url> is the URL of the site or of its routes: https://example.com/auth. Doctor
checks the responses, cookies and caching, and reads up to 1 MiB of each
response. It starts a sign-in with each of the first 100 providers, but does
not finish it.

Options:
      --env <file>  read variables from this file instead of .env.local and
                    .env; can be repeated
      --strict      exit with 1 for a warning, too. Use it before you deploy:
                    a provider without a client id is only a warning

Doctor prints no secrets. To attack your own site, use authmachine-conformance.

Exit codes: 0 no problem, 1 a problem, an error or with --strict a warning,
2 a usage error.

Examples:
  authmachine doctor src/auth.ts
  NODE_ENV=production authmachine doctor src/auth.ts --strict
  authmachine doctor src/auth.ts --env .env.production
  authmachine doctor http://localhost:3000/auth
`

/**
 * Checks a configuration or a site and prints the findings.
 *
 * @returns the exit code
 * @throws {CommandError} if there is nothing to check
 */
export async function runDoctor(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArguments('doctor', args, doctorOptions)
  const [target, ...more] = positionals
  if (target === undefined || more.length > 0)
    throw new CommandError('Expected one module or URL.\n\nRun authmachine doctor --help for examples.', 2)
  const isUrl = /^https?:\/\//.test(target)
  if (isUrl && values.env)
    throw new CommandError('--env works with a module only: a running site has its own environment.', 2)
  const sections = isUrl
    ? await judgeSite(readUrl(target), terminal)
    : await judgeModule(target, values.env, terminal)
  terminal.print(writeReport(`authmachine doctor ${target}`, sections))
  return hasProblem(sections, values.strict) ? 1 : 0
}

/**
 * @throws {CommandError} for an invalid URL, and for one with credentials: the report would repeat them, and `fetch`
 * refuses them
 */
function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && !url.username && !url.password) return url
  throw new CommandError('Expected a URL like https://example.com/auth, without a user name and password.', 2)
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
    note(`Checked for ${NODE_ENV === 'production' ? 'production' : 'development'}, according to NODE_ENV.`),
    ...explainFiles(read),
  ]
  return [{ title: 'Environment', findings }, ...(await judgeConfig(config, terminal.environment, terminal))]
}

/** Doctor reads files that the application may not load: Next.js does, Node and Vite do not. */
function explainFiles(files: readonly string[]): readonly Finding[] {
  if (files.length === 0) return []
  // In Node, a later file takes precedence.
  const options = files.toReversed().map((file) => `--env-file=${file}`)
  return [
    note(`Doctor read variables that are not in the environment from ${files.join(' and ')}.`),
    note(
      'Your application has to load them too. Next.js does so automatically. Otherwise, start it with ' +
        `node ${options.join(' ')}, or load them in the shell before each start.`,
    ),
  ]
}
