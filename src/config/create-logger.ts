import { asError } from '../errors/as-error.ts'
import { listCauses } from '../errors/connection-problem.ts'
import { AuthError } from '../errors/classes.ts'
import { escapeControls, escapeLines } from '../text/escape-controls.ts'
import { type MaybePromise, whenReady } from '../async/maybe-promise.ts'
import { onceLoaded } from '../async/once.ts'
import type { AuthConfig } from '../types/config.ts'
import type { LoggerInstance } from '../types/logger.ts'

/** Completes the user's logger: the console fills in missing levels, and no level throws. */
export function createLogger(config: Pick<AuthConfig, 'debug' | 'logger'>): LoggerInstance {
  const own = config.logger ?? {}
  const isOwn = (level: 'error' | 'warn' | 'debug') => typeof own[level] === 'function'
  const logger: LoggerInstance = {
    ...own,
    error: guard((error) => (isOwn('error') ? own.error?.(error) : logError(error))),
    warn: guard((...told) => (isOwn('warn') ? own.warn?.(...told) : logWarning(...told))),
    debug: guard((message, metadata) => {
      if (isOwn('debug')) return own.debug?.(message, metadata)
      return config.debug ? logDebug(message, metadata) : undefined
    }),
  }
  // All requests share it, and the application's own `authorize` on a `Password` provider gets it.
  return Object.freeze(logger)
}

/** A logger that throws or rejects must not change the result of a flow. */
function guard<A extends unknown[]>(log: (...args: A) => unknown): (...args: A) => void {
  return (...args) => {
    try {
      const logged = log(...args)
      if (logged instanceof Promise) logged.catch(() => undefined)
    } catch {
      // See above.
    }
  }
}

/** Most processes never log an error or a warning. */
const loadExplanations = onceLoaded(() => import('../errors/explanations.ts'))

/**
 * Messages may quote text from clients, providers or adapters. Line breaks are escaped, because they could forge log
 * entries. The explanation comes last, because it may have to be loaded.
 */
function logError(error: Error): MaybePromise<void> {
  const name = error instanceof AuthError ? error.type : error.name
  console.error(`[auth][error] ${describe(name, error)}`)
  const [, ...causes] = listCauses(error)
  // An error that was given to an AuthError has the same message.
  for (const each of causes.filter((cause) => cause === causes.at(-1) || cause.message !== error.message))
    console.error(`[auth][cause] ${[describe(each.name, each), framesOf(each)].filter(Boolean).join('\n')}`)
  if (causes.length === 0 && framesOf(error) !== '') console.error(framesOf(error))
  const cause: unknown = error.cause
  if (typeof cause === 'object' && cause !== null && !(cause instanceof Error)) {
    const { err: _err, ...details } = cause as Record<string, unknown>
    if (Object.keys(details).length > 0) console.error('[auth][details]', writeJson(details))
  }
  return error instanceof AuthError ? logHelp(error) : undefined
}

function logHelp(error: AuthError): MaybePromise<void> {
  return whenReady(loadExplanations(), ({ explainError, nameExplanation, writeExplanation }) => {
    const explanation = explainError(nameExplanation(error))
    if (explanation) console.error(`[auth][help] ${writeExplanation(explanation)}`)
  })
}

function describe(name: string, error: Error): string {
  const code: unknown = error instanceof AuthError ? undefined : Reflect.get(error, 'code')
  return escapeControls(`${name}${typeof code === 'string' ? ` [${code}]` : ''}: ${messageOf(error)}`)
}

/** If a connection fails on every address of a host, the error of Node has no message. */
function messageOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message
  return error.errors.map((each) => asError(each).message).join('; ')
}

/** Returns the stack frames without the lines above them, which repeat name and message. */
function framesOf({ stack = '', message }: Error): string {
  const below = stack.slice(Math.max(stack.indexOf(message), 0) + message.length)
  const frames = below.split('\n').filter((line) => /^ +at /.test(line))
  return escapeLines(frames.join('\n'))
}

function logWarning(code: string, details?: string): MaybePromise<void> {
  return whenReady(loadExplanations(), ({ explainWarning, writeExplanation }) => {
    const explanation = explainWarning(code)
    const escaped = details === undefined ? undefined : escapeControls(details.replace(/[^.?!]$/, '$&.'))
    const text = explanation ? writeExplanation(explanation, escaped) : (escaped ?? '')
    console.warn(`[auth][warn][${code}] ${text}`.trimEnd())
  })
}

function logDebug(message: string, metadata?: unknown): void {
  console.log(`[auth][debug] ${escapeControls(message)}`, metadata === undefined ? '' : writeJson(metadata))
}

function writeJson(value: unknown): string {
  return escapeLines(JSON.stringify(value, null, 2))
}
