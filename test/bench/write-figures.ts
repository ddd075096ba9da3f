import { readFileSync, writeFileSync } from 'node:fs'
import { benchmarks } from './benchmarks.ts'
import type { Results } from './write-page.ts'

const readme = new URL('../../README.md', import.meta.url)
/** The end of the item in a list that states the figures. */
const ending =
  '[Performance][performance] lists every figure and every missed target. The figures are from the last full ' +
  'measurement and can be older than the code. On another machine, they can differ by a factor of two.'

/** Writes the measured figures into README.md, once all of them are measured. */
export function writeFigures(results: Results): void {
  const items = readFileSync(readme, 'utf8').split('\n- ')
  const at = items.findIndex((item) => item.replace(/\s+/g, ' ').endsWith(ending))
  if (at < 0) throw new Error(`README.md has no item that ends with: ${ending}`)
  const figures = describe(results)
  if (figures === undefined) return
  items[at] = wrap(`${figures} ${ending}`)
  writeFileSync(readme, items.join('\n- '))
}

/** Breaks the text of an item into lines of at most 120 characters. */
function wrap(text: string): string {
  return text.replace(/(.{1,118})(?: |$)/g, '$1\n  ').trimEnd()
}

function describe(results: Results): string | undefined {
  if (benchmarks.some((part) => !results[part])) return undefined

  const tables = Object.values(results).flatMap((result) => result.tables)
  const figures: Record<string, number> = Object.assign({}, ...tables.map((table) => table.figures))
  const verdicts = tables.flatMap((table) => table.verdicts ?? [])
  const times = (job: string) => `${(figures[`${job}, 1 in flight`] ?? Number.NaN).toFixed(1)} times`
  const express = verdicts
    .filter(({ unit }) => unit === 'times @auth/express')
    .map(({ value }) => value.toFixed(1))
  const met = verdicts.filter(({ isMet }) => isMet).length
  return (
    `Compared with \`@auth/core\`, authmachine reads a session in a JWT ${times('session (JWT)')} as fast and one in a ` +
    `database ${times('session (database)')} as fast, completes an OAuth sign-in ${times('OAuth sign-in')} as fast and ` +
    `one with a password ${times('credentials sign-in')} as fast, and renders the sign-in page ` +
    `${times('sign-in page')} as fast. On \`node:http\`, it serves ${express.join(' and ')} times as many session ` +
    `requests as \`@auth/express\` (16 and 256 connections). It meets ${met} of the ${verdicts.length} targets that the ` +
    'project has set. These figures compare the handlers alone. In an application, the difference is smaller: on ' +
    '27 November 2026, a protected page of Next.js took 1.3 to 1.7 times the CPU time with `next-auth`, and a Hono route with ' +
    'PostgreSQL sessions served 2 times as many requests with authmachine ([all applications][applications]).'
  )
}
