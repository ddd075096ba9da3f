import { describedApps } from './applications.ts'
import { faultNames, faults } from './faults.ts'

/** Tabulates which seeded fault the oracle finds on which application, and by which requirement. */
export function tabulateFaults(): string {
  const rows = faultNames.map((name) => {
    const { says, breaks } = faults[name]
    const found = describedApps.map((app) =>
      app.faults.includes(name) ? `[${breaks}](../../spec/README.md#${breaks})` : '–',
    )
    return `| \`${name}\` | ${[says, ...found].join(' | ')} |`
  })
  return [
    `| Fault | The application | ${describedApps.map(({ name }) => name).join(' | ')} |`,
    `| --- | --- | ${describedApps.map(() => '---').join(' | ')} |`,
    ...rows,
  ].join('\n')
}
