import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Edit } from './edit.ts'
import { findFragment, findNamed, listNamed, locate, type Named } from './locate.ts'
import type { Mutant } from './mutant.ts'

/** A mutant that no longer applies to the sources. */
export interface StaleMutant {
  readonly id: string
  readonly why: string
  /** The place most similar to the one it was written for. */
  readonly nearest?: string
}

/** A mutant, and where it applies to the sources. */
export type Located = readonly [Mutant, Edit]

/** A source file with its functions, parsed once for all its mutants. */
interface Source {
  readonly text: string
  readonly named: readonly Named[]
}

const top = fileURLToPath(new URL('../../', import.meta.url))

/** Finds the text of each mutant in the sources. Those whose function or fragment is missing are stale. */
export function locateAll(mutants: readonly Mutant[]): {
  readonly located: readonly Located[]
  readonly stale: readonly StaleMutant[]
} {
  const sources = new Map<string, Source | undefined>()
  const read = (file: string): Source | undefined => {
    if (!sources.has(file)) sources.set(file, readSource(file))
    return sources.get(file)
  }
  const located: Located[] = []
  const stale: StaleMutant[] = []
  for (const mutant of mutants) {
    const source = read(mutant.file)
    const edit = source
      ? locate(source.text, mutant, source.named)
      : { stale: `${mutant.file} does not exist` }
    if (!('stale' in edit)) {
      located.push([mutant, edit])
      continue
    }
    const nearest = findMoved(mutant, read) ?? (source && findSimilarLine(mutant, source))
    stale.push({ id: mutant.id, why: edit.stale, ...(nearest !== undefined && { nearest }) })
  }
  return { located, stale }
}

function readSource(file: string): Source | undefined {
  if (!existsSync(`${top}${file}`)) return undefined
  const text = readFileSync(`${top}${file}`, 'utf8')
  return { text, named: file.endsWith('.ts') ? listNamed(text) : [] }
}

/**
 * Returns the only other function that contains the fragment once: first one of the same name elsewhere, then one of
 * the same file.
 */
function findMoved({ file, in: name, find }: Mutant, read: (file: string) => Source | undefined) {
  const hasOnce = (text: string, { start, end }: Named) =>
    findFragment(text.slice(start, end), find).length === 1
  const within = (path: string, choose: (named: readonly Named[]) => readonly Named[]) => {
    const source = read(path)
    if (!source) return []
    return choose(source.named)
      .filter((each) => hasOnce(source.text, each))
      .map((each) => `${path}: ${each.path.join('.')}`)
  }
  const innermost = (named: readonly Named[]) => {
    const source = read(file)
    const holding = named.filter((each) => source && hasOnce(source.text, each))
    return holding.filter((one) => !holding.some((each) => each !== one && isWithin(each, one)))
  }
  const own = name?.split('.').at(-1)
  const others = globSync('{src,machines,fuzz/testing}/**/*.ts', { cwd: top }).filter((path) => path !== file)
  const elsewhere =
    own === undefined ? [] : others.flatMap((path) => within(path, (named) => findNamed(named, own)))
  const places = elsewhere.length > 0 ? elsewhere : within(file, innermost)
  return places.length === 1 ? places[0] : undefined
}

function isWithin(one: Named, other: Named): boolean {
  return one.start >= other.start && one.end <= other.end
}

/** Returns the line that shares the most words with the fragment, in the function of the mutant or in its file. */
function findSimilarLine({ file, in: name, find }: Mutant, { text, named }: Source): string | undefined {
  const [place] = name === undefined ? [] : findNamed(named, name)
  const start = place?.start ?? 0
  const wanted = new Set(find.match(/\w+/g))
  const first = text.slice(0, start).split('\n').length
  const [best] = text
    .slice(start, place?.end)
    .split('\n')
    .map((line, at) => ({
      at: first + at,
      line: line.trim(),
      shared: [...wanted].filter((word) => line.includes(word)).length,
    }))
    .toSorted((a, b) => b.shared - a.shared)
  return best && best.shared > 0 ? `${file}:${best.at}: ${best.line}` : undefined
}
