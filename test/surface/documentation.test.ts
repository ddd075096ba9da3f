import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findUndocumented } from './documented.ts'
import { readEntries } from './exported-names.ts'

/** `./instrumented` is for the oracle; charts and requirements are data that describe themselves. */
const undocumented = ['./instrumented', './machines', './spec']

describe('the comments of the exports', () => {
  it('name every parameter, result and error, with an example', () => {
    const files = [...readEntries()].flatMap(([subpath, file]) => {
      if (undocumented.includes(subpath)) return []
      const [folder = '', ending] = file.split('*')
      if (ending === undefined) return [file]
      return readdirSync(new URL(`../../${folder}`, import.meta.url)).map((name) => folder + name)
    })
    expect(files.length).toBeGreaterThan(100)
    expect(findUndocumented(files)).toEqual([])
  })

  const judge = (text: string, file = 'src/example.ts') =>
    findUndocumented([file], { [file]: text }).map((line) => line.slice(`${file}: `.length))
  const tags = '@param id of it @returns it @example find(1)'

  it.each<[string, string, readonly string[]]>([
    ['a function without a comment', 'export function find() {}', ['find has no comment']],
    [
      'a function without tags',
      '/** Finds. */ export function find(id: string): string { return id }',
      ['find has no @example', 'find has no @param id', 'find has no @returns'],
    ],
    [
      'a function with all tags',
      `/** Finds. ${tags} */ export function find(id: string): string { return id }`,
      [],
    ],
    [
      'a function that throws',
      `/** Finds. ${tags} */ export function find(id: string): string { throw new TypeError(id) }`,
      ['find has no @throws TypeError'],
    ],
    [
      'a function that throws in another one',
      `/** Finds. ${tags} */ export function find(id: string): string { return String(() => { throw new Error() }) }`,
      [],
    ],
    [
      'parameters without a name',
      '/** Finds. @example find({}) */ export function find({ id }: { id: string }): void {}',
      ['find has no @param for its options'],
    ],
    [
      'overloads, of which one has a comment',
      `/** Finds. ${tags} */ export function find(id: string): string; export function find(id: unknown) { return id }`,
      [],
    ],
    [
      'members of an interface',
      '/** It. */ export interface It {\n a: string\n /** B. */ b: string\n /** @default 1 */ c?: number\n [x: string]: unknown\n}',
      ['It.a has no comment'],
    ],
    [
      'a type and a constant',
      'export type A = string; export const b = 1',
      ['A has no comment', 'b has no comment'],
    ],
    ['what is not exported', 'function hidden() {} interface Hidden { a: string } export {}', []],
  ])('are judged: %s', (_, text, expected) => {
    expect(judge(text)).toEqual(expected)
  })

  it('are judged by another rule for presets', () => {
    const preset = (comment: string) =>
      judge(`/** ${comment} */ export default function X(options = {}) {}`, 'src/providers/x.ts')
    expect(preset('Signs in.')).toEqual(['X has no @example', 'X has no paragraph "Options:"'])
    expect(preset('Signs in.\n *\n * Options: any.\n *\n * @example X()\n')).toEqual([])
  })
})
