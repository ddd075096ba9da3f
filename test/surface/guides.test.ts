import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as errors from '../../src/errors.ts'

const guide = readFileSync(new URL('../../docs/guides/troubleshooting.md', import.meta.url), 'utf8')

describe('the troubleshooting guide', () => {
  it('DEC-03c has a heading and an explanation for each type of error', () => {
    const types = Object.values(errors).flatMap((value) => ('type' in value ? [value.type] : []))
    expect(types.length).toBeGreaterThan(30)
    const sections = new Map(
      guide.split('\n## ').map((section) => [section.split('\n', 1)[0], section] as const),
    )
    for (const type of types) expect(sections.get(type)?.length, type).toBeGreaterThan(60)
    const [, ...headings] = sections.keys()
    expect(new Set(headings)).toEqual(new Set<string | undefined>(['Read the log', ...types, 'Warnings']))
  })

  it('DEC-03b links to no other project', () => {
    expect(guide).not.toMatch(/https?:\/\//)
  })
})
