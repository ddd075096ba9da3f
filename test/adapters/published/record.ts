import { readdir, readFile } from 'node:fs/promises'
import type { RaceName } from './races.ts'

/** The recorded results of a published adapter, for the guide. */
export interface PublishedRecord {
  readonly adapter: string
  readonly version: string
  /** The store that the adapter ran on. */
  readonly on: string
  /**
   * Results of the contract without its security rules. Absent if the contract table of the guide lists the adapter.
   */
  readonly rules?: { readonly kept: number; readonly broken: readonly string[] }
  /** The races that passed within one process. */
  readonly races: readonly RaceName[]
  /** The races that passed with a separate process for each request. */
  readonly racesApart: readonly RaceName[]
}

export const folder = new URL('records/', import.meta.url)

/** Reads the committed records, by adapter name. */
export async function readPublished(): Promise<readonly PublishedRecord[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).toSorted()
  return Promise.all(
    files.map(async (file) => JSON.parse(await readFile(new URL(file, folder), 'utf8')) as PublishedRecord),
  )
}
