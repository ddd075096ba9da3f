import type { AdapterRule } from '../../fuzz/adapter/rule.ts'
import type { AdapterRecord } from './judge.ts'

/** How adapters stand, rule by rule, as a table with numbered findings under it. */
export function tabulate(rules: readonly AdapterRule[], records: readonly AdapterRecord[]): string {
  const adapters = records.toSorted((a, b) => rank(a) - rank(b))
  const findings: string[] = []
  const numberOf = (finding: string): number =>
    findings.includes(finding) ? findings.indexOf(finding) + 1 : findings.push(finding)
  const cell = ({ adapter, rules: stood }: AdapterRecord, rule: string): string => {
    const came = stood[rule]
    if (came === undefined) return ''
    return came === 'kept' ? '✓' : `[${numberOf(`${adapter}: ${came}.`)}]`
  }
  const rows = rules.map(({ proves, name, guards }) =>
    line([proves.join(' '), guards ? `${name} †` : name, ...adapters.map((each) => cell(each, name))]),
  )
  return [
    line(['Requirement', 'Rule', ...adapters.map(({ adapter }) => adapter)]),
    line(['---', '---', ...adapters.map(() => ':-:')]),
    ...rows,
    '',
    'An empty cell was not judged: the adapter lacks an operation, or the rule guards and the adapter is not ours.',
    '',
    ...findings.map((finding, index) => `${index + 1}. ${finding}`),
  ].join('\n')
}

/** Ours come first, the simplest before the others. */
function rank({ adapter }: AdapterRecord): number {
  if (adapter === 'memory') return 0
  return adapter.startsWith('@') ? 2 : 1
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
