import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import ours from '../../fuzz/targets/ours.ts'
import { requirements } from '../../spec/index.ts'
import { mutants } from '../mutants/written/index.ts'
import { collect } from '../trace/collect.ts'
import { type Standing, standings } from '../trace/standing.ts'
import { findCitedLines } from './security/cited-lines.ts'
import type { SecurityTable } from './security/line.ts'
import { securityTables } from './security/tables.ts'
import { tabulateLines } from './security/tabulate-lines.ts'

const top = new URL('../../', import.meta.url)

/** How many lines each section of the ASVS 5.0 has. */
const asvs: Readonly<Record<string, readonly number[]>> = {
  'asvs-6': [3, 12, 8, 6, 8, 4, 2, 4],
  'asvs-7': [3, 4, 2, 5, 3, 2],
  'asvs-9': [3, 4],
  'asvs-10': [2, 3, 5, 16, 5, 2, 3],
}

/** Sections of RFC 9700 that recommend something, and the attacks. */
const rfc9700 = ['2.1', '2.1.1', '2.1.2', '2.2.1', '2.2.2', '2.3', '2.4', '2.5', '2.6'].concat(
  Array.from({ length: 17 }, (_, index) => `4.${index + 1}`),
)

const lines = securityTables.flatMap((table) => table.lines)
const guide = await readFile(new URL('docs/guides/security.md', top), 'utf8')
const standingOf = new Map<string, Standing>(
  standings(await collect(top), mutants).map((row) => [row.requirement.id, row]),
)

/**
 * Whether tests hold this library to a requirement. A property of the oracle skips targets without the capability, so
 * that a requirement that is wholly about a missing one needs a test outside the oracle.
 */
function isHeld(id: string): boolean {
  const standing = standingOf.get(id)
  if (standing === undefined) return false
  const { requirement, tested } = standing
  const { capability, within } = requirement
  const isMissing =
    capability !== undefined && within === undefined && !ours.capabilities.includes(capability)
  const counting = isMissing ? tested.filter((name) => !/^(fuzz|test\/conformance)\//.test(name)) : tested
  return requirement.level !== 'may' && counting.length > 0
}

/** What a source cites of the standards, as `6.8.1 needs SU-01`, and the lines lack. */
function findUnlisted(tables: readonly SecurityTable[]): readonly string[] {
  return tables.flatMap((table) => {
    const numbers = table.lines.map(({ line }) => line)
    return requirements.flatMap(({ id, source }) =>
      findCitedLines(source, table.standard, numbers)
        .filter((number) => {
          const line = table.lines.find((each) => each.line === number)
          return !line?.held?.includes(id) && !line?.open?.includes(id)
        })
        .map((number) => `${number} needs ${id}`),
    )
  })
}

describe('the tables of the security guide', () => {
  it.each(Object.entries(asvs))('have every line of %s once', (name, sizes) => {
    const chapter = name.replace('asvs-', '')
    const expected = sizes.flatMap((size, section) =>
      Array.from({ length: size }, (_, index) => `${chapter}.${section + 1}.${index + 1}`),
    )
    expect(securityTables.find((table) => table.name === name)?.lines.map(({ line }) => line)).toEqual(
      expected,
    )
  })

  it('have every recommendation and attack of RFC 9700 once', () => {
    expect(securityTables.find(({ name }) => name === 'rfc-9700')?.lines.map(({ line }) => line)).toEqual(
      rfc9700,
    )
  })

  it('are all in the guide, and no other', () => {
    const marks = [...guide.matchAll(/<!-- security (\S+) -->/g)].map(([, name]) => name)
    expect(marks).toEqual(securityTables.map(({ name }) => name))
    expect(() => tabulateLines('asvs-8', [])).toThrow('No table')
  })

  it('say of each line who meets it', () => {
    const silent = lines.filter(({ held, inapplicable, site, uncovered }) => {
      const others = [held, site, uncovered].filter((part) => part !== undefined)
      return inapplicable === undefined ? others.length === 0 : others.length > 0
    })
    expect(silent).toEqual([])
  })

  it('say what is left where a requirement is not held', () => {
    expect(lines.filter(({ open, site, uncovered }) => open && !site && !uncovered)).toEqual([])
  })

  it('cite only requirements that this library is tested for', () => {
    const cited = lines.flatMap(({ held = [], line }) => held.map((id) => ({ id, line })))
    expect(cited.filter(({ id }) => !isHeld(id))).toEqual([])
  })

  it('call no requirement open that this library is tested for', () => {
    const open = lines.flatMap((each) => (each.open ?? []).map((id) => ({ id, line: each.line })))
    expect(open.filter(({ id }) => isHeld(id))).toEqual([])
  })

  it('list every requirement whose source cites a line', () => {
    expect(findUnlisted(securityTables)).toEqual([])
  })
})

describe('the threat model', () => {
  it('links only requirements that this library is tested for', () => {
    const prose = guide.replaceAll(/<!-- security (\S+) -->[^]*?<!-- \/security -->/g, '')
    const links = [...prose.matchAll(/\[([^\]]+)\]\(\.\.\/\.\.\/spec\/README\.md#([^)]+)\)/g)]
    expect(links.length).toBeGreaterThan(40)
    expect(links.filter(([, text, id = '']) => text !== id || !isHeld(id)).map(([link]) => link)).toEqual([])
  })
})

describe('findCitedLines', () => {
  const numbers = ['4.1', '4.2', '4.3', '4.11']

  it('reads lists, ranges and subsections', () => {
    const find = (source: string) => findCitedLines(source, 'RFC 9700', numbers)
    expect(find('RFC9700 §4.1,§4.3; CVE-2020-1')).toEqual(['4.1', '4.3'])
    expect(find('seed; RFC9700 §4.2-4.11')).toEqual(['4.2', '4.3', '4.11'])
    expect(find('RFC 9700 4.11.1')).toEqual(['4.11'])
    expect(find('ASVS 4.1; RFC9700 §6; RFC 6749 4.1')).toEqual([])
  })

  it('reads every source that names a standard', () => {
    const count = (source: string, pattern: RegExp) => source.match(pattern)?.length
    const unread = requirements.filter(
      ({ source }) => count(source, /ASVS|RFC ?9700/g) !== count(source, /(ASVS|RFC ?9700) §?\d/g),
    )
    expect(unread).toEqual([])
  })
})
