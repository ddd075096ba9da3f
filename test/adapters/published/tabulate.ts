import { races as allRaces, type RaceName } from './races.ts'
import type { PublishedRecord } from './record.ts'

/** Renders the results of published adapters as a table for the guide. */
export function tabulatePublished(records: readonly PublishedRecord[]): string {
  const names = Object.keys(allRaces) as RaceName[]
  const rows = records.map(({ adapter, version, on, rules, races, racesApart }) => {
    const mark = (name: RaceName) =>
      `${races.includes(name) ? '✓' : '✗'} / ${racesApart.includes(name) ? '✓' : '✗'}`
    const contract = rules ? `${rules.kept} of ${rules.kept + rules.broken.length}` : 'above'
    return [`\`${adapter}\` ${version}`, on, contract, ...names.map(mark)]
  })
  const header = ['Adapter', 'Run on', 'Contract', ...names]
  return [
    line(header),
    line(header.map((_, n) => (n < 2 ? '---' : ':-:'))),
    ...rows.map(line),
    '',
    'Rules that they break:',
    '',
    ...records.flatMap(({ adapter, rules }) =>
      rules && rules.broken.length > 0 ? [`- \`${adapter}\`: ${rules.broken.join('; ')}.`] : [],
    ),
  ].join('\n')
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
