import { readdir, readFile } from 'node:fs/promises'
import { rules } from '../../fuzz/adapter/rules.ts'
import { assumeRouter } from '../../fuzz/targets/assume-router.ts'
import ours from '../../fuzz/targets/ours.ts'
import { tabulate } from '../adapters/contract-table.ts'
import type { AdapterRecord } from '../adapters/judge.ts'
import { type DialectName, printTables } from '../adapters/print-tables.ts'
import { readPublished } from '../adapters/published/record.ts'
import { tabulatePublished } from '../adapters/published/tabulate.ts'
import type { Benchmark } from '../bench/benchmarks.ts'
import { tabulateBenchmark } from '../bench/tabulate-benchmark.ts'
import { readRecords as readSites } from '../conformance/deployed/record.ts'
import { tabulateSites } from '../conformance/deployed/tabulate.ts'
import { tabulateFaults } from '../conformance/described/tabulate-faults.ts'
import { tabulateDropins } from '../dropin/tabulate.ts'
import { nameModules } from '../../docs/site/entry-points.ts'
import type { GeneratedFiles, Generator } from '../support/generator.ts'
import { type Manifest, writeInstallation, writeLinks } from './published.ts'
import { tabulateLines } from './security/tabulate-lines.ts'
import { tabulateOptions } from './tabulate-options.ts'
import { tabulatePolicy } from './tabulate-policy.ts'

const top = new URL('../../', import.meta.url)

/** Fills the marked sections of the guides and the README: programs, commands, links, statements, adapter results. */
export const guides: Generator = { name: 'guides', generate }

/** Every guide and the README, as paths from the top of the repository. */
export async function listGuides(): Promise<readonly string[]> {
  const files = (await readdir(new URL('docs/guides/', top))).filter((file) => file.endsWith('.md'))
  return ['README.md', ...files.toSorted().map((file) => `docs/guides/${file}`)]
}

async function generate(): Promise<GeneratedFiles> {
  const texts = await Promise.all(
    (await listGuides()).map(async (path) => [path, await fillGuide(path)] as const),
  )
  // Guides without marks are not generated.
  return Object.fromEntries(texts.flatMap(([path, text]) => (text === undefined ? [] : [[path, text]])))
}

async function fillGuide(path: string): Promise<string | undefined> {
  const guide = await readText(path)
  const marks = [
    ...guide.matchAll(
      /<!-- (file|source|faults|sites|tables|contract|published|dropins|install|links|security|policy|benchmark|options)([^>]*) -->\n([^]*?)<!-- \/\1 -->/g,
    ),
  ]
  if (marks.length === 0) return undefined
  const parts = await Promise.all(
    marks.map(async ([whole, kind = '', rest = '', body = '']) => {
      const filled = await fill(kind, rest.trim(), body)
      return { whole, filled: `<!-- ${kind}${rest} -->\n\n${filled}\n\n<!-- /${kind} -->` }
    }),
  )
  return parts.reduce((text, { whole, filled }) => text.replace(whole, () => filled), guide)
}

/** A `file` is a program that the reader saves, which imports the package. A `source` is a file of this repository. */
async function fill(kind: string, subject: string, body: string): Promise<string> {
  if (kind === 'install') return writeInstallation(subject, await readManifest())
  if (kind === 'links') return writeLinks(body, await readManifest())
  if (kind === 'faults') return tabulateFaults()
  if (kind === 'sites') return tabulateSites(await readSites())
  if (kind === 'tables') return fence('sql', await printTables(subject as DialectName))
  if (kind === 'contract') return tabulate(rules, await readRecords())
  if (kind === 'published') return tabulatePublished(await readPublished())
  if (kind === 'dropins') return tabulateDropins()
  if (kind === 'benchmark') return tabulateBenchmark(subject as Benchmark)
  if (kind === 'policy') return tabulatePolicy()
  if (kind === 'options') return tabulateOptions()
  if (kind === 'security') return tabulateLines(subject, [...assumeRouter(ours.capabilities)])
  const text = await readText(subject)
  return fence(
    subject.split('.').at(-1)?.replace('mjs', 'js') ?? '',
    kind === 'source' ? text : nameModules(text),
  )
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trim()}\n\`\`\``
}

async function readManifest(): Promise<Manifest> {
  return JSON.parse(await readText('package.json')) as Manifest
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
