import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../../src/config/create-logger.ts'
import { settingsOf } from '../../src/config/derive-settings.ts'
import * as errors from '../../src/errors.ts'
import { platform } from '../../src/types/symbols.ts'
import type { LoggerInstance } from '../../src/types/logger.ts'
import { secret } from './derive.ts'

/** Console output by level, one text per call. */
function listen() {
  const written = { error: [] as string[], warn: [] as string[], log: [] as string[] }
  for (const level of ['error', 'warn', 'log'] as const)
    vi.spyOn(console, level).mockImplementation(
      (...parts: unknown[]) => void written[level].push(parts.join(' ')),
    )
  return written
}

const weakSecret =
  '[auth][warn][weak-secret] A secret has fewer than 32 bytes, so it may be guessed. ' +
  'Create a secret with `npx authmachine secret --write .env.local`. ' +
  'See "weak-secret" in the authmachine guide "Troubleshooting".'

afterEach(() => vi.restoreAllMocks())

describe('without a logger', () => {
  it('CFG-020 WIR-060 writes errors and warnings to the console', async () => {
    const written = listen()
    const logger = createLogger({})
    logger.error(new errors.AccessDenied('nobody'))
    logger.warn('weak-secret')
    await vi.dynamicImportSettled()
    expect(written.error[0]).toBe('[auth][error] AccessDenied: nobody')
    expect(written.warn).toEqual([weakSecret])
    expect(written.log).toEqual([])
  })

  it('CFG-011 CFG-012 WIR-060 writes debug messages only if debug is on', () => {
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

  it('ERR-002 writes the cause of a cause, such as the reason of a store', async () => {
    const written = listen()
    const refused = new Error('connect ECONNREFUSED')
    const store = new errors.AdapterError('getUser failed', { err: refused })
    createLogger({}).error(new errors.SessionTokenError('no session', { err: store }))
    await expect.poll(() => written.error.join('\n')).toContain('[auth][cause] Error: connect ECONNREFUSED')
    refused.cause = refused
    createLogger({}).error(refused)
    expect(written.error.filter((line) => line.includes('ECONNREFUSED')).length).toBeLessThan(10)
  })

  it('ERR-002 WIR-060 writes the cause of an error, its details and help', async () => {
    const written = listen()
    const cause = new TypeError('deep inside')
    createLogger({}).error(new errors.CallbackRouteError('outside', { err: cause, provider: 'acme' }))
    await vi.dynamicImportSettled()
    expect(written.error).toHaveLength(4)
    expect(written.error[0]).toBe('[auth][error] CallbackRouteError: outside')
    expect(written.error[1]).toContain('[auth][cause] TypeError: deep inside')
    expect(written.error[2]?.replace(/\s+/g, ' ')).toBe('[auth][details] { "provider": "acme" }')
    expect(written.error[3]).toMatch(/^\[auth\]\[help\] The library could not complete/)
  })

  it('IL-09 escapes line breaks and control characters in errors, warnings and debug metadata', async () => {
    const written = listen()
    const forged = 'x\n[auth][error] AccessDenied: forged\u001b]52;c;eA==\u0007\u009b1m\u202e\u3164\ufe0f'
    const logger = createLogger({ debug: true })
    logger.error(new errors.InvalidCheck(forged))
    logger.error(new errors.AdapterError('outside', { err: new Error(forged), value: forged }))
    logger.error(Object.assign(new Error(forged), { name: forged }))
    logger.warn('unknown-option', forged)
    logger.debug(forged, { forged })
    await vi.dynamicImportSettled()
    const lines = Object.values(written)
      .flat()
      .flatMap((text) => text.split('\n'))
    expect(lines.filter((line) => line.startsWith('[auth][error] AccessDenied'))).toEqual([])
    expect(lines.filter((line) => /[\p{Cc}\p{Cf}\p{DI}]/u.test(line))).toEqual([])
    expect(lines.filter((line) => line.includes('forged')).length).toBeGreaterThanOrEqual(6)
    expect(lines.filter((line) => /^ {4}at /.test(line)).length).toBeGreaterThan(3)
  })

  it('CFG-020 settings without a logger use the console', async () => {
    const written = listen()
    // Warnings are remembered per clock.
    const config = { providers: [], trustHost: true, [platform]: { now: () => 0 } }
    settingsOf({ ...config, secret: 'short' })
    settingsOf({ ...config, secret })
    await vi.dynamicImportSettled()
    expect(written.warn).toEqual([weakSecret])
  })
})

describe('a logger', () => {
  it('CFG-021 DEC-03a receives an error, a code, and a message with metadata', () => {
    const received: unknown[][] = []
    const record =
      (level: string) =>
      (...args: unknown[]) =>
        void received.push([level, ...args])
    const logger = createLogger({
      logger: { error: record('error'), warn: record('warn'), debug: record('debug') },
    })
    const error = new errors.AuthError('x')
    logger.error(error)
    logger.warn('weak-secret')
    logger.warn('unknown-option', 'sesion is unknown')
    logger.debug('flow', { ended: 'signedIn' })
    expect(received).toEqual([
      ['error', error],
      ['warn', 'weak-secret'],
      ['warn', 'unknown-option', 'sesion is unknown'],
      ['debug', 'flow', { ended: 'signedIn' }],
    ])
  })

  it('CFG-021 WIR-060 that lacks a method leaves its level to the console', async () => {
    const written = listen()
    const received: string[] = []
    const note = (text: string) => void received.push(text)
    createLogger({ logger: { warn: note } }).error(new errors.AuthError('one'))
    createLogger({ logger: { error: ({ message }) => note(message), warn: undefined } }).warn('debug-enabled')
    createLogger({ debug: true, logger: { warn: note } }).debug('three')
    createLogger({ logger: { warn: note } }).debug('four')
    await vi.dynamicImportSettled()
    expect(written.error[0]).toBe('[auth][error] AuthError: one')
    expect(written.warn).toEqual([expect.stringMatching(/^\[auth\]\[warn\]\[debug-enabled\] `debug` is on/)])
    expect(written.log.map((line) => line.trim())).toEqual(['[auth][debug] three'])
    expect(received).toEqual([])
  })

  it('WIR-060 receives debug messages whether debug is on or off, as methods with their own `this`', () => {
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

  it('FI-07 cannot fail a request by throwing or rejecting', async () => {
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

describe('a log entry', () => {
  it('DEC-03b names the type of every error, and links to no other project', () => {
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
