import { AuthError } from '../errors.ts'
import { escapeControls, escapeLines } from '../escape-controls.ts'
import { type MaybePromise, whenReady } from '../maybe-promise.ts'
import { onceLoaded } from '../once.ts'
import type { AuthConfig } from '../types/config.ts'
import type { LoggerInstance } from '../types/logger.ts'

/** Completes the user's logger: the console fills in missing levels, and no level throws. */
export function createLogger(config: Pick<AuthConfig, 'debug' | 'logger'>): LoggerInstance {
  const own = config.logger ?? {}
  const isOwn = (level: 'error' | 'warn' | 'debug') => typeof own[level] === 'function'
  return {
    ...own,
    error: guard((error) => (isOwn('error') ? own.error?.(error) : logError(error))),
    warn: guard((...told) => (isOwn('warn') ? own.warn?.(...told) : logWarning(...told))),
    debug: guard((message, metadata) => {
      if (isOwn('debug')) return own.debug?.(message, metadata)
      return config.debug ? logDebug(message, metadata) : undefined
    }),
  }
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
const loadExplanations = onceLoaded(() => import('../explanations.ts'))

/**
 * Messages may quote text from clients, providers or adapters, so line breaks are escaped: they could forge log
 * entries. The help comes last, because it may have to be loaded.
 */
function logError(error: Error): MaybePromise<void> {
  const name = error instanceof AuthError ? error.type : error.name
  console.error(`[auth][error] ${describe(name, error)}`)
  const causes = listCauses(error)
  for (const cause of causes)
    console.error(
      `[auth][cause] ${[describe(cause.name, cause), framesOf(cause)].filter(Boolean).join('\n')}`,
    )
  if (causes.length === 0 && framesOf(error) !== '') console.error(framesOf(error))
  const { cause } = error
  if (typeof cause === 'object' && cause !== null) {
    const { err: _err, ...details } = cause as Record<string, unknown>
    if (Object.keys(details).length > 0) console.error('[auth][details]', writeJson(details))
  }
  return error instanceof AuthError ? logHelp(error) : undefined
}

/** An error may be its own cause. */
const maxCauses = 5

/** Lists the cause of an error, the cause of that, and so on. Errors of the library keep theirs in `cause.err`. */
function listCauses(error: Error): readonly Error[] {
  const causes: Error[] = []
  for (let inner = causeOf(error); inner && causes.length < maxCauses; inner = causeOf(inner))
    causes.push(inner)
  return causes
}

function causeOf({ cause }: Error): Error | undefined {
  const inner: unknown = typeof cause === 'object' && cause !== null && 'err' in cause ? cause.err : cause
  return inner instanceof Error ? inner : undefined
}

function logHelp({ type }: AuthError): MaybePromise<void> {
  return whenReady(loadExplanations(), ({ explainError, writeExplanation }) => {
    const explanation = explainError(type)
    if (explanation) console.error(`[auth][help] ${writeExplanation(explanation)}`)
  })
}

function describe(name: string, { message }: Error): string {
  return escapeControls(`${name}: ${message}`)
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
