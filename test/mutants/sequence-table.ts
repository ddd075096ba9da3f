import { readFile } from 'node:fs/promises'
import type { Exploring } from './run-explore.ts'
import { mutants as sequenceBugs } from './written/sequences.ts'

/** Writes the page of the site that shows how many actions show each sequence bug. */
export async function writeSequencesPage(): Promise<string> {
  const text = await readFile(new URL('explore-results.json', import.meta.url), 'utf8')
  const { date, depth, hits } = JSON.parse(text) as Exploring
  const results = new Map(hits.map((hit) => [hit.id, hit]))
  const found = hits.filter((hit) => hit.actions !== undefined)
  const rows = sequenceBugs.map(({ id }) => {
    const hit = results.get(id)
    const outcome = hit ? (hit.actions ?? '**not found**') : 'not tried'
    const name = id.replace(/^sequences\//, '')
    const cells = [
      `\`${name}\``,
      outcome,
      hit?.configuration,
      hit?.says,
      hit?.seconds,
      tell(hit?.smoke),
      tell(hit?.tests),
    ]
    return `| ${cells.map((cell) => cell ?? '').join(' | ')} |`
  })
  const count = (by: 'smoke' | 'tests') => hits.filter((hit) => hit[by]).length
  return `# Sequence bugs

The author of these mutants had not read the rules of [\`explore\`](guides/oracle.md#try-every-sequence-of-actions). Each shows only
after several actions, often in different browsers. On ${date}, \`npm run mutants -- sequences/ --explore --depth ${depth}\` tried
${hits.length} of ${sequenceBugs.length}, and found ${found.length} with sequences of at most ${depth} actions after those of the setup. With 0 actions, the
setup itself breaks a rule.

The last columns tell whether the properties of profile \`smoke\`, and the unit tests of the rows that the mutant breaks, detect it
as well: \`npm run mutants -- sequences/ --hunt\`, and \`--by tests\`. \`smoke\` detects ${count('smoke')} and the unit tests ${count('tests')};
${hits.filter(({ smoke, tests }) => !smoke && !tests).length} are detected by neither.

| Mutant | Actions | Configuration | What the sequence breaks | Seconds | Smoke | Tests |
| ------ | ------- | ------------- | ------------------------ | ------- | ----- | ----- |
${rows.join('\n')}
`
}

/** Returns whether something was found; undefined if that was not tried. */
function tell(found: boolean | undefined): string | undefined {
  return found === undefined ? undefined : found ? 'yes' : '**no**'
}
