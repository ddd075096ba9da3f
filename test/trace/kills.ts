import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** The mutants that were seen to fail the tests of a requirement, by its id. */
export type Kills = Readonly<Record<string, readonly string[]>>

/** Where `npm run mutants -- --by tests` records which mutants the tests of each requirement noticed. */
export const killsFile = '.cache/kills.json'

/** Reads the record of the mutation runs on this machine; undefined when there was none. */
export async function readKills(top: URL): Promise<Kills | undefined> {
  const file = new URL(killsFile, top)
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Kills) : undefined
}
