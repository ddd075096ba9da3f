import { AuthError } from '../errors.ts'
import type { AuthConfig, LoggerInstance } from '../types/config.ts'

/** The user's logger, its missing levels filled by the console, and none of them able to throw. */
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

/** A logger that throws, at once or later, must not change what a flow does; there is nobody left to tell. */
function guard<A extends unknown[]>(log: (...args: A) => unknown): (...args: A) => void {
  return (...args) => {
    try {
      const logged = log(...args)
      if (logged instanceof Promise) logged.catch(() => undefined)
    } catch {
      // As above.
    }
  }
}

function logError(error: Error): void {
  const name = error instanceof AuthError ? error.type : error.name
  console.error(`[auth][error] ${name}: ${error.message}`)
  const cause: unknown = error.cause
  const inner = typeof cause === 'object' && cause !== null ? (cause as { err?: unknown }).err : cause
  if (inner instanceof Error) console.error(`[auth][cause] ${inner.stack ?? inner.message}`)
  else if (error.stack) console.error(error.stack.replace(/.*/, '').slice(1))
  if (typeof cause === 'object' && cause !== null) {
    const { err: _err, ...details } = cause as Record<string, unknown>
    if (Object.keys(details).length > 0) console.error('[auth][details]', JSON.stringify(details, null, 2))
  }
}

function logWarning(code: string, details?: string): void {
  console.warn(`[auth][warn][${code}]${details === undefined ? '' : ` ${details}`}`)
}

function logDebug(message: string, metadata?: unknown): void {
  console.log(`[auth][debug] ${message}`, metadata === undefined ? '' : JSON.stringify(metadata, null, 2))
}
