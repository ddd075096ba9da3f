import { describe, expect, it } from 'vitest'
import { describeOptions } from '../guides/tabulate-options.ts'

describe('the record of an option', () => {
  it.each(describeOptions())('$path has a sentence in the comment of its type', ({ sentence }) => {
    expect(sentence).toMatch(/^[A-Z].*\.$/)
  })

  it.each(describeOptions().filter(({ option }) => option.default !== undefined))(
    '$path has the default that the comment of its type names',
    ({ option, default: named }) => {
      expect(named.replaceAll("'", '').split(/[: ]/)[0]).toBe(String(option.default))
    },
  )
})
