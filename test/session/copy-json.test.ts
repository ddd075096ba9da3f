import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { copyJson } from '../../src/copies/copy-json.ts'
import { spread } from '../support/spread.ts'

const throughText = (value: unknown): unknown => {
  const text = JSON.stringify(value) as string | undefined
  return text === undefined ? undefined : JSON.parse(text)
}

const key = fc.oneof(fc.constantFrom('user', 'name', '__proto__', 'toJSON', 'constructor', '1'), fc.string())
const values = fc.oneof(
  fc.anything({ key, withDate: true, withSparseArray: true, withMap: true, withTypedArray: true }),
  fc.object({ key, values: [fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.constant(null)] }),
)

describe('a copy of what JSON keeps', () => {
  it('equals the value that was serialised and parsed', () => {
    const cases = spread('values copied as JSON')
    fc.assert(
      fc.property(values, (value) => {
        let expected: unknown
        try {
          expected = throughText(value)
        } catch (error) {
          cases.count('refused')
          expect(() => copyJson(value)).toThrow(error)
          return
        }
        const copy = copyJson(value)
        cases.count(typeof copy === 'object' && copy !== null ? 'object' : 'primitive')
        expect(isDeepStrictEqual(copy, expected)).toBe(true)
        expect(JSON.stringify(copy)).toBe(JSON.stringify(expected))
      }),
      { numRuns: 5000 },
    )
    cases.report()
    for (const label of ['object', 'primitive']) cases.atLeast(label, 200)
  })

  it('shares nothing with the value', () => {
    const value = { user: { name: 'Ada', roles: ['admin', { of: [1] }] }, expires: 'then' }
    const copy = copyJson(value) as typeof value
    expect(copy).toEqual(value)
    for (const [mine, theirs] of [
      [copy, value],
      [copy.user, value.user],
      [copy.user.roles, value.user.roles],
      [copy.user.roles[1], value.user.roles[1]],
    ])
      expect(mine).not.toBe(theirs)
  })

  it('takes dates, objects with toJSON and instances as JSON does', () => {
    class Money {
      readonly #cents = 7
      toJSON(): number {
        return this.#cents
      }
    }
    class Point {
      readonly x = 1
    }
    for (const value of [
      { at: new Date(7) },
      { price: new Money() },
      [new Point()],
      Object.create(null),
      -0,
      NaN,
    ])
      expect(copyJson(value)).toStrictEqual(throughText(value))
  })

  it('refuses what JSON refuses', () => {
    const cycle: Record<string, unknown> = {}
    cycle['self'] = { cycle }
    expect(() => copyJson(cycle)).toThrow(TypeError)
    expect(() => copyJson({ big: 1n })).toThrow(TypeError)
    expect(copyJson(() => 1)).toBeUndefined()
  })

  it('keeps values of any depth', () => {
    let deep: unknown = 'end'
    for (let level = 0; level < 100; level++) deep = level % 2 ? [deep] : { deep }
    expect(copyJson(deep)).toEqual(deep)
  })
})
