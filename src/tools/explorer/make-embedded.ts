/**
 * The script of the flow explorer as a string, and its data. The build puts both into the package. This file creates
 * them when the library runs from its sources, and is not packed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { requirement } from '../../../spec/index.ts'
import * as flows from '../../flows/all-flows.ts'
import type { ExplorerData } from './data.ts'

const locate = (path: string) => new URL(`../../../${path}`, import.meta.url)
const read = (path: string) => readFileSync(locate(path), 'utf8')
const list = (folder: string) =>
  readdirSync(locate(folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`)
    .toSorted()

/** Maximum number of tests to name per requirement. The titles of all tests would be half of the data. */
const shownTests = 3

export const explorerScript: string = await bundleScript()
export const explorerData: string = deflateRawSync(JSON.stringify(gather()), { level: 9 }).toString('base64')

async function bundleScript(): Promise<string> {
  const build = await rolldown({
    cwd: fileURLToPath(locate('')),
    input: 'src/tools/explorer/page/main.ts',
    platform: 'browser',
    experimental: { attachDebugInfo: 'none' },
  })
  const { output } = await build.generate({ format: 'iife', minify: true })
  return output[0].code.trim()
}

function gather(): ExplorerData {
  return {
    layouts: JSON.parse(read('src/tools/explorer/layouts.json')) as ExplorerData['layouts'],
    says: readSays(),
    code: findSteps(),
    tests: findTests(),
    attacks: findAttacks(),
    stories: JSON.parse(read('src/tools/explorer/stories.json')) as ExplorerData['stories'],
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

/** Finds the file of each step: it declares the step under its name, or renames a function to that name. */
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

/** The members of an advisory that the explorer shows. */
interface Advisory {
  readonly ids: readonly string[]
  readonly project: string
  readonly cause: string
  readonly caughtBy: readonly Parameters<typeof requirement>[0][]
}

function findAttacks(): ExplorerData['attacks'] {
  const advisories = JSON.parse(read('fuzz/advisories.json')) as readonly Advisory[]
  const attacks: Record<string, { id: string; project: string; cause: string }[]> = {}
  for (const { ids, project, cause, caughtBy } of advisories)
    for (const id of new Set(caughtBy.map((each) => requirement(each).id)))
      (attacks[id] ??= []).push({ id: ids[0] ?? '', project, cause })
  return attacks
}
