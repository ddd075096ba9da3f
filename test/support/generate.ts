/**
 * `npm run generated`: writes every generated file. With `--check` it writes nothing, and fails with a list of the
 * files that are out of date. Further arguments select generators by name. Add a generator to the list below, and the
 * path it writes to `.prettierignore`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { propertyIndex } from '../conformance/generate-index.ts'
import { flows } from '../diagrams/generate.ts'
import { layouts } from '../diagrams/generate-layouts.ts'
import { guides } from '../guides/generate.ts'
import { providerMarks } from '../providers/generate-marks.ts'
import { providersCatalogue } from '../providers/generate-catalogue.ts'
import { errorGuide } from '../seams/generate.ts'
import { requirementList } from '../spec/generate-list.ts'
import type { Generator } from './generator.ts'
import { devtoolsScript } from './devtools/embed-script.ts'

const generators: readonly Generator[] = [
  devtoolsScript,
  guides,
  providersCatalogue,
  providerMarks,
  errorGuide,
  requirementList,
  flows,
  layouts,
  propertyIndex,
]

const top = new URL('../../', import.meta.url)
const args = process.argv.slice(2)
const check = args.includes('--check')
const names = args.filter((arg) => arg !== '--check')

async function readIfThere(file: URL): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    return undefined
  }
}

async function refresh(path: string, content: string): Promise<boolean> {
  const file = new URL(path, top)
  if ((await readIfThere(file)) === content) return false
  if (!check) {
    await mkdir(new URL('.', file), { recursive: true })
    await writeFile(file, content)
  }
  return true
}

let seen = 0
const changed: string[] = []
for (const generator of generators) {
  if (names.length > 0 && !names.includes(generator.name)) continue
  for (const [path, content] of Object.entries(await generator.generate())) {
    seen += 1
    if (await refresh(path, content)) changed.push(`${path} (${generator.name})`)
  }
}

for (const line of changed) console.log(check ? `out of date: ${line}` : `written: ${line}`)
if (check && changed.length > 0) {
  console.error('Run `npm run generated` and commit what it writes.')
  process.exitCode = 1
} else {
  console.log(`${seen} generated files, ${changed.length} ${check ? 'out of date' : 'written'}`)
}
