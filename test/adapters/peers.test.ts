import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { adapterContract, type AdapterSubject } from '../../fuzz/adapter/index.ts'
import { startPostgres } from '../support/postgres.ts'
import { findings } from './findings.ts'
import { judge } from './judge.ts'

const folder = new URL('../../fuzz/peers/adapters/', import.meta.url)

/** Published packages, installed in a folder of their own, so that this package's tree stays its own. */
async function openPeers(url: string): Promise<Peers> {
  if (!existsSync(new URL('node_modules/.package-lock.json', folder))) install()
  const { openSubjects } = (await import(new URL('subjects.js', folder).href)) as {
    openSubjects: (url: string) => Promise<Peers>
  }
  return openSubjects(url)
}

interface Peers {
  readonly subjects: readonly AdapterSubject[]
  readonly close: () => Promise<void>
}

function install(): void {
  const args = ['ci', '--silent', '--no-audit', '--no-fund', '--prefix', fileURLToPath(folder)]
  const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ci of the peers failed: ${stderr}`)
}

const server = await startPostgres()
const { subjects, close } = await openPeers(server.url)

afterAll(async () => {
  await close()
  await server.stop()
})

for (const subject of subjects) {
  const plain = adapterContract(subject).filter(({ guards }) => !guards)
  judge(subject, plain, findings[subject.name])
}

it('has findings of the adapters that are there', () => {
  expect(Object.keys(findings).toSorted()).toEqual(subjects.map(({ name }) => name).toSorted())
})
