import { type Chapter, chapters } from '../../spec/index.ts'
import { pending } from '../pending.ts'
import type { Kills } from '../trace/kills.ts'
import type { Standing } from '../trace/standing.ts'

/** Where a requirement stands in the site: the file of its chapter, and the anchor that its heading gets there. */
export interface Place {
  readonly file: string
  readonly anchor: string
}

const places: ReadonlyMap<string, Place> = new Map(
  chapters.flatMap((chapter) =>
    chapter.rows.map(({ id }) => [id, { file: fileOf(chapter), anchor: id.toLowerCase() }] as const),
  ),
)

/** @throws Error for an id that is in no chapter */
export function placeOf(id: string): Place {
  const place = places.get(id)
  if (!place) throw new Error(`There is no requirement ${id}`)
  return place
}

/** A page for each chapter of the specification, by file: what each requirement says, and where it is drawn and tested. */
export function writeRequirementPages(
  standings: readonly Standing[],
  kills: Kills = {},
): ReadonlyMap<string, string> {
  const byId = new Map<string, Standing>(standings.map((row) => [row.requirement.id, row]))
  return new Map(
    chapters.map((chapter) => {
      const rows = chapter.rows.flatMap(({ id }) => byId.get(id) ?? [])
      return [
        fileOf(chapter),
        `# ${chapter.title}\n\n${rows.map((row) => writeSection(row, kills[row.requirement.id] ?? [])).join('\n')}`,
      ]
    }),
  )
}

/** The page that leads to every requirement by its id, with the number of those that are proven. */
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
    'Everything the library promises, each with an id. The page of a chapter lists the states, tests and mutants of its',
    'requirements. A requirement is *proven* when a test names it and a known mutant breaks it, *witnessed* when only a',
    'test names it, and *pending* when it is a must that no test names yet. The search finds requirements by id.',
    '',
    kills
      ? '*Seen to fail on* lists the mutants that the last runs of `npm run mutants -- --by tests` recorded.'
      : '**There is no record of mutation runs here**: nothing was recorded on the machine that built this page.',
    '',
    '| Chapter | Requirements | Musts | Proven | Witnessed | Pending |',
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
  { requirement, drawn, tested, mutants, state }: Standing,
  killed: readonly string[],
): string {
  const { id, level, says, source, why } = requirement
  const owed = state === 'owed' ? `pending, ${escape(pending[id] ?? 'named nowhere')}` : undefined
  return [
    `## ${id}`,
    '',
    escape(says),
    '',
    `- ${[level, owed ?? (state === 'open' ? 'not tested' : state)].join(', ')}`,
    `- Source: ${escape(source)}`,
    ...(why === undefined ? [] : [`- Why: ${escape(why)}`]),
    ...list('Drawn in', drawn.map(linkDrawing)),
    ...list('Tested by', tested.map(code)),
    ...list('Broken by the mutants', mutants.map(escape)),
    ...list('Seen to fail on', killed.map(escape)),
    '',
  ].join('\n')
}

function list(title: string, entries: readonly string[]): readonly string[] {
  return entries.length === 0 ? [] : [`- ${title}`, ...entries.map((entry) => `  - ${entry}`)]
}

/** `callback.openingChecks`: the flow's page is named by what stands before the first point. */
function linkDrawing(state: string): string {
  const [flow = ''] = state.split('.')
  return `[${code(state)}](../flows/${flow}.md)`
}

function fileOf({ title }: Chapter): string {
  return `${title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}.md`
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``
}

/** What means something in Markdown is text here. */
function escape(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>{}|]/g, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`))
}
