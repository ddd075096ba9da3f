import { fileOf, isRequirement, placeOf } from '../../docs/site/requirement-places.ts'
import { chapters } from '../../spec/index.ts'
import { pending } from '../pending.ts'
import { citationsOf, type DescribedSource, findSource } from '../spec/citations.ts'
import type { Kills } from '../trace/kills.ts'
import type { Standing } from '../trace/standing.ts'

/** Writes a page for each topic, by file: what each requirement says, and where it is drawn and tested. */
export function writeRequirementPages(
  standings: readonly Standing[],
  kills: Kills = {},
  sources: ReadonlyMap<string, DescribedSource> = new Map(),
): ReadonlyMap<string, string> {
  const byId = new Map<string, Standing>(standings.map((row) => [row.requirement.id, row]))
  return new Map(
    chapters.map((chapter) => {
      const rows = chapter.rows.flatMap(({ id }) => byId.get(id) ?? [])
      return [
        fileOf(chapter),
        `# ${chapter.title}\n\n${rows.map((row) => writeSection(row, kills[row.requirement.id] ?? [], sources)).join('\n')}`,
      ]
    }),
  )
}

/** The index of all requirements, with the number of proven ones. */
export function writeRequirementIndex(standings: readonly Standing[], kills: Kills | undefined): string {
  const byId = new Map<string, Standing>(standings.map((row) => [row.requirement.id, row]))
  const lines = chapters.flatMap((chapter) => [
    `## [${chapter.title}](${fileOf(chapter)})`,
    '',
    chapter.rows.map(({ id }) => `[${id}](${fileOf(chapter)}#${id.toLowerCase()})`).join(' · '),
    '',
  ])
  return [
    '# Requirements',
    '',
    'Everything the library promises, each with an id. The page of a topic lists the states, tests and mutants of its',
    'requirements. A requirement is *proven* when a test names it and a known mutant breaks it, *witnessed* when only a',
    'test names it, and *pending* when it is a must that no test names yet. The search finds requirements by id.',
    '[Sources](sources.md) explains what they cite besides public standards.',
    '',
    kills
      ? '*Fails on* lists the mutants that the last runs of `npm run mutants -- --by tests` recorded.'
      : '**No record of mutation runs** exists on the machine that built this page. Here, *proven* means that a written mutant names the requirement.',
    '',
    '| Topic | Requirements | Musts | Proven | Witnessed | Pending |',
    '| --- | --: | --: | --: | --: | --: |',
    ...chapters.map((chapter) =>
      countRow(
        `[${chapter.title}](${fileOf(chapter)})`,
        chapter.rows.flatMap(({ id }) => byId.get(id) ?? []),
      ),
    ),
    countRow('All', standings),
    '',
    ...lines,
  ].join('\n')
}

function countRow(title: string, rows: readonly Standing[]): string {
  const having = (state: Standing['state']) => rows.filter((row) => row.state === state).length
  const musts = rows.filter(({ requirement }) => requirement.level === 'must').length
  const counts = [rows.length, musts, having('proven'), having('witnessed'), having('owed')]
  return `| ${[title, ...counts].join(' | ')} |`
}

function writeSection(
  { requirement, chartStates, tested, mutants, state }: Standing,
  killed: readonly string[],
  sources: ReadonlyMap<string, DescribedSource>,
): string {
  const { id, aliases = [], level, says, source, status, why } = requirement
  const owed = state === 'owed' ? `pending, ${escape(pending[id] ?? 'named nowhere')}` : undefined
  return [
    `## ${id}`,
    '',
    escape(says),
    '',
    `- ${[level, status, owed ?? (state === 'open' ? 'not tested' : state)].join(', ')}`,
    ...(aliases.length === 0 ? [] : [`- Also cited as: ${aliases.join(', ')}`]),
    `- Source: ${linkSources(source, sources)}`,
    ...(why === undefined ? [] : [`- Why: ${escape(why)}`]),
    ...list('Charts', chartStates.map(linkDiagram)),
    ...list('Tested by', tested.map(code)),
    ...list('Broken by the mutants', mutants.map(escape)),
    ...list('Fails on', killed.map(escape)),
    '',
  ].join('\n')
}

/** Links each citation that `spec/sources.md` or another requirement explains. */
function linkSources(source: string, sources: ReadonlyMap<string, DescribedSource>): string {
  const linked = citationsOf(source).map((citation) => {
    const found = findSource(citation, sources)
    if (found) return `[${escape(citation)}](sources.md#${found.anchor})`
    const ids = citation.split(', ')
    return ids.every((id) => isRequirement(id)) ? ids.map(linkRow).join(', ') : escape(citation)
  })
  return linked.join('; ')
}

function linkRow(id: string): string {
  const { file, anchor } = placeOf(id)
  return `[${id}](${file}#${anchor})`
}

function list(title: string, entries: readonly string[]): readonly string[] {
  return entries.length === 0 ? [] : [`- ${title}`, ...entries.map((entry) => `  - ${entry}`)]
}

/** `callback.openingChecks`: the part before the first dot names the flow's page. */
function linkDiagram(state: string): string {
  const [flow = ''] = state.split('.')
  return `[${code(state)}](../flows/${flow}.md)`
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``
}

/** Escapes characters with a meaning in Markdown. */
function escape(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>{}|]/g, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`))
}
