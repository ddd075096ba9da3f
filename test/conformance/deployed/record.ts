import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { ConformanceReport } from '../../../fuzz/run/report.ts'

/** The recorded result of the oracle on one of our sites, or on the library in process, for the guide. */
export interface SiteRecord {
  readonly site: string
  /** The day of the run: `2026-11-27`. */
  readonly date: string
  readonly profile: string
  readonly seed: number
  /** The ids of the requirements that held. */
  readonly passed: readonly string[]
  /** The ids of the requirements that did not hold, by verdict. */
  readonly failed: Readonly<Record<string, readonly string[]>>
  /** The ids of the requirements that were not judged, by reason. */
  readonly notJudged: Readonly<Record<string, readonly string[]>>
  /** The ids of the requirements that were judged only in part, by the missing part and the reason. */
  readonly inPart: Readonly<Record<string, readonly string[]>>
}

const folder = new URL('records/', import.meta.url)

const placeOf = (site: string) => new URL(`${site}.json`, folder)

/** Summarises a report. */
export function summarise(site: string, report: ConformanceReport): SiteRecord {
  const { date = '', profile, seed, invariants } = report
  const whole = invariants.filter(({ part }) => part === undefined)
  const isJudged = (verdict: string) => !['SKIP', 'UNTESTED'].includes(verdict)
  return {
    site,
    date: date.slice(0, 10),
    profile,
    seed,
    passed: whole.filter(({ verdict }) => verdict === 'PASS').map(({ id }) => id),
    failed: group(
      whole
        .filter(({ verdict }) => isJudged(verdict) && verdict !== 'PASS')
        .map(({ verdict, id }) => [verdict, id]),
    ),
    notJudged: group(
      whole
        .filter(({ verdict }) => !isJudged(verdict))
        .map(({ reason = 'no property checks it', id }) => [reason, id]),
    ),
    inPart: group(
      invariants.flatMap(({ id, part, reason = '' }) =>
        part === undefined ? [] : [[`${part}: ${reason}`, id] as const],
      ),
    ),
  }
}

function group(pairs: readonly (readonly [word: string, id: string])[]): Record<string, string[]> {
  const groups: Record<string, string[]> = {}
  for (const [word, id] of pairs) (groups[word] ??= []).push(id)
  return groups
}

/** Reads the committed records, by site. */
export async function readRecords(): Promise<ReadonlyMap<string, SiteRecord>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'))
  const records = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(new URL(file, folder), 'utf8')) as SiteRecord),
  )
  return new Map(records.map((record) => [record.site, record]))
}

export async function writeRecord(record: SiteRecord): Promise<void> {
  await writeFile(placeOf(record.site), `${JSON.stringify(record, null, 2)}\n`)
}

/** Lists the requirements whose result differs, as `HH-04: passed, was: not judged`. */
export function listChanges(record: SiteRecord, recorded: SiteRecord): readonly string[] {
  const [now, before] = [resultsOf(record), resultsOf(recorded)]
  return [...new Set([...now.keys(), ...before.keys()])]
    .filter((id) => now.get(id) !== before.get(id))
    .map((id) => `${id}: ${now.get(id) ?? 'not listed'}, was: ${before.get(id) ?? 'not listed'}`)
}

function resultsOf({ passed, failed, notJudged, inPart }: SiteRecord): ReadonlyMap<string, string> {
  const named = (groups: SiteRecord['failed'], suffix = '') =>
    Object.entries(groups).flatMap(([word, ids]) => ids.map((id) => [`${id}${suffix}`, word] as const))
  return new Map([
    ...passed.map((id) => [id, 'passed'] as const),
    ...named(failed),
    ...named(notJudged),
    ...named(inPart, ' in part'),
  ])
}
