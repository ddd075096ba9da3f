import type { AdapterRule } from '../../fuzz/adapter/rule.ts'
import type { AdapterRecord } from './judge.ts'

/** Renders the results of adapters as a table, one row for each rule, with numbered findings below. */
export function tabulate(rules: readonly AdapterRule[], records: readonly AdapterRecord[]): string {
  const adapters = records.toSorted((a, b) => rank(a) - rank(b))
  const findings: string[] = []
  const numberOf = (finding: string): number =>
    findings.includes(finding) ? findings.indexOf(finding) + 1 : findings.push(finding)
  const cell = ({ adapter, rules: results }: AdapterRecord, rule: string): string => {
    const result = results[rule]
    if (result === undefined) return ''
    return result === 'kept' ? '✓' : `[${numberOf(`${adapter}: ${result}.`)}]`
  }
  const rows = rules.map(({ proves, name, guards }) =>
    line([proves.join(' '), guards ? `${name} †` : name, ...adapters.map((each) => cell(each, name))]),
  )
  return [
    line(['Requirement', 'Rule', ...adapters.map(({ adapter }) => adapter)]),
    line(['---', '---', ...adapters.map(() => ':-:')]),
    ...rows,
    '',
    'An empty cell means that the rule was not run: the adapter lacks the operation, or the rule is marked † and the adapter is not part of this library.',
    '',
    ...findings.map((finding, index) => `${index + 1}. ${finding}`),
  ].join('\n')
}

/** The library's own adapters come first, memory before the others. */
function rank({ adapter }: AdapterRecord): number {
  if (adapter === 'memory') return 0
  return adapter.startsWith('@') ? 2 : 1
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
