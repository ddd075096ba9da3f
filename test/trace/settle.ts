/**
 * `node test/trace/settle.ts` brings test/pending.ts and test/unproven.ts in line with the witnesses and kills there
 * are: what is witnessed leaves the first list, what is proven the second, and both ceilings come down. It never adds
 * to what is owed: a must without a witness stays a failing test until someone writes the why.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { format } from 'prettier'
import { pending } from '../pending.ts'
import { unproven } from '../unproven.ts'
import { collect } from './collect.ts'
import { readKills } from './kills.ts'
import { standings, type Owed } from './standing.ts'

const top = new URL('../../', import.meta.url)
const rows = standings(await collect(top), await readKills(top)).filter(
  ({ requirement }) => requirement.level === 'must',
)

const stillPending: Record<string, string> = {}
const stillUnproven: Record<string, string> = {}
for (const { requirement, state } of rows) {
  const why = pending[requirement.id]
  if (state === 'owed' && why !== undefined) stillPending[requirement.id] = why
  if (state === 'witnessed') {
    stillUnproven[requirement.id] = unproven[requirement.id] ?? 'no mutant recorded yet'
  }
}

const owed = Object.keys(stillPending).length
await rewrite('test/pending.ts', stillPending, owed)
await rewrite('test/unproven.ts', stillUnproven, owed + Object.keys(stillUnproven).length)

async function rewrite(path: string, list: Owed, ceiling: number): Promise<void> {
  const file = new URL(path, top)
  const text = await readFile(file, 'utf8')
  const entries = Object.entries(list).map(([id, why]) => `  '${id}': ${JSON.stringify(why)},\n`)
  const next = text
    .replace(/(Ceiling = )\d+/, `$1${ceiling}`)
    .replace(/(: Owed = )\{[^]*\}/, (_, head: string) => `${head}{\n${entries.join('')}}`)
  await writeFile(
    file,
    await format(next, { parser: 'typescript', semi: false, singleQuote: true, printWidth: 110 }),
  )
  console.log(`${path}: ${entries.length} listed, ceiling ${ceiling}`)
}
