import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import { parseArgs } from 'node:util'
import { escapeLines } from 'authmachine/instrumented'
import { describeTrial } from '../../targets/described/try-description.ts'
import { firstPort } from '../../world/places.ts'
import { readNumber, UsageError } from '../options.ts'
import { askQuestions, checkAnswers, presetNames, type Ask } from './ask-questions.ts'
import { composeDescription, findMissing } from './compose-description.ts'
import { composeWorkflow } from './compose-workflow.ts'
import type { Asking } from './learn/ask-application.ts'
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

Start the application with the addresses of the oracle first. init then signs in like a visitor, and
learns from the responses what the options do not say. On a terminal, it asks for what is missing.

Options:
${questionNames.map(describeOption).join('\n')}
  ${'--target <file>'.padEnd(width)}  the file to write (default: target.json); an existing file is not overwritten
  ${'--workflow <file>'.padEnd(width)}  also write a workflow, such as .github/workflows/conformance.yml
  ${'--port <number>'.padEnd(width)}  the first of the oracle’s ports (default: ${firstPort})
  ${'--keys <file>'.padEnd(width)}  keep the keys of the oracle’s providers in a file

Presets: ${presetNames.slice(0, 5).join(', ')},
${presetNames.slice(5).join(', ')}.
init recognises a preset by its callback and session cookie. With --preset, or with --sign-in, --session
and --user, it does not ask the application.
A request is its method, its path, and a form or JSON object: 'POST /enter with={provider}&next={returnTo}'.

Exit codes: 0 written, 2 an error or a missing option.
`

/**
 * Runs `authmachine-conformance init`.
 *
 * @returns the exit code
 * @throws {UsageError} if an option is invalid, or the file exists
 */
export async function runInit(args: readonly string[], { print, complain, ask }: Terminal): Promise<number> {
  const options = readInitOptions(args)
  const { target: file, url, given, workflow } = options
  if (options.help) {
    print(initHelp)
    return 0
  }
  for (const each of [file, ...(workflow === undefined ? [] : [workflow])])
    if (existsSync(each)) throw alreadyThere(each)
  checkAnswers(given)
  const tell = (text: string) => print(escapeLines(text))
  const learned = findMissing(given).length > 0 ? await askApplication(options) : undefined
  if (learned && 'authJs' in learned) {
    const { authJs } = learned
    tell(
      `The application has the routes of Auth.js, which need no description. Test it:\n\n  ${nameRun(options, authJs)}\n`,
    )
    if (workflow !== undefined)
      await writeNew(workflow, composeWorkflow({ ...options, url: authJs, target: undefined }))
    return 0
  }
  for (const gap of learned?.gaps ?? []) complain(`${gap}\n`)
  const known = { ...learned?.answers, ...given }
  const isAsking = ask !== undefined && findMissing(known).length > 0
  const answers = isAsking ? await askQuestions(known, { ask, print }) : known
  const missing = findMissing(answers)
  if (missing.length > 0) {
    complain(
      `The description is not complete. Add:\n\n${missing.map(describeOption).join('\n')}\n\nor start from a preset, such as --preset passport: ${presetNames.join(', ')}\n`,
    )
    return 2
  }
  await writeNew(file, `${JSON.stringify(composeDescription(answers), null, 2)}\n`)
  if (workflow !== undefined) await writeNew(workflow, composeWorkflow({ ...options, target: file }))
  if (!learned) {
    tell(
      `Wrote ${file}. Configure the application with the addresses of the oracle, start it, and try the description:\n\n  ${nameRun(options, url, file)} --describe\n`,
    )
    return 0
  }
  const start =
    known.preset === undefined || known.preset === given.preset
      ? ''
      : `, which starts from the preset ${known.preset}`
  tell(
    `Wrote ${file}${start}:\n\n${await tryFile(options)}\nCorrect the members that do not fit, and add members that are unused but exist. Then test the application:\n\n  ${nameRun(options, url, file)}\n`,
  )
  return 0
}

/** Signs in by the description that was written. @returns which of its members fit */
async function tryFile({ url, target, port, keys }: ReturnType<typeof readInitOptions>): Promise<string> {
  const [{ loadDescription }, { tryUrl }] = await Promise.all([
    import('../../targets/described/load-description.ts'),
    import('../../targets/url.ts'),
  ])
  const { description } = await loadDescription(target)
  if (!description) return ''
  const trials = await tryUrl({ url, port: readPort(port), ...(keys !== undefined && { keys }) }, description)
  return trials.map((trial) => `  ${describeTrial(trial)}\n`).join('')
}

/** Probes a running application on this machine. Does not probe others, because nobody has confirmed who owns them. */
async function askApplication({ url, port, keys }: ReturnType<typeof readInitOptions>): Promise<Asking> {
  if (!['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)) return undefined
  const { askApplication: learn } = await import('./learn/ask-application.ts')
  return learn({ url, port: readPort(port), ...(keys !== undefined && { keys }) })
}

function readPort(port: string | undefined): number {
  return port === undefined ? firstPort : readNumber('--port', port)
}

/** Returns the command that tests the application. */
function nameRun({ port, keys }: ReturnType<typeof readInitOptions>, url: string, file?: string): string {
  return [
    `npx authmachine-conformance ${quote(url)}`,
    ...(file === undefined ? [] : [`--target ${quote(file)}`]),
    ...(port === undefined ? [] : [`--port ${quote(port)}`]),
    ...(keys === undefined ? [] : [`--keys ${quote(keys)}`]),
  ].join(' ')
}

function readInitOptions(args: readonly string[]) {
  const { values, positionals } = parse(args)
  const { help = false, target, workflow, port, keys, ...given } = values
  const [url = 'http://localhost:3000', ...rest] = positionals
  if (!/^https?:\/\//.test(url) || !URL.canParse(url) || rest.length > 0)
    throw new UsageError(
      `Expected init to have one argument, the URL of the application, got "${positionals.join(' ')}"`,
    )
  if (extname(target) !== '.json')
    throw new UsageError(`Expected --target to be the name of a .json file, got "${target}"`)
  readPort(port)
  return { help, target, url: url.replace(/\/$/, ''), workflow, port, keys, given: given as Answers }
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
        workflow: { type: 'string' },
        port: { type: 'string' },
        keys: { type: 'string' },
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
