import { readdir, readFile } from 'node:fs/promises'
import { rules } from '../../fuzz/adapter/rules.ts'
import type { GeneratedFiles, Generator } from '../support/generator.ts'
import { tabulate } from './contract-table.ts'
import type { AdapterRecord } from './judge.ts'
import { type DialectName, printTables } from './print-tables.ts'

const top = new URL('../../', import.meta.url)
const path = 'docs/guides/adapters.md'

/** Fills what is between the marks of docs/guides/adapters.md: programs, statements, and how adapters stand. */
export const adaptersGuide: Generator = { name: 'guide to adapters', generate }

async function generate(): Promise<GeneratedFiles> {
  const guide = await readText(path)
  const marks = [...guide.matchAll(/<!-- (file|tables|contract) ?(\S*) -->\n[^]*?<!-- \/\1 -->/g)]
  const parts = await Promise.all(
    marks.map(async ([whole, kind = '', subject = '']) => {
      const mark = `${kind} ${subject}`.trim()
      return { whole, filled: `<!-- ${mark} -->\n\n${await fill(kind, subject)}\n\n<!-- /${kind} -->` }
    }),
  )
  return { [path]: parts.reduce((text, { whole, filled }) => text.replace(whole, () => filled), guide) }
}

async function fill(kind: string, subject: string): Promise<string> {
  if (kind === 'tables') return fence('sql', await printTables(subject as DialectName))
  if (kind === 'contract') return tabulate(rules, await readRecords())
  return fence(subject.split('.').at(-1) ?? '', await nameModules(await readText(subject)))
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trim()}\n\`\`\``
}

/** Programs import our sources by path, and in the guide by the names that they are published under. */
async function nameModules(program: string): Promise<string> {
  const { exports } = JSON.parse(await readText('package.json')) as {
    exports: Record<string, { readonly default?: string }>
  }
  const names = new Map(
    Object.entries(exports).map(([name, { default: file = '' }]) => [
      file.replace('./dist/', '').replace(/\.js$/, '.ts'),
      name.replace('.', 'authmachine'),
    ]),
  )
  return program.replaceAll(/'(?:\.\.\/)+([^']+\.ts)'/g, (_, file: string) => {
    const name = names.get(file)
    if (name === undefined) throw new Error(`${file} is not published`)
    return `'${name}'`
  })
}

async function readRecords(): Promise<readonly AdapterRecord[]> {
  const folder = 'test/adapters/records/'
  const files = (await readdir(new URL(folder, top))).toSorted()
  return Promise.all(
    files.map(async (file) => JSON.parse(await readText(`${folder}${file}`)) as AdapterRecord),
  )
}

function readText(file: string): Promise<string> {
  return readFile(new URL(file, top), 'utf8')
}
