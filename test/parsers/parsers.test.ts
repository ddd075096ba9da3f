import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCorpus } from './corpus.ts'
import { mutated } from './mutate.ts'
import { targets } from './targets.ts'

/** Inputs for each parser. A nightly run sets more, or calls `npm test -- parsers`. */
const numRuns = Number(process.env['PARSER_RUNS'] ?? 150)
const corpus = readCorpus()

describe('a parser', () => {
  it.each(Object.entries(targets))('LM-07 for %s handles the saved inputs', async (name, { run }) => {
    const found = Object.values(corpus[name] ?? {})
    expect(found.length).toBeGreaterThan(0)
    for (const input of found) expect(await run(input)).toBeTypeOf('string')
  })

  it.each(Object.entries(targets))('LM-07 for %s handles any input', async (name, target) => {
    await fc.assert(
      fc.asyncProperty(mutated(target, Object.values(corpus[name] ?? {})), async (input) => {
        expect(await target.run(input)).toBeTypeOf('string')
      }),
      { numRuns },
    )
  })
})
