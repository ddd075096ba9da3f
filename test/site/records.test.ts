import { describe, expect, it } from 'vitest'
import { standings } from '../trace/standing.ts'
import { writeMutationPage } from './mutation-page.ts'
import { writeRequirementIndex, writeRequirementPages } from './requirement-pages.ts'

const rows = standings(
  {
    witnesses: [{ file: 'test/a.test.ts', name: 'TX-01 a callback', ids: ['TX-01'] }],
    chartStates: [],
  },
  [{ id: 'a/mutant', file: 'src/a.ts', find: 'a', replace: 'b', breaks: ['TX-01'] }],
)

describe('the requirement pages', () => {
  const textOf = (id: string, pages: ReadonlyMap<string, string>) =>
    [...pages.values()].flatMap((page) => page.split('\n## ')).find((text) => text.startsWith(`${id}\n`))

  it('list the tests and mutants of each requirement, and the mutants that failed its tests', () => {
    const text = textOf('TX-01', writeRequirementPages(rows, { 'TX-01': ['seen/mutant'] }))
    expect(text).toContain('- must, invariant, proven')
    expect(text).toContain('`test/a.test.ts: TX-01 a callback`')
    expect(text).toContain('- Broken by the mutants\n  - a/mutant')
    expect(text).toContain('- Fails on\n  - seen/mutant')
  })

  it('say so if there is no record', () => {
    expect(textOf('TX-01', writeRequirementPages(rows))).not.toContain('Fails on')
    expect(writeRequirementIndex(rows, undefined)).toContain('No record of mutation runs')
    expect(writeRequirementIndex(rows, {})).not.toContain('No record')
  })
})

describe('the mutation scores page', () => {
  it('shows each file, its survivors, and the files without scores', () => {
    const page = writeMutationPage(['src/a.ts', 'src/b.ts'], {
      'src/a.ts': { day: '2026-01-02', noticed: 3, survivors: ['7: true → false'] },
    })
    expect(page).toContain('| src/a.ts | 3 | 1 | 75.0 % | 2026-01-02 |')
    expect(page).toContain('7: true → false')
    expect(page).toContain('Not measured yet (1): `src/b.ts`.')
  })

  it('says so if there are no scores', () => {
    expect(writeMutationPage(['src/a.ts'], undefined)).toContain('No scores yet')
  })
})
