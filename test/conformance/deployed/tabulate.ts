import { alignTable } from '../align-table.ts'
import type { SiteRecord } from './record.ts'
import { deployedSites, inProcess } from './sites.ts'

/**
 * Tabulates the recorded results: how many requirements were judged on each site, those that differ from the result in
 * process, and those that were judged in process only, with the reason.
 *
 * @throws {Error} if a site has no record
 */
export function tabulateSites(records: ReadonlyMap<string, SiteRecord>): string {
  const all = deployedSites.map(({ name }) => {
    const record = records.get(name)
    if (!record)
      throw new Error(`There is no record of ${name}: npm run conformance:apps -- deployed --write`)
    return record
  })
  const [reference, ...sites] = all
  if (reference?.site !== inProcess) throw new Error('The first record is not that of the library in process')
  return [
    tabulateCounts(all),
    '',
    ...describeDifferences(reference, sites),
    '',
    'Requirements that hold in process, but were not judged on these sites, by reason:',
    '',
    ...listReasons(reference, sites),
  ].join('\n')
}

function tabulateCounts(records: readonly SiteRecord[]): string {
  const rows = records.map(({ site, passed, failed, notJudged, inPart, profile, seed, date }) => {
    const failures = countIds(failed)
    const counts = [passed.length + failures, passed.length, failures, countIds(inPart), countIds(notJudged)]
    return [`\`${site}\``, ...counts.map(String), `${date}, \`--profile ${profile} --seed ${seed}\``]
  })
  return alignTable([['Site', 'Judged', 'Held', 'Failed', 'In part', 'Not judged', 'Run'], ...rows])
}

/** Lists the requirements that do not hold in process or on a site, and the parts that sites do not have. */
function describeDifferences(reference: SiteRecord, sites: readonly SiteRecord[]): string[] {
  const failures = sites.flatMap(({ site, failed }) =>
    Object.entries(failed).map(([verdict, ids]) => `- \`${site}\`, ${verdict}: ${ids.join(', ')}`),
  )
  const parts = new Map<string, string[]>()
  const known = new Set(Object.keys(reference.inPart))
  for (const { site, inPart } of sites)
    for (const [part, ids] of Object.entries(inPart))
      if (!known.has(part)) {
        const text = `${ids.join(', ')}, ${part}`
        parts.set(text, [...(parts.get(text) ?? []), site])
      }
  return [
    failures.length === 0
      ? 'Each requirement that was judged on a site held, as it does in process.'
      : 'The results of these requirements differ from those in process:',
    ...(failures.length === 0 ? [] : ['', ...failures]),
    ...(parts.size === 0
      ? []
      : [
          '',
          'Parts that were judged in process only:',
          '',
          ...[...parts].map(([text, names]) => `- ${text} (${nameSites(names, sites)})`),
        ]),
  ]
}

/** Lists the requirements that hold in process, by the reason why they were not judged on sites. */
function listReasons(reference: SiteRecord, sites: readonly SiteRecord[]): string[] {
  const held = new Set(reference.passed)
  const groups = new Map<string, string[]>()
  for (const id of held)
    for (const [reason, names] of reasonsFor(id, sites)) {
      const group = `${reason} (${nameSites(names, sites)})`
      groups.set(group, [...(groups.get(group) ?? []), id])
    }
  return [...groups]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([group, ids]) => `- ${ids.length}: ${group}: ${ids.toSorted().join(', ')}`)
}

/** Returns the sites that did not judge a requirement, by reason. */
function reasonsFor(id: string, sites: readonly SiteRecord[]): ReadonlyMap<string, readonly string[]> {
  const reasons = new Map<string, string[]>()
  for (const { site, notJudged } of sites)
    for (const [reason, ids] of Object.entries(notJudged))
      if (ids.includes(id)) reasons.set(reason, [...(reasons.get(reason) ?? []), site])
  return reasons
}

function nameSites(names: readonly string[], sites: readonly SiteRecord[]): string {
  const others = sites.map(({ site }) => site).filter((site) => !names.includes(site))
  if (others.length === 0) return 'all'
  const quote = (all: readonly string[]) => all.map((name) => `\`${name}\``).join(', ')
  return others.length < names.length ? `all but ${quote(others)}` : quote(names)
}

function countIds(groups: SiteRecord['failed']): number {
  return Object.values(groups).flat().length
}
