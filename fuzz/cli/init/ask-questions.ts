import { createInterface } from 'node:readline/promises'
import { escapeControls } from 'authmachine/instrumented'
import { presets } from '../../targets/described/presets.ts'
import { readDescription } from '../../targets/described/read-description.ts'
import { UsageError } from '../options.ts'
import { composeDescription, describePreset, findMissing } from './compose-description.ts'
import { questionNames, questions, type Answers, type QuestionName } from './questions.ts'

/** Asks the user. @returns the answer; nothing if the input ended */
export type Ask = (question: string) => Promise<string | undefined>

/**
 * Asks for the missing answers, and repeats a question until its answer is valid.
 *
 * @throws {UsageError} if the input ends before the last answer
 */
export async function askQuestions(
  given: Answers,
  { ask, print }: { readonly ask: Ask; readonly print: (text: string) => void },
): Promise<Answers> {
  print('Press Enter to accept the value in brackets, or to skip an optional question.\n')
  let answers = given
  for (const name of questionNames) {
    if (given[name] !== undefined || (name === 'link' && answers.mail === undefined)) continue
    answers = await askOne(name)
  }
  return answers

  async function askOne(name: QuestionName): Promise<Answers> {
    const answer = (await ask(phrase(name, answers)))?.trim()
    if (answer === undefined)
      throw new UsageError('The input ended before the last answer: nothing was written')
    if (answer === '') {
      if (!findMissing(answers).includes(name)) return answers
      print('This answer is required.\n')
      return askOne(name)
    }
    const next = { ...answers, [name]: answer }
    try {
      checkAnswers(next)
      return next
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      print(`${escapeControls(error.message)}\n`)
      return askOne(name)
    }
  }
}

function phrase(name: QuestionName, answers: Answers): string {
  const { asks, example } = questions[name]
  const preset = describePreset(answers.preset, name)
  const isNeeded = findMissing(answers).includes(name)
  const hint = name === 'preset' ? `: ${presetNames.join(', ')}` : `, such as ${example}`
  const question = `${asks.slice(0, 1).toUpperCase()}${asks.slice(1)}`
  if (preset !== undefined) return `${question} [${preset}]: `
  return `${question}${hint}${isNeeded ? '' : ' (optional)'}: `
}

/** The presets that a description can start from. */
export const presetNames = Object.keys(presets).filter((name) => name !== 'authjs')

/** Checks the answers so far as a description, whose missing members a preset fills. @throws {UsageError} */
export function checkAnswers(answers: Answers): void {
  if (answers.preset === 'authjs')
    throw new UsageError(
      'An application with the routes of Auth.js needs no description: run the oracle without --target',
    )
  const filler = { preset: 'generic-oidc', ...(answers.mail !== undefined && { link: '/' }) }
  try {
    readDescription(composeDescription({ ...filler, ...answers }))
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Asks on the terminal of the process. Ctrl-C and Ctrl-D end the input. */
export async function askOnTerminal(question: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const closed = new Promise<undefined>((resolve) => void lines.once('close', () => resolve(undefined)))
  try {
    const answer = await Promise.race([lines.question(question), closed])
    if (answer === undefined) process.stdout.write('\n')
    return answer
  } catch {
    return undefined
  } finally {
    lines.close()
  }
}
