import { describe, expect, it } from 'vitest'
import { chooseTests, readProject } from './choose-tests.ts'

const project = await readProject()

describe('the tests of a change', () => {
  it('are those that import it, before those that reach it through others', () => {
    const { chosen, others } = chooseTests(project, ['src/token/compact.ts'], 4)
    expect(chosen).toHaveLength(4)
    expect(chosen.every((file) => file.startsWith('test/token/') || file.startsWith('test/http/'))).toBe(true)
    expect(others).toBeGreaterThan(10)
  })

  it('are those of the requirements that its mutants break, though they reach it through many modules', () => {
    const { chosen } = chooseTests(project, ['src/steps/callback.ts'], 3)
    expect(chosen).toContain('test/flows/scenarios.test.ts')
  })

  it('are slow ones only when they changed themselves', () => {
    const slow = 'test/flows/edges.test.ts'
    expect(chooseTests(project, ['src/steps/callback.ts'], 1000).chosen).not.toContain(slow)
    expect(chooseTests(project, [slow], 1000).chosen).toEqual([slow])
  })

  it('are all that changed, however few are asked for', () => {
    const changed = ['test/token/keyring.test.ts', 'test/token/jwt.test.ts']
    expect(chooseTests(project, changed, 1).chosen).toEqual(changed.toSorted())
  })
})
