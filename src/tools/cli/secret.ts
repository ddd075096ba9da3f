import { randomBytes, randomText } from '../../crypto/random.ts'
import { CommandError, parseArguments } from './arguments.ts'
import { reasonOf } from './reason-of.ts'
import type { Terminal } from './terminal.ts'

const variable = 'AUTH_SECRET'
const start = String.raw`^[ \t]*(?:export[ \t]+)?${variable}[ \t]*=`
const nothing = String.raw`(?:[ \t]*(?:''|""))?`
const end = String.raw`(?=[ \t]*(?:#.*)?$)`
const withValue = new RegExp(`${start}(?!${nothing}${end})`, 'm')
const withoutValue = new RegExp(`(${start})${nothing}${end}`, 'm')

/** Options of the command. */
export const secretOptions = { write: { type: 'string', short: 'w' } } as const

/** The output of `authmachine secret --help`. */
export const secretHelp = `Creates a secret of 32 random bytes. The library derives every key from it.

Usage: authmachine secret                  print a secret
       authmachine secret --write <file>   add a secret to a file as ${variable}

Options:
  -w, --write <file>  add a line to the file; a new file is readable by you
                      only, and an existing secret is never replaced

Anyone who knows the secret can sign in as any user. Keep it out of version
control, and use a different one for each deployment.

Examples:
  authmachine secret --write .env.local
  fly secrets set ${variable}="$(npx authmachine secret)"
`

/**
 * Prints a new secret, or writes it to an environment file.
 *
 * @throws {CommandError} if the file already contains a secret, or cannot be read or written
 */
export async function runSecret(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArguments('secret', args, secretOptions)
  if (positionals.length > 0)
    throw new CommandError(`secret takes no arguments. To write to a file, use --write ${positionals[0]}`, 2)
  const secret = randomText(randomBytes)
  if (values.write === undefined) return terminal.print(`${secret}\n`)
  const before = await readIfThere(values.write, terminal)
  await terminal.writeFile(values.write, setVariable(before ?? '', secret, values.write), 0o600)
  terminal.print(
    `Wrote ${variable} to ${values.write}. Keep that file out of version control.\n${explainLoading(values.write)}`,
  )
}

/** The library reads the environment. Node and Vite, on the server, do not add the variables of a file to it. */
function explainLoading(path: string): string {
  const file = path.includes('/') ? path : `./${path}`
  return `Next.js loads .env and .env.local automatically. Otherwise, load the file at each start:
  node --env-file=${path} server.js
  set -a && . ${file} && set +a && npm run dev
`
}

async function readIfThere(path: string, terminal: Terminal): Promise<string | undefined> {
  try {
    return await terminal.readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new CommandError(`Cannot read ${path}: ${reasonOf(error)}`, 1)
  }
}

/** Returns the lines with the variable added. If the variable is there but empty, as in templates, it is filled in. */
function setVariable(text: string, secret: string, path: string): string {
  if (withValue.test(text)) throw alreadyHeld(path)
  if (withoutValue.test(text)) return text.replace(withoutValue, `$1"${secret}"`)
  const line = `${variable}="${secret}"`
  return text === '' || text.endsWith('\n') ? `${text}${line}\n` : `${text}\n${line}\n`
}

function alreadyHeld(path: string): CommandError {
  return new CommandError(
    `${path} already contains an ${variable}. Nothing was written, because
replacing it would sign all users out.

To rotate the secret, run authmachine secret and add its output as
${variable}_1, next to the old one. New sessions are encrypted with it, and
existing ones stay valid. Remove the old secret when they have expired.`,
    1,
  )
}
