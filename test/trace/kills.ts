import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** The mutants that failed the tests of a requirement, by its id. */
export type Kills = Readonly<Record<string, readonly string[]>>

/** The file in which `npm run mutants -- --by tests` records which mutants fail the tests of each requirement. */
export const killsFile = '.cache/kills.json'

/** Reads the record of the mutation runs on this machine; undefined if there were none. */
export async function readKills(top: URL): Promise<Kills | undefined> {
  const file = new URL(killsFile, top)
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Kills) : undefined
}
