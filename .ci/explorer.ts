/**
 * The script of the flow explorer as a string, and its data. The build puts both into the package. When the library runs
 * from its sources, they are built on demand.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import advisories from '../fuzz/advisories.json' with { type: 'json' }
import layouts from '../src/explorer/layouts.json' with { type: 'json' }
import stories from '../src/explorer/stories.json' with { type: 'json' }
import type { ExplorerData } from '../src/explorer/data.ts'
import { flows } from '../src/instrumented.ts'
import { requirement } from '../spec/index.ts'

/** The name by which the library imports this module. */
export const EXPLORER = '#explorer'

const top = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, top), 'utf8')
const list = (folder: string) =>
  readdirSync(new URL(folder, top), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`)
    .toSorted()

/** Maximum number of tests to name per requirement. All titles would be half of the data. */
const shownTests = 3

export const explorerScript: string = await bundleScript()
export const explorerData: string = deflateRawSync(JSON.stringify(gather()), { level: 9 }).toString('base64')

async function bundleScript(): Promise<string> {
  const build = await rolldown({
    cwd: fileURLToPath(top),
    input: 'src/explorer/page/main.ts',
    platform: 'browser',
    experimental: { attachDebugInfo: 'none' },
  })
  const { output } = await build.generate({ format: 'iife', minify: true })
  return output[0].code.trim()
}

function gather(): ExplorerData {
  return {
    layouts: layouts as unknown as ExplorerData['layouts'],
    says: readSays(),
    code: findSteps(),
    tests: findTests(),
    attacks: findAttacks(),
    stories: stories as unknown as ExplorerData['stories'],
  }
}

function readSays(): ExplorerData['says'] {
  const says = (steps: Readonly<Record<string, { readonly says: object }>>, states: object, path = '') =>
    Object.entries(states).flatMap(([name, state]): [string, string[]][] => {
      if ('states' in state) return says(steps, state.states as object, `${path}${name}.`)
      return 'invoke' in state
        ? [[path + name, Object.keys(steps[(state.invoke as { src: string }).src]?.says ?? {})]]
        : []
    })
  return Object.fromEntries(
    Object.values(flows).map(({ id, steps, chart }) => [id, Object.fromEntries(says(steps, chart.states))]),
  )
}

/** A step is a function of its name, or of another name that a flow gives it. */
function findSteps(): Readonly<Record<string, string>> {
  const texts = list('src/flows').map((file) => [file, read(file)] as const)
  const names = new Set(Object.values(flows).flatMap(({ steps }) => Object.keys(steps)))
  const find = (pattern: RegExp) => texts.find(([, text]) => pattern.test(text))?.[0]
  return Object.fromEntries(
    [...names].map((name) => {
      const named = new RegExp(`^(?:export )?(?:const|(?:async )?function) ${name}\\b`, 'm')
      const alias = new RegExp(`^\\s+${name}: `, 'm')
      return [name, find(named) ?? find(alias) ?? '']
    }),
  )
}

function findTests(): ExplorerData['tests'] {
  const title =
    /\b(?:it|test|describe|scenario)(?:\.\w+(?:\([^)]*\))?)?\(\s*(['"`])((?:[A-Z]+-\d+[a-z]? )+)([^\n]*?)\1/g
  const tests: Record<string, { total: number; some: string[] }> = {}
  for (const file of list('test').filter((path) => path.endsWith('.test.ts')))
    for (const [, , ids = '', says = ''] of read(file).matchAll(title))
      for (const id of ids.trim().split(' ')) {
        const known = (tests[id] ??= { total: 0, some: [] })
        known.total += 1
        if (known.some.length < shownTests) known.some.push(`\`${file}\`: ${says}`)
      }
  return tests
}

function findAttacks(): ExplorerData['attacks'] {
  const attacks: Record<string, { id: string; project: string; cause: string }[]> = {}
  for (const { ids, project, cause, caughtBy } of advisories)
    for (const id of new Set(caughtBy.map((each) => requirement(each as never).id)))
      (attacks[id] ??= []).push({ id: ids[0] ?? '', project, cause })
  return attacks
}
