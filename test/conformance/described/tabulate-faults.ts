import { alignTable } from '../align-table.ts'
import { describedApps } from './applications.ts'
import { faultNames, faults } from './faults.ts'

/** Tabulates which seeded fault the oracle finds in which application, and by which requirement. */
export function tabulateFaults(): string {
  const rows = faultNames.map((name) => {
    const { says, breaks } = faults[name]
    return [`\`${name}\``, says, ...describedApps.map((app) => (app.faults.includes(name) ? breaks : '–'))]
  })
  return alignTable([['Fault', 'The application', ...describedApps.map(({ name }) => name)], ...rows])
}
