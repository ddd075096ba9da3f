import { readFile } from 'node:fs/promises'
import type { Kills } from './standing.ts'

/** Where `npm run mutants -- --by tests` records which mutants the tests of a requirement noticed. */
export const killsFile = 'test/kills.json'

/** The record of the last mutation run, or an empty one where none was made yet. */
export async function readKills(top: URL): Promise<Kills> {
  let text: string
  try {
    text = await readFile(new URL(killsFile, top), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
  return JSON.parse(text) as Kills
}
