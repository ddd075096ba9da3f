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
const made = /^(node_modules|dist|server|build|tmp|\.(next|svelte-kit|astro|nuxt|output|react-router))(\/|$)|next-env\.d\.ts$/

/** Counts the lines that somebody wrote and others read: no blank lines, and no JSON. */
function countLines(directory: string): number {
  const files = globSync('**/*.{ts,tsx,js,svelte,html,astro,vue}', {
    cwd: directory,
    exclude: (file) => made.test(file),
  })
  return files
    .flatMap((file) => readFileSync(`${directory}/${file}`, 'utf8').split('\n'))
    .filter((line) => line.trim() !== '').length
}

describe('the example applications', () => {
  it.each(names)('have fewer than 150 own lines in %s', (name) => {
    const lines = countLines(fileURLToPath(new URL(`../../docs/examples/${name}`, import.meta.url)))
    expect(lines).toBeGreaterThan(20)
    expect(lines).toBeLessThan(150)
  })
})
