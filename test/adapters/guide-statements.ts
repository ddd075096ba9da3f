import { readFile } from 'node:fs/promises'

/** The statements that create the tables, as the guide prints them. */
export async function statementsOf(dialect: string): Promise<string> {
  const guide = await readFile(new URL('../../docs/guides/adapters.md', import.meta.url), 'utf8')
  const found = new RegExp(`<!-- tables ${dialect} -->\\s+\`\`\`sql\\n([^]*?)\`\`\``).exec(guide)?.[1]
  if (found === undefined) throw new Error(`The guide has no statements for ${dialect}`)
  return found
}
