import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { listMutated } from './scores.ts'

const top = fileURLToPath(new URL('../../', import.meta.url))
const { mutate } = JSON.parse(readFileSync(`${top}test/config/stryker.json`, 'utf8')) as {
  readonly mutate: readonly string[]
}

/** Writes a pattern with a list in braces as one pattern for each member. */
function expand(pattern: string): readonly string[] {
  const [whole, members] = /\{([^}]*)\}/.exec(pattern) ?? []
  return whole && members ? members.split(',').map((each) => pattern.replace(whole, each)) : [pattern]
}

const find = (pattern: string) => globSync(pattern, { cwd: top })

describe('the files that Stryker mutates', () => {
  it.each(mutate.flatMap((pattern) => expand(pattern)))('exist: %s', (pattern) => {
    expect(find(pattern)).not.toEqual([])
  })

  it('contain a part of every folder of the library, except those that decide nothing', async () => {
    const folderOf = (file: string) => file.split('/')[1] ?? ''
    const mutated = new Set((await listMutated()).map(folderOf))
    const folders = new Set(find('src/*/**/*.ts').map(folderOf))
    const left = [...folders].filter((folder) => !mutated.has(folder))
    expect(left.toSorted()).toEqual(['opentelemetry', 'react', 'types'])
  })
})
