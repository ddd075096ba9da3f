import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import ours from '../../fuzz/targets/ours.ts'
import { findRequirement, requirement, requirements } from '../../spec/index.ts'
import { mutants } from '../mutants/written/index.ts'
import { collect } from '../trace/collect.ts'
import { type Standing, standings } from '../trace/standing.ts'
import { findCitedLines } from './security/cited-lines.ts'
import type { SecurityTable } from './security/line.ts'
import { securityTables } from './security/tables.ts'
import { tabulateLines } from './security/tabulate-lines.ts'

const top = new URL('../../', import.meta.url)

/** The number of lines in each section of the ASVS 5.0. */
const asvs: Readonly<Record<string, readonly number[]>> = {
  'asvs-6': [3, 12, 8, 6, 8, 4, 2, 4],
  'asvs-7': [3, 4, 2, 5, 3, 2],
  'asvs-9': [3, 4],
  'asvs-10': [2, 3, 5, 16, 5, 2, 3],
}

/** Sections of RFC 9700 that make recommendations, and the attacks. */
const rfc9700 = ['2.1', '2.1.1', '2.1.2', '2.2.1', '2.2.2', '2.3', '2.4', '2.5', '2.6'].concat(
  Array.from({ length: 17 }, (_, index) => `4.${index + 1}`),
)

const lines = securityTables.flatMap((table) => table.lines)
const guide = await readFile(new URL('docs/guides/security.md', top), 'utf8')
const standingOf = new Map<string, Standing>(
  standings(await collect(top), mutants).map((row) => [row.requirement.id, row]),
)

/**
 * Whether tests prove that this library meets a requirement. A property of the oracle skips targets without the
 * capability, so a requirement that depends on a missing one entirely needs a test outside the oracle.
 */
function isHeld(id: string): boolean {
  const standing = standingOf.get(findRequirement(id)?.id ?? id)
  if (standing === undefined) return false
  const { requirement, tested } = standing
  const { capability, within } = requirement
  const isMissing =
    capability !== undefined && within === undefined && !ours.capabilities.includes(capability)
  const counting = isMissing ? tested.filter((name) => !/^(fuzz|test\/conformance)\//.test(name)) : tested
  return requirement.level !== 'may' && counting.length > 0
}

/**
 * Returns the lines that a requirement cites as its source, but whose table row lacks the requirement, as `6.8.1 needs
 * SU-01`.
 */
function findUnlisted(tables: readonly SecurityTable[]): readonly string[] {
  return tables.flatMap((table) => {
    const numbers = table.lines.map(({ line }) => line)
    return requirements.flatMap(({ id, source }) =>
      findCitedLines(source, table.standard, numbers)
        .filter((number) => {
          const line = table.lines.find((each) => each.line === number)
          const listed = [...(line?.held ?? []), ...(line?.open ?? [])]
          return !listed.some((each) => requirement(each).id === id)
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

  it('are exactly those in the guide', () => {
    const marks = [...guide.matchAll(/<!-- security (\S+) -->/g)].map(([, name]) => name)
    expect(marks).toEqual(securityTables.map(({ name }) => name))
    expect(() => tabulateLines('asvs-8', [])).toThrow('No table')
  })

  it('state who meets each line', () => {
    const silent = lines.filter(({ held, inapplicable, site, uncovered }) => {
      const others = [held, site, uncovered].filter((part) => part !== undefined)
      return inapplicable === undefined ? others.length === 0 : others.length > 0
    })
    expect(silent).toEqual([])
  })

  it('explain each requirement that is not met', () => {
    expect(lines.filter(({ open, site, uncovered }) => open && !site && !uncovered)).toEqual([])
  })

  it('list as met only requirements with tests', () => {
    const cited = lines.flatMap(({ held = [], line }) => held.map((id) => ({ id, line })))
    expect(cited.filter(({ id }) => !isHeld(id))).toEqual([])
  })

  it('list as open only requirements without tests', () => {
    const open = lines.flatMap((each) => (each.open ?? []).map((id) => ({ id, line: each.line })))
    expect(open.filter(({ id }) => isHeld(id))).toEqual([])
  })

  it('list every requirement whose source cites a line', () => {
    expect(findUnlisted(securityTables)).toEqual([])
  })
})

describe('the threat model', () => {
  it('links only requirements with tests', () => {
    const prose = guide.replaceAll(/<!-- security (\S+) -->[^]*?<!-- \/security -->/g, '')
    const links = [...prose.matchAll(/\[([^\]]+)\]\(\.\.\/\.\.\/spec\/requirements\.md#([^)]+)\)/g)]
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
    expect(find('RFC 9700 §4.1, §4.3; ASVS 4.2')).toEqual(['4.1', '4.3'])
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
