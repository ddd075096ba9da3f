import { systemPlatform } from '../clock.ts'
import { platform } from '../symbols.ts'
import type { AuthConfig, WarningCode } from '../types/config.ts'
import { createLogger } from './create-logger.ts'

/** Warnings that are remembered; an environment or a configuration gives rise to a few. */
const limit = 100

/** By the clock, so that applications under test are told again. */
const toldByClock = new WeakMap<object, Set<string>>()

/**
 * Logs a warning unless it was logged before. It is identified by its code and its details, because integrations make a
 * configuration, and with it a logger, for each request.
 */
export function warnOnce(
  config: Pick<AuthConfig, 'debug' | 'logger' | typeof platform>,
  code: WarningCode,
  details?: string,
): void {
  const clock = config[platform]?.now ?? systemPlatform.now
  const told = toldByClock.get(clock) ?? new Set()
  toldByClock.set(clock, told)
  const key = `${code} ${details ?? ''}`
  if (told.has(key)) return
  if (told.size >= limit) told.clear()
  told.add(key)
  if (details === undefined) createLogger(config).warn(code)
  else createLogger(config).warn(code, details)
}
