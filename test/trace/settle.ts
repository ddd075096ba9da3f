/**
 * `node test/trace/settle.ts` removes requirements that a test names from test/pending.ts, and lowers its ceiling. It
 * never adds to the list: a must without a test fails test/trace.test.ts until someone writes the reason.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { format } from 'prettier'
import { mutants } from '../mutants/written/index.ts'
import { pending } from '../pending.ts'
import { collect } from './collect.ts'
import { standings } from './standing.ts'

const top = new URL('../../', import.meta.url)
const file = new URL('test/pending.ts', top)

const owed = standings(await collect(top), mutants).filter(({ state }) => state === 'owed')
const entries = owed.flatMap(({ requirement: { id } }) => {
  const why = pending[id]
  return why === undefined ? [] : [`  '${id}': ${JSON.stringify(why)},\n`]
})
const text = (await readFile(file, 'utf8'))
  .replace(/(Ceiling = )\d+/, `$1${entries.length}`)
  .replace(/(: Owed = )\{[^]*\}/, (_, head: string) => `${head}{\n${entries.join('')}}`)
await writeFile(
  file,
  await format(text, { parser: 'typescript', semi: false, singleQuote: true, printWidth: 110 }),
)
console.log(`test/pending.ts: ${entries.length} listed`)
