import { policy, type ChangeRule } from '../../src/policy/table.ts'
import { kept, type KeptClass } from '../../src/policy/kept.ts'

/** Lists the policy for changes to an account as a table, and the data in each class that it ends. */
export function tabulatePolicy(): string {
  const rules: readonly ChangeRule[] = Object.values(policy)
  return [
    '| Change | Demands | Ends | `auth_time` | Notifies |',
    '| --- | --- | --- | --- | --- |',
    ...rules.map((rule) => `| ${describe(rule).join(' | ')} |`),
    '',
    ...listClasses(),
  ].join('\n')
}

function describe({ name, demands, ends, authTime, tells }: ChangeRule): readonly string[] {
  const { session, factor, also } = demands
  const demanded = [
    session && `${session.replace('fresh where recorded', 'fresh\\*')} session`,
    factor && 'second factor',
    also,
  ]
  const told = [
    tells.event && `\`${tells.event}\``,
    tells.mail && `mail to ${tells.mail === 'address' ? 'the address' : tells.mail}`,
  ]
  return [name, list(demanded), list(ends), authTime, list(told)]
}

function list(parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(', ') || '–'
}

const classes: Readonly<Partial<Record<KeptClass, string>>> = {
  session: 'Sessions',
  trust: 'Trust',
  pending: 'Pending',
  factor: 'Never removed by a proof',
}

function listClasses(): readonly string[] {
  return Object.entries(classes).map(
    ([each, title]) =>
      `- **${title}**: ${kept
        .filter((one) => one.class === each)
        .map(({ name }) => name)
        .join(', ')}.`,
  )
}
