import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { ConformanceReport } from '../../../fuzz/run/report.ts'
import { firstPort } from '../../../fuzz/world/places.ts'
import { listChanges, readRecords, type SiteRecord, summarise, writeRecord } from './record.ts'
import { type DeployedSite, deployedSites } from './sites.ts'

/** Runs the oracle's command with these arguments. @returns its exit code */
type Run = (args: readonly string[]) => Promise<number>

/** The words of a command that judges our sites. */
interface Judging {
  /** The first of the oracle's ports. */
  readonly port: number
  /** Options of the oracle for every target. */
  readonly options: readonly string[]
  /** Records the results for the guide, instead of comparing them with the records. */
  readonly writes: boolean
}

/**
 * Starts our sites, or the sites that the words name, and runs the oracle on each.
 *
 * @param words names of sites, options of the oracle, and `--write`
 * @returns the exit code of the worst
 */
export async function judgeSites(words: readonly string[], run: Run): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: {
      write: { type: 'boolean', default: false },
      port: { type: 'string', default: String(firstPort) },
      seed: { type: 'string', default: '1' },
      profile: { type: 'string', default: 'smoke' },
      only: { type: 'string' },
      strict: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const unknown = positionals.find((word) => !deployedSites.some(({ name }) => name === word))
  if (unknown !== undefined) throw new Error(`There is no site ${unknown}`)
  const { write, port, seed, profile, only, strict } = values
  const options = ['--seed', seed, '--profile', profile, ...(only === undefined ? [] : ['--only', only])]
  const judging = { port: Number(port), options: strict ? [...options, '--strict'] : options, writes: write }
  let worst = 0
  for (const site of deployedSites)
    if (positionals.length === 0 || positionals.includes(site.name))
      worst = Math.max(worst, await judgeSite(site, judging, run))
  return worst
}

/**
 * A run of all properties with the seed and the profile of the record must give the recorded result, so that the table
 * in the guide is right.
 */
async function judgeSite(
  { name, start }: DeployedSite,
  { port, options, writes }: Judging,
  run: Run,
): Promise<number> {
  process.stdout.write(`\n# ${name}\n`)
  const out = await mkdtemp(join(tmpdir(), 'authmachine-deployed-'))
  const site = await start(port)
  try {
    const code = await run([...site.words, ...options, '--report', 'json', '--out', out])
    const report = await readReport(out)
    if (!report || report.only?.length) return code
    const record = summarise(name, report)
    if (!writes) return Math.max(code, await compare(record))
    await writeRecord(record)
    return code
  } finally {
    await site.stop()
    await rm(out, { recursive: true })
  }
}

async function readReport(folder: string): Promise<ConformanceReport | undefined> {
  const [file] = await readdir(folder)
  if (file === undefined) return undefined
  return JSON.parse(await readFile(join(folder, file), 'utf8')) as ConformanceReport
}

/** @returns 1 if the result differs from the record */
async function compare(record: SiteRecord): Promise<number> {
  const recorded = (await readRecords()).get(record.site)
  const isSameRun = recorded?.seed === record.seed && recorded.profile === record.profile
  if (recorded && !isSameRun) return 0
  const changes = recorded ? listChanges(record, recorded) : ['there is no record']
  if (changes.length === 0) return 0
  process.stdout.write(
    `The result differs from the record in test/conformance/deployed/records:\n  ${changes.join('\n  ')}\nRun this command again with --write to record it.\n`,
  )
  return 1
}
