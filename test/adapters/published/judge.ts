/**
 * Runs the adapter contract and the races on published adapters, and compares the results with the committed records.
 * Arguments select the adapters whose names contain one of them. `--write` writes the records.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
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
  /** Programs that npm cannot install and that this machine lacks, by the adapter that needs them. */
  readonly missing: Readonly<Record<string, string>>
}

/** The exports of fuzz/peers/adapters/subjects.js. */
interface Peers {
  readonly openSubjects: (
    url: string,
  ) => Promise<{ readonly subjects: readonly (AdapterSubject & { readonly on: string })[] }>
}

// Some adapters behave differently in development: TypeORM's rebuilds its entities in each call, so concurrent calls fail.
process.env.NODE_ENV = 'production'

const peersFolder = new URL('../../../fuzz/peers/', import.meta.url)
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const writes = process.argv.includes('--write')

const { stores, missing } = await importSubjects<Stores>('stores')
const peers = await importSubjects<Peers>('adapters')
const server = await startPostgres()
const recorded = new Map((await readPublished()).map((record) => [record.adapter, record]))
const faults: string[] = []

for (const [name, open] of Object.entries(stores)) {
  if (!isWanted(name)) continue
  if (missing[name]) {
    console.error(`NOT RUN: ${name} needs ${missing[name]}, which is not installed`)
    continue
  }
  const opened = await open(server.createDatabase)
  await compare({
    adapter: name,
    version: versionOf('stores', name),
    on: opened.on,
    rules: await judgeContract(name, opened),
    ...(await judgeRaces(name, opened)),
  })
}
const { subjects } = await peers.openSubjects(await server.createDatabase())
for (const { name, on, open } of subjects) {
  if (!isWanted(name)) continue
  // Opening one of these empties its store.
  let { adapter } = await open()
  const subject = {
    get adapter() {
      return adapter
    },
    clear: async () => void ({ adapter } = await open()),
  }
  await compare({
    adapter: name,
    version: versionOf('adapters', name),
    on,
    ...(await judgeRaces(name, subject)),
  })
}
for (const fault of faults) console.error(fault)
process.exit(faults.length > 0 ? 1 : 0)

function isWanted(name: string): boolean {
  return words.length === 0 || words.some((word) => name.includes(word))
}

/** Imports the subjects of a folder of peers. Installs the folder's packages first. */
async function importSubjects<T>(peers: string): Promise<T> {
  const path = fileURLToPath(new URL(`${peers}/`, peersFolder))
  if (!existsSync(`${path}node_modules/.package-lock.json`)) {
    const { status } = spawnSync('npm', ['ci', '--prefix', path], { stdio: 'inherit' })
    if (status !== 0) throw new Error(`npm ci of fuzz/peers/${peers} failed`)
  }
  return (await import(`${path}subjects.js`)) as T
}

function versionOf(peers: string, name: string): string {
  const manifest = new URL(`${peers}/node_modules/${name}/package.json`, peersFolder)
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

async function compare(record: PublishedRecord): Promise<void> {
  console.log(JSON.stringify(record))
  if (writes) await write(record)
  else if (!isDeepStrictEqual(record, recorded.get(record.adapter)))
    faults.push(
      `${record.adapter}: the result above differs from the committed record. Run this program with --write to record it`,
    )
}

async function judgeContract(name: string, { adapter, clear }: Opened): Promise<PublishedRecord['rules']> {
  const without = listMissing(adapter)
  const open: AdapterSubject['open'] = async () => {
    await clear()
    return { adapter, close() {} }
  }
  const broken: string[] = []
  // Violations of security rules by third-party adapters are reported to their authors (SECURITY.md).
  const plain = adapterContract({ name, open, without }).filter(({ guards }) => !guards)
  for (const rule of plain) await rule.run().catch(() => broken.push(rule.name))
  return { kept: plain.length - broken.length, broken }
}

function listMissing(adapter: Adapter): (keyof Adapter)[] {
  const optional = [
    'getAccount',
    'updateAccount',
    'listAccountsByUserId',
    'listSessionsByUserId',
    'deleteSessionsByUserId',
    'describeSession',
    'deleteAuthenticator',
    'nameAuthenticator',
    'createAuthenticator',
    'getAuthenticator',
    'listAuthenticatorsByUserId',
    'updateAuthenticatorCounter',
    'getPassword',
    'setPassword',
    'deletePassword',
    'getFactor',
    'setFactor',
    'deleteFactor',
    'getRecord',
    'setRecord',
    'deleteRecord',
    'getKeyedRecord',
    'setKeyedRecord',
    'deleteKeyedRecord',
  ] as const
  return optional.filter((operation) => typeof adapter[operation] !== 'function')
}

/**
 * In one process every race must pass with any store (decision 0010). A race that has failed once stays recorded as
 * failed, even if it passes later, until somebody finds the cause and deletes the record.
 */
async function judgeRaces(
  name: string,
  subject: RaceSubject,
): Promise<Pick<PublishedRecord, 'races' | 'racesApart'>> {
  const settled = recorded.get(name)
  return {
    races: await findSettled(name, subject, false, settled?.races),
    racesApart: await findSettled(name, subject, true, settled?.racesApart),
  }
}

async function findSettled(
  name: string,
  subject: RaceSubject,
  apart: boolean,
  settled: readonly string[] = Object.keys(races),
): Promise<readonly RaceName[]> {
  const kept: RaceName[] = []
  for (const race of Object.keys(races) as RaceName[]) {
    if (!settled.includes(race)) continue
    const wrong = await runRace(race, subject, apart)
    if (wrong === undefined) kept.push(race)
    else console.error(`${name}: "${race}"${apart ? ', in several processes' : ''}: ${wrong}`)
  }
  return kept
}

async function write(record: PublishedRecord): Promise<void> {
  await mkdir(folder, { recursive: true })
  const file = `${record.adapter.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, '')}.json`
  await writeFile(new URL(file, folder), `${JSON.stringify(record, null, 2)}\n`)
}
