import { alignTable } from '../align-table.ts'
import { describedApps } from './applications.ts'

/** Tabulates which seeded faults the oracle finds in which application, and by which requirement. */
export function tabulateFaults(): string {
  const rows = describedApps.flatMap(({ name, faults }) =>
    Object.entries(faults).map(([fault, { says, breaks }]) => [name, `\`${fault}\``, says, breaks]),
  )
  return alignTable([['Application', 'Fault', 'With it, the application', 'Requirement'], ...rows])
}
