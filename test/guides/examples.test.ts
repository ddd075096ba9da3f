import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const names = ['express', 'fastify', 'hono', 'next', 'qwik', 'solid-start', 'sveltekit']
const made = /^(node_modules|dist|server|build|tmp|\.next|\.svelte-kit)(\/|$)|next-env\.d\.ts$/

/** Lists the files that somebody wrote, without JSON. */
function listPrograms(directory: string): readonly string[] {
  return globSync('**/*.{ts,tsx,js,svelte,html}', { cwd: directory, exclude: (file) => made.test(file) })
}

/** Counts the lines that somebody wrote and others read: no blank lines, and no JSON. */
function countLines(directory: string): number {
  return listPrograms(directory)
    .flatMap((file) => readFileSync(`${directory}/${file}`, 'utf8').split('\n'))
    .filter((line) => line.trim() !== '').length
}

describe('the example applications', () => {
  it.each(names)('have fewer than 150 own lines in %s', (name) => {
    const lines = countLines(fileURLToPath(new URL(`../../docs/examples/${name}`, import.meta.url)))
    expect(lines).toBeGreaterThan(20)
    expect(lines).toBeLessThan(150)
  })

  it.each([...names, 'playwright'])('keep secrets and packages out of version control in %s', (name) => {
    const ignored = readFileSync(new URL(`../../docs/examples/${name}/.gitignore`, import.meta.url), 'utf8')
    expect(ignored.split('\n')).toEqual(expect.arrayContaining(['node_modules/', '.env*']))
  })

  it.each(['express', 'hono', 'next', 'qwik', 'solid-start', 'sveltekit'])(
    'have a quickstart that explains each file of %s',
    (name) => {
      const guide = readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8')
      const missing = listPrograms(
        fileURLToPath(new URL(`../../docs/examples/${name}`, import.meta.url)),
      ).filter((file) => !guide.includes(`\`${file}\``))
      expect(missing).toEqual([])
    },
  )
})
