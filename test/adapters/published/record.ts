import { readdir, readFile } from 'node:fs/promises'
import type { RaceName } from './races.ts'

/** How a published adapter stands, as it is recorded for the guide. */
export interface PublishedRecord {
  readonly adapter: string
  readonly version: string
  /** The store that it was run on. */
  readonly on: string
  /** Of the contract's rules, without those that guard; absent where the table of the contract has the adapter. */
  readonly rules?: { readonly kept: number; readonly broken: readonly string[] }
  /** The races that ended well, within one process. */
  readonly races: readonly RaceName[]
  /** The races that ended well with a process for each request. */
  readonly racesApart: readonly RaceName[]
}

export const folder = new URL('records/', import.meta.url)

/** The committed records, by name of the adapter. */
export async function readPublished(): Promise<readonly PublishedRecord[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).toSorted()
  return Promise.all(
    files.map(async (file) => JSON.parse(await readFile(new URL(file, folder), 'utf8')) as PublishedRecord),
  )
}
