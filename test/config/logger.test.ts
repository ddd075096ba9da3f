import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../../src/config/create-logger.ts'
import { settingsOf } from '../../src/config/derive-settings.ts'
import * as errors from '../../src/errors.ts'
import type { LoggerInstance } from '../../src/types/config.ts'
import { secret } from './derive.ts'

/** What comes out on the console, by level, one text a call. */
function listen() {
  const written = { error: [] as string[], warn: [] as string[], log: [] as string[] }
  for (const level of ['error', 'warn', 'log'] as const)
    vi.spyOn(console, level).mockImplementation(
      (...parts: unknown[]) => void written[level].push(parts.join(' ')),
    )
  return written
}

afterEach(() => vi.restoreAllMocks())

describe('without a logger', () => {
  it('CFG-020 WIR-060 errors and warnings go to the console', () => {
    const written = listen()
    const logger = createLogger({})
    logger.error(new errors.AccessDenied('nobody'))
    logger.warn('weak-secret')
    expect(written.error[0]).toBe('[auth][error] AccessDenied: nobody')
    expect(written.warn).toEqual(['[auth][warn][weak-secret]'])
    expect(written.log).toEqual([])
  })

  it('CFG-011 CFG-012 WIR-060 debug is silent unless debug is on', () => {
    const written = listen()
    createLogger({}).debug('hidden')
    createLogger({ debug: false }).debug('hidden')
    createLogger({ debug: true }).debug('shown', { path: 'a' })
    createLogger({ debug: true }).debug('bare')
    expect(written.log.map((line) => line.replace(/\s+/g, ' ').trim())).toEqual([
      '[auth][debug] shown { "path": "a" }',
      '[auth][debug] bare',
    ])
  })

  it('ERR-002 WIR-060 an error shows its cause and the facts that came with it', () => {
    const written = listen()
    const cause = new TypeError('deep inside')
    createLogger({}).error(new errors.CallbackRouteError('outside', { err: cause, provider: 'acme' }))
    expect(written.error).toHaveLength(3)
    expect(written.error[0]).toBe('[auth][error] CallbackRouteError: outside')
    expect(written.error[1]).toContain('[auth][cause] TypeError: deep inside')
    expect(written.error[2]?.replace(/\s+/g, ' ')).toBe('[auth][details] { "provider": "acme" }')
  })

  it('CFG-020 the console is used by settings that have no logger', () => {
    const written = listen()
    settingsOf({ providers: [], trustHost: true, secret: 'short' })
    settingsOf({ providers: [], trustHost: true, secret })
    expect(written.warn).toEqual(['[auth][warn][weak-secret]'])
  })
})

describe('a logger', () => {
  it('CFG-021 DEC-03a gets an error, a code, and a message with metadata', () => {
    const told: unknown[][] = []
    const record =
      (level: string) =>
      (...args: unknown[]) =>
        void told.push([level, ...args])
    const logger = createLogger({
      logger: { error: record('error'), warn: record('warn'), debug: record('debug') },
    })
    const error = new errors.AuthError('x')
    logger.error(error)
    logger.warn('weak-secret')
    logger.warn('unknown-option', 'sesion is unknown')
    logger.debug('flow', { ended: 'signedIn' })
    expect(told).toEqual([
      ['error', error],
      ['warn', 'weak-secret'],
      ['warn', 'unknown-option', 'sesion is unknown'],
      ['debug', 'flow', { ended: 'signedIn' }],
    ])
  })

  it('CFG-021 WIR-060 leaves the levels it does not have to the console', () => {
    const written = listen()
    const told: string[] = []
    const note = (text: string) => void told.push(text)
    createLogger({ logger: { warn: note } }).error(new errors.AuthError('one'))
    createLogger({ logger: { error: ({ message }) => note(message), warn: undefined } }).warn('debug-enabled')
    createLogger({ debug: true, logger: { warn: note } }).debug('three')
    createLogger({ logger: { warn: note } }).debug('four')
    expect(written.error[0]).toBe('[auth][error] AuthError: one')
    expect(written.warn).toEqual(['[auth][warn][debug-enabled]'])
    expect(written.log.map((line) => line.trim())).toEqual(['[auth][debug] three'])
    expect(told).toEqual([])
  })

  it('WIR-060 gets debug messages whether debug is on or not, and has itself for this', () => {
    class Counter implements Partial<LoggerInstance> {
      [level: string]: unknown
      count = 0
      debug() {
        this.count++
      }
      warn() {
        this.count++
      }
      error() {
        this.count++
      }
    }
    const counter = new Counter()
    const logger = createLogger({ logger: counter })
    logger.debug('a')
    logger.warn('debug-enabled')
    logger.error(new Error('x'))
    expect(counter.count).toBe(3)
  })

  it('FI-07 that throws, or rejects, is not noticed', async () => {
    const rejections: unknown[] = []
    const note = (reason: unknown) => void rejections.push(reason)
    process.on('unhandledRejection', note)
    for (const broken of [explode, () => Promise.reject(new Error('late')) as never]) {
      const logger = createLogger({ logger: { error: broken, warn: broken, debug: broken } })
      expect(() => logger.error(new Error('x'))).not.toThrow()
      expect(() => logger.warn('debug-enabled')).not.toThrow()
      expect(() => logger.debug('x')).not.toThrow()
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
    process.off('unhandledRejection', note)
    expect(rejections).toEqual([])
  })
})

describe('what is logged', () => {
  it('DEC-03b names the type of every error, and leads to no other project', () => {
    const written = listen()
    const logger = createLogger({})
    for (const [name, type] of Object.entries(errors)) {
      if (!isErrorClass(type)) continue
      const error = new type('what happened')
      written.error.length = 0
      logger.error(error)
      expect(error.message).toBe('what happened')
      expect(String(error)).toBe(`${name}: what happened`)
      expect(written.error[0]).toBe(`[auth][error] ${name}: what happened`)
      expect(written.error.join('\n').replaceAll(import.meta.dirname, '')).not.toMatch(/https?:|authjs\.dev/)
    }
  })
})

function explode(): never {
  throw new Error('the logger is broken')
}

function isErrorClass(value: unknown): value is typeof errors.AuthError {
  return typeof value === 'function' && value.prototype instanceof Error
}
