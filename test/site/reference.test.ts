import { describe, expect, it } from 'vitest'
import { writeReference } from '../../docs/site/reference.ts'

const fixtures = 'test/site/fixtures/'

describe('the documentation', { timeout: 120_000 }, () => {
  it('is not built if an export has no comment', async () => {
    const entryPoints = new Map(['documented', 'undocumented'].map((name) => [name, `${fixtures}${name}.ts`]))
    const complaints = await writeReference({ entryPoints, tsconfig: `${fixtures}tsconfig.json` }, undefined)
    expect(complaints).toHaveLength(1)
    expect(complaints[0]).toContain('forgotten')
  })
})
