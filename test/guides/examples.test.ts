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

/** Counts the lines that somebody wrote and others read: no blank lines, and no JSON. */
function countLines(name: string): number {
  const files = globSync(`${name}/**/*.{ts,tsx,js,svelte,html,astro,vue}`, {
    cwd: examples,
    exclude: (file) => made.some((pattern) => pattern.test(file)),
  })
  return files
    .flatMap((file) => readFileSync(`${examples}/${file}`, 'utf8').split('\n'))
    .filter((line) => line.trim() !== '').length
}

describe('the example applications', () => {
  it.each(names)('have fewer than 150 own lines in %s', (name) => {
    const lines = countLines(name)
    expect(lines).toBeGreaterThan(20)
    expect(lines).toBeLessThan(150)
  })
})
