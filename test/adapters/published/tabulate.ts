import { races as allRaces, type RaceName } from './races.ts'
import type { PublishedRecord } from './record.ts'

/** How published adapters stand, as a table for the guide. */
export function tabulatePublished(records: readonly PublishedRecord[]): string {
  const names = Object.keys(allRaces) as RaceName[]
  const rows = records.flatMap(({ adapter, version, on, rules, races }) => {
    const mark = (name: RaceName) => (races.includes(name) ? '✓' : 'not settled')
    const judged = rules.kept + rules.broken.length
    return [[`\`${adapter}\` ${version}`, on, `${rules.kept} of ${judged}`, ...names.map(mark)]]
  })
  const header = ['Adapter', 'Run on', 'Contract', ...names]
  const differing = records.filter(({ rules }) => rules.broken.length > 0)
  return [
    line(header),
    line(header.map((_, n) => (n < 2 ? '---' : ':-:'))),
    ...rows.map(line),
    '',
    'Rules that they do not keep:',
    '',
    ...differing.map(({ adapter, rules }) => `- \`${adapter}\`: ${rules.broken.join('; ')}.`),
  ].join('\n')
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
