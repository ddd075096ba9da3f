import type { Score, Scores } from '../mutants/scores.ts'

const introduction = `# Mutation scores

Stryker changes the source in one place at a time, and a unit test has to fail. It skips the descriptions in charts, which
do not run. \`npm run mutants -- --by stryker <file>\` measures a file. Written mutants, which Stryker cannot generate, are
listed with the [requirements](requirements/README.md).
`

/**
 * Writes the page of mutation scores.
 *
 * @param wanted the files that Stryker mutates
 * @param scores the scores of this machine; undefined if there are none
 */
export function writeMutationPage(wanted: readonly string[], scores: Scores | undefined): string {
  if (!scores)
    return `${introduction}\n**No scores yet**: nothing was measured on the machine that built this page.\n`
  const entries = Object.entries(scores)
  const missing = wanted.filter((file) => !Object.hasOwn(scores, file)).map((file) => `\`${file}\``)
  const noticed = entries.reduce((sum, [, score]) => sum + score.noticed, 0)
  const alive = entries.reduce((sum, [, score]) => sum + score.survivors.length, 0)
  return [
    introduction,
    '| file | noticed | survived | score | measured |',
    '| --- | --- | --- | --- | --- |',
    ...entries.map(([file, { noticed: killed, survivors, day }]) => row(file, killed, survivors.length, day)),
    row('all of these', noticed, alive, ''),
    '',
    ...(missing.length > 0 ? [`Not measured yet (${missing.length}): ${missing.join(', ')}.`, ''] : []),
    '## Survivors',
    '',
    'Each with its line, and the replacement.',
    '',
    ...entries.flatMap(([file, score]) => listSurvivors(file, score)),
  ].join('\n')
}

function row(name: string, noticed: number, alive: number, day: string): string {
  const score = ((noticed / (noticed + alive || 1)) * 100).toFixed(1)
  return `| ${name} | ${noticed} | ${alive} | ${score} % | ${day} |`
}

function listSurvivors(file: string, { survivors }: Score): readonly string[] {
  return survivors.length === 0 ? [] : [`### ${file}`, '', '```text', ...survivors, '```', '']
}
