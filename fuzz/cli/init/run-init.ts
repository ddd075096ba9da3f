import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { parseArgs } from 'node:util'
import { escapeLines } from 'authmachine/instrumented'
import { UsageError } from '../options.ts'
import { askQuestions, checkAnswers, presetNames, type Ask } from './ask-questions.ts'
import { composeDescription, findMissing } from './compose-description.ts'
import { questionNames, questions, type Answers, type QuestionName } from './questions.ts'

/** Where `init` writes, and how it asks the user. */
export interface Terminal {
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  /** Absent if nobody can answer. */
  readonly ask?: Ask
}

const width = Math.max(...questionNames.map((name) => nameOption(name).length))

/** The output of `authmachine-conformance init --help`. */
export const initHelp = `Writes a description of an application with custom routes, for --target.

Usage: authmachine-conformance init [<url of the application>] [options]

Options:
${questionNames.map(describeOption).join('\n')}
  ${'--target <file>'.padEnd(width)}  the file to write (default: target.json); an existing file is not overwritten

Presets: ${presetNames.join(', ')}. Without one, --sign-in, --session and --user are required.
On a terminal, init asks for what is missing. A request is its method, its path, and a form or JSON object:
'POST /enter with={provider}&next={returnTo}'.

Exit codes: 0 written, 2 an error or a missing option.
`

/**
 * Runs `authmachine-conformance init`.
 *
 * @returns the exit code
 * @throws {UsageError} if an option is invalid, or the file exists
 */
export async function runInit(args: readonly string[], { print, complain, ask }: Terminal): Promise<number> {
  const { help, target: file, url, given } = readInitOptions(args)
  if (help) {
    print(initHelp)
    return 0
  }
  if (existsSync(file)) throw alreadyThere(file)
  checkAnswers(given)
  const isAsking = ask !== undefined && findMissing(given).length > 0
  const answers = isAsking ? await askQuestions(given, { ask, print }) : given
  const missing = findMissing(answers)
  if (missing.length > 0) {
    complain(`The description is not complete. Add:\n\n${missing.map(describeOption).join('\n')}\n`)
    return 2
  }
  await writeNew(file, `${JSON.stringify(composeDescription(answers), null, 2)}\n`)
  const next = `npx authmachine-conformance ${quote(url)} --target ${quote(file)} --describe`
  print(
    escapeLines(
      `Wrote ${file}. Configure the application with the addresses of the oracle, start it, and try the description:\n\n  ${next}\n`,
    ),
  )
  return 0
}

function readInitOptions(args: readonly string[]) {
  const { values, positionals } = parse(args)
  const { help = false, target, ...given } = values
  const [url = 'http://localhost:3000', ...rest] = positionals
  if (!/^https?:\/\//.test(url) || !URL.canParse(url) || rest.length > 0)
    throw new UsageError(
      `Expected init to have one argument, the URL of the application, got "${positionals.join(' ')}"`,
    )
  if (extname(target) !== '.json')
    throw new UsageError(`Expected --target to be the name of a .json file, got "${target}"`)
  return { help, target, url, given: given as Answers }
}

function parse(args: readonly string[]) {
  const texts = Object.fromEntries(questionNames.map((name) => [name, { type: 'string' }])) as Record<
    QuestionName,
    { type: 'string' }
  >
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...texts,
        target: { type: 'string', default: 'target.json' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function nameOption(name: QuestionName): string {
  return `--${name} <${questions[name].value}>`
}

function describeOption(name: QuestionName): string {
  const { asks, example } = questions[name]
  return `  ${nameOption(name).padEnd(width)}  ${asks}, such as ${quote(example)}`
}

/** Writes a new file. @throws {UsageError} if it already exists */
async function writeNew(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content, { flag: 'wx' }).catch((error: unknown) => {
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST' ? alreadyThere(file) : error
  })
}

function alreadyThere(file: string): UsageError {
  return new UsageError(
    `${file} already exists and was not changed. Remove it, or choose another file with --target`,
  )
}

/** Quotes a word for a shell, if necessary. */
function quote(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
