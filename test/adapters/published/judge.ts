/**
 * Runs the adapter contract and the races on published adapters, and compares the results with the committed records.
 * Words restrict it to adapters with one of them in their name; `--write` writes the records.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { adapterContract, type AdapterSubject } from 'authmachine-conformance/adapter'
import type { Adapter } from '../../../src/types/adapter.ts'
import { startPostgres } from '../../support/postgres.ts'
import { races, runRace, type RaceName, type RaceSubject } from './races.ts'
import { folder, readPublished, type PublishedRecord } from './record.ts'

interface Opened extends RaceSubject {
  readonly on: string
}

interface Stores {
  readonly stores: Readonly<Record<string, (createDatabase: () => Promise<string>) => Promise<Opened>>>
  /** Programs that npm does not have and this machine lacks, by the adapter that needs them. */
  readonly missing: Readonly<Record<string, string>>
  readonly versionOf: (name: string) => string
}

const peers = fileURLToPath(new URL('../../../fuzz/peers/stores/', import.meta.url))
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const writes = process.argv.includes('--write')

if (!existsSync(`${peers}node_modules/.package-lock.json`)) {
  const { status } = spawnSync('npm', ['ci', '--prefix', peers], { stdio: 'inherit' })
  if (status !== 0) throw new Error('npm ci of fuzz/peers/stores failed')
}
const { stores, missing, versionOf } = (await import(`${peers}subjects.js`)) as Stores
const server = await startPostgres()
const recorded = new Map((await readPublished()).map((record) => [record.adapter, record]))
const faults: string[] = []

for (const [name, open] of Object.entries(stores)) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue
  if (missing[name]) {
    console.error(`NOT RUN: ${name} needs ${missing[name]} on this machine`)
    continue
  }
  const opened = await open(server.createDatabase)
  const record: PublishedRecord = {
    adapter: name,
    version: versionOf(name),
    on: opened.on,
    rules: await judgeContract(name, opened),
    races: await judgeRaces(name, opened),
  }
  console.log(JSON.stringify(record))
  if (writes) await write(record)
  else if (!isDeepStrictEqual(record, recorded.get(name)))
    faults.push(`${name}: differs from the record, see above. To record it, run this program with --write`)
}
for (const fault of faults) console.error(fault)
process.exit(faults.length > 0 ? 1 : 0)

async function judgeContract(name: string, { adapter, clear }: Opened): Promise<PublishedRecord['rules']> {
  const without = listMissing(adapter)
  const open: AdapterSubject['open'] = async () => {
    await clear()
    return { adapter, close() {} }
  }
  const broken: string[] = []
  // What the rules that guard find in the work of others goes to its authors (SECURITY.md).
  const plain = adapterContract({ name, open, without }).filter(({ guards }) => !guards)
  for (const rule of plain) await rule.run().catch(() => broken.push(rule.name))
  return { kept: plain.length - broken.length, broken }
}

function listMissing(adapter: Adapter): (keyof Adapter)[] {
  const optional = [
    'getAccount',
    'updateAccount',
    'createAuthenticator',
    'getAuthenticator',
    'listAuthenticatorsByUserId',
    'updateAuthenticatorCounter',
  ] as const
  return optional.filter((operation) => typeof adapter[operation] !== 'function')
}

/**
 * Every race has to end well, whatever the store does (decision 0010). A race that went wrong once is not settled, and stays
 * so however often it ends well, until somebody has found the cause and deleted the record.
 */
async function judgeRaces(name: string, subject: Opened): Promise<readonly RaceName[]> {
  const settled: readonly string[] = recorded.get(name)?.races ?? Object.keys(races)
  const kept: RaceName[] = []
  for (const race of Object.keys(races) as RaceName[]) {
    const wrong = await runRace(race, subject)
    if (wrong !== undefined) console.error(`${name}: "${race}": ${wrong}`)
    else if (settled.includes(race)) kept.push(race)
  }
  return kept
}

async function write(record: PublishedRecord): Promise<void> {
  await mkdir(folder, { recursive: true })
  const file = `${record.adapter.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, '')}.json`
  await writeFile(new URL(file, folder), `${JSON.stringify(record, null, 2)}\n`)
}
