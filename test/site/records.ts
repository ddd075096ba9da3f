import { readFile } from 'node:fs/promises'
import { listMutated, readScores } from '../mutants/scores.ts'
import { mutants } from '../mutants/written/index.ts'
import { readSources } from '../spec/citations.ts'
import { collect } from '../trace/collect.ts'
import { readKills } from '../trace/kills.ts'
import { standings } from '../trace/standing.ts'
import { writeModulesPage } from '../conformance/openid-modules-page.ts'
import { writeControlsPage } from '../mutants/controls/generate-table.ts'
import { writeSequencesPage } from '../mutants/sequence-table.ts'
import { writeMutationPage } from './mutation-page.ts'
import { writeRequirementIndex, writeRequirementPages } from './requirement-pages.ts'

const top = new URL('../../', import.meta.url)

/**
 * The pages of the site that show what the tests prove, by path: each topic of requirements, the mutation scores, the controls
 * of the properties, the sequence bugs, and the modules of the OpenID conformance suite.
 */
export async function writeRecords(): Promise<ReadonlyMap<string, string>> {
  const rows = standings(await collect(top), mutants)
  const kills = await readKills(top)
  const sources = await readFile(new URL('spec/sources.md', top), 'utf8')
  const topics = writeRequirementPages(rows, kills, readSources(sources))
  return new Map([
    ['requirements/README.md', writeRequirementIndex(rows, kills)],
    ['requirements/sources.md', sources.replaceAll('](../docs/', '](../')],
    ...[...topics].map(([file, text]) => [`requirements/${file}`, text] as const),
    ['mutation.md', writeMutationPage(await listMutated(), await readScores())],
    ['controls.md', await writeControlsPage()],
    ['sequence-bugs.md', await writeSequencesPage()],
    ['openid-modules.md', writeModulesPage()],
  ])
}
