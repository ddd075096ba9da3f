import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const names = [
  'astro',
  'express',
  'fastify',
  'hono',
  'next',
  'nuxt',
  'qwik',
  'react-router',
  'solid-start',
  'sveltekit',
]
const made = [
  /^[^/]+\/(node_modules|dist|build|tmp|\.(next|svelte-kit|astro|nuxt|output|react-router))(\/|$)/,
  /^qwik\/server(\/|$)/,
  /next-env\.d\.ts$/,
]
const examples = fileURLToPath(new URL('../../docs/examples', import.meta.url))

/** Lists the files of an example that somebody wrote, without JSON. */
function listPrograms(name: string): readonly string[] {
  return globSync(`${name}/**/*.{ts,tsx,js,svelte,html,astro,vue}`, {
    cwd: examples,
    exclude: (file) => made.some((pattern) => pattern.test(file)),
  })
}

/** Counts the lines that somebody wrote and others read: no blank lines, and no JSON. */
function countLines(name: string): number {
  return listPrograms(name)
    .flatMap((file) => readFileSync(`${examples}/${file}`, 'utf8').split('\n'))
    .filter((line) => line.trim() !== '').length
}

describe('the example applications', () => {
  it.each(names)('have fewer than 155 own lines in %s', (name) => {
    const lines = countLines(name)
    expect(lines).toBeGreaterThan(20)
    expect(lines).toBeLessThan(155)
  })

  it.each([...names, 'playwright'])('keep secrets and packages out of version control in %s', (name) => {
    const ignored = readFileSync(`${examples}/${name}/.gitignore`, 'utf8')
    expect(ignored.split('\n')).toEqual(expect.arrayContaining(['node_modules/', '.env*']))
  })

  it.each(['express', 'hono', 'next', 'qwik', 'solid-start', 'sveltekit'])(
    'have a quickstart that explains each file of %s',
    (name) => {
      const guide = readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8')
      const missing = listPrograms(name).filter(
        (file) => !guide.includes(`\`${file.slice(name.length + 1)}\``),
      )
      expect(missing).toEqual([])
    },
  )
})
