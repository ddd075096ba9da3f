import { describe, expect, it } from 'vitest'
import { chooseTests, readProject } from './choose-tests.ts'

const project = await readProject()

describe('the tests of a change', () => {
  it('start with direct importers, followed by indirect ones', () => {
    const { chosen, others } = chooseTests(project, ['src/token/compact.ts'], 4)
    expect(chosen).toHaveLength(4)
    expect(chosen.every((file) => file.startsWith('test/token/') || file.startsWith('test/http/'))).toBe(true)
    expect(others).toBeGreaterThan(10)
  })

  it('include those of the requirements that its mutants break, even if they import it indirectly', () => {
    const { chosen } = chooseTests(project, ['src/flows/oauth/callback.ts'], 3)
    expect(chosen).toContain('test/flows/scenarios.test.ts')
  })

  it('include slow ones only if they changed themselves', () => {
    const slow = 'test/flows/replay.test.ts'
    expect(chooseTests(project, ['src/flows/oauth/callback.ts'], 1000).chosen).not.toContain(slow)
    expect(chooseTests(project, [slow], 1000).chosen).toEqual([slow])
  })

  it('include all changed tests, even above the limit', () => {
    const changed = ['test/token/keyring.test.ts', 'test/token/jwt.test.ts']
    expect(chooseTests(project, changed, 1).chosen).toEqual(changed.toSorted())
  })
})
