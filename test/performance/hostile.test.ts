import { describe, expect, it } from 'vitest'
import { createAuth } from '../../src/index.ts'
import { getToken } from '../../src/jwt.ts'
import * as app from '../bench/application.ts'
import { compareCosts, highestRatio } from './hostile-cost.ts'
import { openHostile } from './hostile.ts'

/** Countable work, which does not depend on the machine. */
interface Work {
  /** Characters processed by text, JSON and escape functions. */
  characters: number
  exceptions: number
  /** Characters that were searched for a semicolon, by text. */
  readonly searched: Map<string, number>
}

type Method = (this: string, ...args: unknown[]) => unknown

/** Counts the work of a function. */
async function countWork(run: () => unknown): Promise<Work> {
  const work: Work = { characters: 0, exceptions: 0, searched: new Map() }
  const undo: (() => void)[] = []
  const replace = (owner: object, name: string, wrap: (original: Method) => Method) => {
    const original = Reflect.get(owner, name) as Method
    Object.defineProperty(owner, name, { value: wrap(original), configurable: true, writable: true })
    undo.push(() =>
      Object.defineProperty(owner, name, { value: original, configurable: true, writable: true }),
    )
  }
  const search = (text: string, separator: unknown, length: number) => {
    work.characters += length
    if (separator === ';') work.searched.set(text, (work.searched.get(text) ?? 0) + length)
  }
  for (const name of ['indexOf', 'includes'])
    replace(
      String.prototype,
      name,
      (original) =>
        function (separator, from) {
          const found = original.call(this, separator, from)
          const end = typeof found === 'number' && found >= 0 ? found + 1 : this.length
          search(String(this), separator, Math.max(0, end - Number(from ?? 0)))
          return found
        },
    )
  for (const name of ['split', 'replace', 'replaceAll'])
    replace(
      String.prototype,
      name,
      (original) =>
        function (...args) {
          search(String(this), args[0], this.length)
          return original.apply(this, args)
        },
    )
  for (const [owner, name] of [
    [globalThis, 'decodeURIComponent'],
    [JSON, 'parse'],
  ] as const)
    replace(
      owner,
      name,
      (original) =>
        function (...args) {
          work.characters += String(args[0]).length
          try {
            return original.apply(this, args)
          } catch (error) {
            work.exceptions++
            throw error
          }
        },
    )
  try {
    await run()
  } finally {
    for (const restore of undo) restore()
  }
  return work
}

/**
 * The work that an attack may cause in addition to three times the work of a well-formed input, because error messages
 * differ.
 */
const allowance = 60_000
const hostile = await openHostile()

describe('a hostile input', () => {
  it.each(hostile)(
    'LM-11 $parser, $name: causes no more work than a well-formed one',
    async ({ attack, plain }) => {
      // The first run loads modules, so it does not count.
      await plain()()
      const usual = await countWork(plain())
      const work = await countWork(attack())
      expect(work.characters).toBeLessThan(3 * usual.characters + allowance)
      // One for a rejected body, document or token.
      expect(work.exceptions).toBeLessThanOrEqual(3)
    },
  )

  it.each(hostile)(
    'LM-11 LM-14 $parser, $name: costs at most three times as much as a well-formed one',
    async (input) => {
      expect((await compareCosts(input)).ratio).toBeLessThanOrEqual(highestRatio)
    },
  )

  it('the counts include searches, parsing and exceptions', async () => {
    const work = await countWork(() => {
      'a;b;c'.split(';')
      'a;b;c'.indexOf(';', 2)
      JSON.parse('[1]')
      try {
        decodeURIComponent('%')
      } catch {}
    })
    expect(work).toEqual({ characters: 5 + 2 + 3 + 1, exceptions: 1, searched: new Map([['a;b;c', 7]]) })
  })
})

describe('a Cookie header', () => {
  const name = app.cookies.session
  const pieces = Array.from({ length: 10 }, (_, n) => `${name}.${n}=%`).join(';')
  const cookie = `${pieces};${app.heldCookies};${'a=%;'.repeat(400)}b=1`
  const { handler } = createAuth({ ...app.configure(), logger: { error() {}, warn() {}, debug() {} } })
  const ask = (path: string, init: RequestInit = {}) =>
    handler(new Request(`${app.origin}${app.basePath}/${path}`, { ...init, headers: { cookie } }))

  it.each([
    ['the session', () => ask('session')],
    ['the CSRF token', () => ask('csrf')],
    ['the sign-in page', () => ask('signin')],
    ['a callback', () => ask('callback/plain?code=x&state=y')],
    ['a sign-in', () => ask('signin/plain', { method: 'POST' })],
    ['a sign-out', () => ask('signout', { method: 'POST' })],
    ['getToken', () => getToken({ req: { headers: { cookie } }, secret: app.secret, cookieName: name })],
  ])('LM-08 is scanned once for %s', async (_, run) => {
    const { searched, exceptions } = await countWork(run)
    expect(searched.get(cookie)).toBe(cookie.length)
    expect(exceptions).toBe(0)
  })
})
