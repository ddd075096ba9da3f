import { describe, expect, it } from 'vitest'
import { standings } from '../trace/standing.ts'
import { writeMutationPage } from './mutation-page.ts'
import { writeRequirementIndex, writeRequirementPages } from './requirement-pages.ts'

const rows = standings(
  {
    witnesses: [{ file: 'test/a.test.ts', name: 'TX-01 a callback', ids: ['TX-01'] }],
    drawings: [],
  },
  [{ id: 'a/mutant', file: 'src/a.ts', find: 'a', replace: 'b', breaks: ['TX-01'] }],
)

describe('the pages of requirements', () => {
  const textOf = (id: string, pages: ReadonlyMap<string, string>) =>
    [...pages.values()].flatMap((page) => page.split('\n## ')).find((text) => text.startsWith(`${id}\n`))

  it('list the tests and the mutants of each, and those that were seen to fail them', () => {
    const text = textOf('TX-01', writeRequirementPages(rows, { 'TX-01': ['seen/mutant'] }))
    expect(text).toContain('- must, proven')
    expect(text).toContain('`test/a.test.ts: TX-01 a callback`')
    expect(text).toContain('- Broken by the mutants\n  - a/mutant')
    expect(text).toContain('- Seen to fail on\n  - seen/mutant')
  })

  it('say when nothing was recorded', () => {
    expect(textOf('TX-01', writeRequirementPages(rows))).not.toContain('Seen to fail on')
    expect(writeRequirementIndex(rows, undefined)).toContain('There is no record of mutation runs here')
    expect(writeRequirementIndex(rows, {})).not.toContain('There is no record')
  })
})

describe('the page of mutation scores', () => {
  it('shows each file, what survived in it, and what was not measured', () => {
    const page = writeMutationPage(['src/a.ts', 'src/b.ts'], {
      'src/a.ts': { day: '2026-01-02', noticed: 3, survivors: ['7: true → false'] },
    })
    expect(page).toContain('| src/a.ts | 3 | 1 | 75.0 % | 2026-01-02 |')
    expect(page).toContain('7: true → false')
    expect(page).toContain('Not measured yet (1): `src/b.ts`.')
  })

  it('says when nothing was measured', () => {
    expect(writeMutationPage(['src/a.ts'], undefined)).toContain('There is no record here')
  })
})
