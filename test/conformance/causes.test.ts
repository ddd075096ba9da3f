import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { causeOf, causes, severities, type Severity } from '../../fuzz/causes.ts'
import { severityOf, lessSevere } from '../../fuzz/severities.ts'
import { properties } from '../../fuzz/properties/index.ts'
import { findRequirement, requirements } from '../../spec/index.ts'

/** Returns every requirement whose id the properties and monitors mention, and so can report as broken. */
function findMentioned(): ReadonlySet<string> {
  const ids = ['properties', 'monitors', 'run'].flatMap((folder) => {
    const root = new URL(`../../fuzz/${folder}/`, import.meta.url)
    return readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .flatMap(
        (path) => readFileSync(new URL(path, root), 'utf8').match(/(?<=')[A-Z]{2,3}-\d+[a-z]?(?=')/g) ?? [],
      )
  })
  return new Set(ids.flatMap((id) => findRequirement(id)?.id ?? []))
}

describe('the causes of failures', () => {
  const listed = causes.flatMap(({ rows }) => [...rows])

  it('list every requirement that a report can contain', () => {
    const catalogue = requirements.filter(({ mode }) => mode !== undefined).map(({ id }) => id)
    const judged = new Set<string>([
      ...catalogue,
      ...properties.flatMap(({ proves }) => proves),
      ...findMentioned(),
    ])
    expect(judged.size).toBeGreaterThan(250)
    expect([...judged].filter((id) => !listed.some((each) => each === id))).toEqual([])
  })

  it('list each requirement once, by its id and no alias', () => {
    expect(listed.filter((id, at) => listed.indexOf(id) !== at)).toEqual([])
    expect(listed.filter((id) => findRequirement(id)?.id !== id)).toEqual([])
    expect(new Set(causes.map(({ id }) => id)).size).toBe(causes.length)
  })

  it('are in the order of their severity, and every severity has one', () => {
    const ranks = causes.map(({ severity }) => severities.indexOf(severity))
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
    expect(new Set(ranks).size).toBe(severities.length)
  })

  it('are more severe than the requirements with a different severity', () => {
    expect(lessSevere.length).toBeGreaterThan(30)
    const rank = (severity: Severity) => severities.indexOf(severity)
    const wrong = lessSevere.filter((id) => rank(severityOf(id)) <= rank(causeOf(id).severity))
    expect(wrong).toEqual([])
    expect(lessSevere.filter((id) => !listed.some((each) => each === id))).toEqual([])
    expect(new Set(lessSevere).size).toBe(lessSevere.length)
  })

  it('belong to aliases as well', () => {
    expect(causeOf('DEC-17a')).toBe(causeOf('SE-07'))
  })
})
