import { asError } from '../as-error.ts'
import { randomBytes, randomText } from '../crypto/random.ts'
import { CommandError } from './command-error.ts'
import { parseArguments } from './parse-arguments.ts'
import type { Terminal } from './terminal.ts'

const variable = 'AUTH_SECRET'
const assignments = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${variable}[ \\t]*=[ \\t]*(.*)$`, 'gm')

/** Options of the command. */
export const secretOptions = { write: { type: 'string', short: 'w' } } as const

/** What `authmachine secret --help` prints. */
export const secretHelp = `Makes a secret: 32 random bytes, which every key of the library is derived from.

Usage: authmachine secret                  print one
       authmachine secret --write <file>   add it to a file as ${variable}

Options:
  -w, --write <file>  adds a line to the file, or makes the file, readable by
                      you alone; a secret that it holds is never replaced

Who knows the secret can sign in as anybody. Keep it out of version control, and
give each deployment its own.

Examples:
  authmachine secret --write .env.local
  fly secrets set ${variable}="$(npx authmachine secret)"
`

/**
 * Prints a new secret, or writes it into a file of environment variables.
 *
 * @throws {CommandError} when the file holds a secret, or cannot be read or written
 */
export async function runSecret(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArguments('secret', args, secretOptions)
  if (positionals.length > 0)
    throw new CommandError(`secret takes no arguments. To write into a file: --write ${positionals[0]}`, 2)
  const secret = randomText(randomBytes)
  if (values.write === undefined) return terminal.print(`${secret}\n`)
  const before = await readIfThere(values.write, terminal)
  await write(values.write, setVariable(before ?? '', secret, values.write), terminal)
  terminal.print(
    `${variable} is in ${values.write}. Keep that file out of version control.\n` +
      `To load it, start your application with node --env-file=${values.write}, unless your framework reads the file.\n`,
  )
}

async function readIfThere(path: string, terminal: Terminal): Promise<string | undefined> {
  try {
    return await terminal.readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new CommandError(`${path} cannot be read: ${asError(error).message}`, 1)
  }
}

async function write(path: string, content: string, terminal: Terminal): Promise<void> {
  try {
    await terminal.writeFile(path, content, 0o600)
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${asError(error).message}`, 1)
  }
}

/** The same lines with the variable among them; an empty one, as templates have it, is filled. */
function setVariable(text: string, secret: string, path: string): string {
  const line = `${variable}="${secret}"`
  const held = [...text.matchAll(assignments)]
  if (held.some(({ 1: value = '' }) => !/^(''|"")?\s*(#.*)?$/.test(value))) throw alreadyHeld(path)
  const [empty] = held
  if (empty) return text.replace(empty[0], () => line)
  return text === '' || text.endsWith('\n') ? `${text}${line}\n` : `${text}\n${line}\n`
}

function alreadyHeld(path: string): CommandError {
  return new CommandError(
    `${path} holds an ${variable} already, and nothing was written:
another one in its place would sign everybody out.

To change it without that, give what authmachine secret prints the name
${variable}_1, beside the old one. New sessions are sealed with it, and the old
ones still open. Take the old one out when they have expired.`,
    1,
  )
}
