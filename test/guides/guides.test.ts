import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { guides, listGuides } from './generate.ts'

const top = new URL('../../', import.meta.url)

describe('the guides', () => {
  it('contain the current programs, statements and tables', async () => {
    for (const [path, text] of Object.entries(await guides.generate()))
      expect(await readFile(new URL(path, top), 'utf8'), path).toBe(text)
  })

  it('contain only programs that are compiled and run', async () => {
    const paths = await listGuides()
    expect(paths.length).toBeGreaterThan(10)
    for (const path of paths) {
      const text = await readFile(new URL(path, top), 'utf8')
      expect(findLoosePrograms(text), path).toEqual([])
    }
  })

  it('are searched for programs that are not a file of the repository', () => {
    expect(findLoosePrograms('```ts\nlet a\n```')).toHaveLength(1)
    expect(
      findLoosePrograms('<!-- file a.ts -->\n\n```ts\nlet a\n```\n\n<!-- /file -->\n```sh\nls\n```'),
    ).toEqual([])
  })
})

/** Programs that are not a file of the repository. */
function findLoosePrograms(text: string): readonly string[] {
  const loose = text.replaceAll(/<!-- (file|source) \S+ -->[^]*?<!-- \/\1 -->/g, '')
  return loose.match(/```(ts|js|tsx|jsx|typescript|javascript)\n[^]*?```/g) ?? []
}
