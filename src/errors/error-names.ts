import { AuthError } from './classes.ts'
import { findConnectionProblem } from './connection-problem.ts'
import { errorTexts } from './explanations.ts'

const builtIn: ReadonlySet<string> = new Set([
  'AbortError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TimeoutError',
  'TypeError',
])

/** Maximum number of names. Longer chains add no information. */
const longest = 4

/**
 * Returns the type of an error and of its causes: types of this library and of the language, and `Error` for all
 * others. The last name says why a server could not be reached, if that is the cause. Messages and other names may
 * contain any data and are only in the log.
 */
export function nameErrors(error: Error | undefined): readonly string[] {
  const names: string[] = []
  for (let each: unknown = error; each instanceof Error && names.length < longest; each = causeOf(each)) {
    const name = nameOf(each)
    // As a cause, `Error` adds no information.
    if (name !== 'Error' || names.length === 0) names.push(name)
    if (name === 'Error') break
  }
  const problem = findConnectionProblem(error)
  return problem ? [...names, problem] : names
}

function nameOf(error: Error): string {
  if (error instanceof AuthError && Object.hasOwn(errorTexts, error.type)) return error.type
  return builtIn.has(error.name) ? error.name : 'Error'
}

function causeOf(error: Error): unknown {
  return error instanceof AuthError ? error.cause?.err : undefined
}
