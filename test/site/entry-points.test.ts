import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findEntryPoints } from '../../docs/site/entry-points.ts'

describe('the reference', () => {
  it('has a page for each subpath that the package exports, including patterns', () => {
    const entryPoints = findEntryPoints()
    expect(entryPoints.get('authmachine')).toBe('src/index.ts')
    expect(entryPoints.get('authmachine/providers')).toBe('src/providers.ts')
    expect(entryPoints.get('authmachine/providers/github')).toBe('src/providers/github.ts')
    for (const source of entryPoints.values())
      expect(existsSync(new URL(`../../${source}`, import.meta.url))).toBe(true)
  })
})
